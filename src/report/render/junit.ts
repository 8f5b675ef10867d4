import { countOf, formatCount } from './format.ts';
import { isMediaBalanced, mediaSum } from './media-words.ts';
import { differenceCount, isBalanced } from './verdict.ts';
import type { MediaData, ReportData, ReportGroup } from '../report-data.ts';

/** What a CI server shows as a test. */
interface TestCase {
  readonly name: string;
  readonly result: 'passed' | 'skipped' | 'failed';
  /** One line; empty where it passed. */
  readonly message: string;
  readonly text: string;
}

/**
 * The report as JUnit XML, for a CI server to show: a test for each kind of finding. What blocks messages fails, what
 * needs a decision is skipped (most servers show that in yellow), what is for information passes.
 */
export function renderJunit(data: ReportData): string {
  const suites: readonly (readonly [name: string, cases: readonly TestCase[]])[] = [
    ['books', [balance(data)]],
    ['files', data.media ? [filesTest(data.media)] : []],
    ['refused', data.refused.map(caseOf)],
    ['rejected', data.rejected.map(caseOf)],
    ['checks', data.problems.map(caseOf)],
    ['verify', data.verify === null ? [] : [reading(data)]],
  ];
  const timestamp = new Date(data.generatedAtMs).toISOString().slice(0, 19);
  const body = suites.filter(([, cases]) => cases.length > 0).map(([name, cases]) => suite(name, cases, timestamp));
  const totals = countsOf(suites.flatMap(([, cases]) => cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="chatferry ${xml(data.command)}" ${totals}>\n${body.join('')}</testsuites>\n`;
}

function suite(name: string, cases: readonly TestCase[], timestamp: string): string {
  const body = cases.map((test) => testCase(name, test)).join('');
  return `  <testsuite name="${name}" ${countsOf(cases)} timestamp="${timestamp}">\n${body}  </testsuite>\n`;
}

function countsOf(cases: readonly TestCase[]): string {
  const count = (wanted: TestCase['result']) => cases.filter(({ result }) => result === wanted).length;
  return `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`;
}

function testCase(suite: string, { name, result, message, text }: TestCase): string {
  const head = `    <testcase classname="chatferry.${suite}" name="${xml(name)}"`;
  if (result === 'passed')
    return text === '' ? `${head}/>\n` : `${head}><system-out>${xml(text)}</system-out></testcase>\n`;
  const tag = result === 'failed' ? 'failure' : 'skipped';
  return `${head}><${tag} message="${xml(message)}">${xml(text)}</${tag}></testcase>\n`;
}

const results = { blocks: 'failed', decision: 'skipped', information: 'passed' } as const;

function caseOf({ code, severity, title, count, explanation, remedy, otherwise, examples }: ReportGroup): TestCase {
  const places = examples.map(({ location, detail }) => [location, detail].filter((word) => word !== '').join(': '));
  const nothingDone = otherwise === undefined ? '' : `If you do nothing: ${otherwise}.`;
  const text = [explanation, remedy, nothingDone, ...places].filter((line) => line !== '').join('\n');
  return { name: code, result: results[severity], message: `${formatCount(count)} × ${title}`, text };
}

function balance({ books }: ReportData): TestCase {
  const result = isBalanced(books) ? 'passed' : 'failed';
  return { name: 'both sums balance', result, message: 'The sums do not balance', text: '' };
}

/** What is still to be copied is no failure; what cannot be had is one for somebody to decide about. */
function filesTest(media: MediaData): TestCase {
  const isFailed = !isMediaBalanced(media);
  const left = media.missing + media.refused + media.waiting;
  const text = media.faults.map(({ state, name, reason, location }) => `${state} ${name} ${location}: ${reason}`);
  return {
    name: 'every file is copied',
    result: isFailed ? 'failed' : left > 0 ? 'skipped' : 'passed',
    message: isFailed ? 'The sum does not balance' : mediaSum(media),
    text: text.join('\n'),
  };
}

function reading({ verify, differences }: ReportData): TestCase {
  const count = verify === null ? 0 : differenceCount(verify);
  const text = differences.map(({ kind, muid, location, detail }) => `${kind} ${muid} ${location}: ${detail}`);
  return {
    name: 'everything is there, once and unchanged',
    result: count === 0 ? 'passed' : 'failed',
    message: `${countOf(count, 'difference')} found`,
    text: text.join('\n'),
  };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML gives a meaning, what it cannot hold at all, and bidi controls, which make text read as other text. */
const special =
  /[&<>"\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

function xml(text: string): string {
  return text.toWellFormed().replace(special, (character) => entities[character] ?? nameOf(character));
}

const nameOf = (character: string): string =>
  `⟦U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`;
