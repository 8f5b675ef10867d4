import type { ExportInput } from '../io/input/export-input.ts';
import { UsageError } from '../lib/errors.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { type AnswerFault, type Finding, isTableSource, type Preset, type Proposal } from '../sources/table-source.ts';
import { keepableColumns, type UnreadColumn } from '../sources/not-migrated.ts';
import type { DescribedReading } from './reading.ts';
import type { BeforeAfter } from '../rows/rows-with-messages.ts';
import { type LookControls, previewIfReadable } from './preview.ts';
import { asQuestion, type OpenQuestion, type Proposed, type Question } from './question.ts';
import { withPreset } from './proposal/preset.ts';
import {
  isTable,
  keyPath,
  type KeyPath,
  merged,
  type Settings,
  valueAt,
  withoutValue,
  withValue,
  yamlLine,
  dotted,
} from '../lib/settings.ts';
import { docsLink } from '../lib/docs-link.ts';
import { listFaults } from '../lib/text/schema-words.ts';

/** Tasks that need a person. Each is absent if no one is there. */
export interface Advisor {
  /** Receives the source that the export was recognised as, for each of its inputs. */
  begin?(source: string, inputs: readonly { readonly label: string; readonly because: string }[]): void;
  /** Findings that were not shown yet, or that an answer has changed. */
  show?(findings: readonly Finding[]): void;
  /** Returns whether the tables are read by a known mapping. */
  agree?(preset: Preset): Promise<boolean>;
  /**
   * @param look Reads rows, and shows them with the messages that they become under a value.
   * @returns The value, of the question's key or of another; nothing to leave it open.
   */
  decide?(
    question: Question,
    look: (value: unknown) => Promise<readonly BeforeAfter[]>,
  ): Promise<{ readonly key: string; readonly value: unknown } | undefined>;
  /** Chooses the unread columns to keep as custom data. */
  keep?(columns: readonly UnreadColumn[]): Promise<readonly string[]>;
  /** Receives what becomes of the rows, and some of them; returns whether that is right. */
  confirm?(reading: DescribedReading, rows: readonly BeforeAfter[]): Promise<boolean>;
  /** Shows why the last answer is impossible; the question comes again. */
  refuse?(reason: string): void;
}

export interface AskedExport {
  readonly adapter: SourceAdapter;
  readonly inputs: readonly ExportInput[];
}

interface Asking extends LookControls {
  readonly advisor?: Advisor;
  /** The part of the section that was given just now: an existing mapping may name columns that this export does not have. */
  readonly said?: Settings;
}

/**
 * Asks the source to propose how it would read the inputs. If there are several ways, asks the user, and asks the
 * source again with each answer, because one answer may answer or raise another question.
 *
 * @param decided The `source:` section as far as the user has decided it already.
 * @throws SourceError if the export cannot be read, UsageError for an answer that cannot be.
 */
export async function decideSource(
  { adapter, inputs }: AskedExport,
  decided: Settings,
  { advisor = {}, said = decided, ...controls }: Asking = {},
): Promise<Proposed> {
  const asked = new Set<string>();
  const shown = new Set<string>();
  let last: { readonly key: string; readonly before: Settings } | undefined;
  const known = await withPreset(adapter, inputs, decided, async (preset) => (await advisor.agree?.(preset)) ?? true);
  let proposal: (Awaited<ReturnType<typeof propose>> & { readonly of: Settings }) | undefined;
  for (let { answers } = known; ; ) {
    // A question that stays open changes no answer, and so not the proposal.
    if (proposal?.of !== answers) proposal = { ...(await propose(adapter, inputs, answers)), of: answers };
    const { options, findings: found, faults } = proposal;
    const findings = [...known.findings, ...found];
    const isAsked = (finding: Finding) => isOpen(finding, answers);
    const isSaidNow = ({ key }: AnswerFault) =>
      `${last?.key}.`.startsWith(`${key}.`) || valueAt(said, keyPath(key)) !== undefined;
    const [fault] = [
      ...faults.filter(isSaidNow),
      ...answerFaults(adapter, { options, answers, open: findings.filter(isAsked) }),
    ];
    if (fault && !(last && advisor.refuse)) throw unusable(adapter, fault);
    if (fault && last) {
      advisor.refuse?.(fault.reason);
      answers = last.before;
      asked.delete(last.key);
      last = undefined;
      continue;
    }
    const isNew = (finding: Finding) => !shown.has(yamlLine([finding.key, finding.value, finding.because]));
    advisor.show?.(findings.filter(isNew));
    for (const { key, value, because } of findings) shown.add(yamlLine([key, value, because]));
    const open = findings.filter(isAsked);
    const question = open.find(({ key }) => !asked.has(key));
    if (question === undefined) {
      // The user's settings apply even if the source did not repeat them.
      const { certain, questions, filled } = leaveOpen(adapter, withDetails(merged(options, answers), findings), open);
      return { options: certain, findings, open: questions, filled };
    }
    asked.add(question.key);
    const sofar = answers;
    const answer = await advisor.decide?.(asQuestion(question), async (value) => {
      const considered = withValue(sofar, keyPath(question.key), value);
      return previewIfReadable(adapter, inputs, await decideSource({ adapter, inputs }, considered), controls);
    });
    last = answer && { key: answer.key, before: answers };
    if (answer) answers = withValue(answers, keyPath(answer.key), answer.value);
  }
}

/**
 * Offers the columns that nothing reads as custom data of messages.
 *
 * @returns What was chosen, in the proposal, and the columns that nothing reads still.
 */
export async function keepColumns(
  proposed: Proposed,
  columns: readonly UnreadColumn[],
  advisor: Advisor,
): Promise<{ readonly proposed: Proposed; readonly notMigrated: readonly UnreadColumn[] }> {
  const offered = keepableColumns(columns);
  const kept = offered.length > 0 ? ((await advisor.keep?.(offered)) ?? []) : [];
  const options = kept.reduce(
    (rest, column) => withValue(rest, ['messages', 'custom', customName(column)], column),
    proposed.options,
  );
  const isKept = ({ name, table }: UnreadColumn) => table === undefined && kept.includes(name.split('[]')[0]!);
  return { proposed: { ...proposed, options }, notMigrated: columns.filter((column) => !isKept(column)) };
}

/** Returns the name of a column as custom data. */
export const customName = (column: string): string => column.replaceAll('"', '');

const unusable = ({ name }: SourceAdapter, { key, reason }: AnswerFault) =>
  new UsageError(`Cannot use the mapping for source "${name}": source.${key}: ${reason}`, {
    hint: `Correct it in the mapping, or in --set; ${docsLink('reference/sources/index')} leads to a page for every source`,
  });

/** With findings that the source had no place for, because the table they belong to was said in short: `time: sent_at`. */
const withDetails = (options: Settings, findings: readonly Finding[]): Settings =>
  findings.reduce((detailed, { key, value, alternatives }) => {
    const path = keyPath(key);
    const parent = valueAt(detailed, path.slice(0, -1));
    const isShort = path.length > 1 && parent !== undefined && !isTable(parent);
    return isShort && value !== undefined && alternatives.length === 0 ? withValue(detailed, path, value) : detailed;
  }, options);

function isOpen({ key, value, alternatives, isRequired }: Finding, answers: Settings): boolean {
  const answer = valueAt(answers, keyPath(key));
  // A table may hold a part of the answer only; then the source still names the others.
  if (answer !== undefined && !isTable(answer)) return false;
  return alternatives.length > 0 || (isRequired && value === undefined && answer === undefined);
}

/** One proposal for all inputs; where two inputs are read differently, that is an alternative. */
async function propose(
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  answers: Settings,
): Promise<Proposal & Required<Pick<Proposal, 'faults'>> & { readonly options: Settings }> {
  if (!isTableSource(adapter)) return { options: {}, findings: [], faults: [] };
  let options: Settings = {};
  let faults: readonly AnswerFault[] | undefined;
  const findings = new Map<string, Finding>();
  for (const input of inputs) {
    const proposal = await adapter.propose(input, answers);
    options = merged(proposal.options, options);
    // Something that one of several inputs has is no fault.
    const own = proposal.faults ?? [];
    faults = faults?.filter(({ key }) => own.some((fault) => fault.key === key)) ?? own;
    for (const finding of proposal.findings) {
      const earlier = findings.get(finding.key);
      findings.set(finding.key, earlier ? mergeFindings(earlier, finding, input.label) : finding);
    }
  }
  return { options, findings: [...findings.values()], faults: faults ?? [] };
}

function mergeFindings(earlier: Finding, later: Finding, label: string): Finding {
  const known = [earlier.value, ...earlier.alternatives.map(({ value }) => value)].map(yamlLine);
  const others = [later, ...later.alternatives]
    .filter(({ value }) => value !== undefined && !known.includes(yamlLine(value)))
    .map(({ value, because }) => ({ value, because: `${label}: ${because}` }));
  const explained = [...(earlier.explained ?? []), ...(later.explained ?? [])];
  const both = { ...earlier, alternatives: [...earlier.alternatives, ...others], explained };
  if (others.length === 0) return both;
  // One input's evidence for its reading does not hold for the other.
  const { isHarmless: _, isEvident: __, ...disagreed } = both;
  return disagreed;
}

/**
 * Returns the proposed options without the open ones.
 *
 * A key that has a default would be read in one of its ways without anyone having chosen it. So the table around it is
 * left out as well if the source needs that: then reading reports what is missing instead of guessing.
 */
function leaveOpen(
  adapter: SourceAdapter,
  options: Settings,
  open: readonly Finding[],
): { readonly certain: Settings; readonly questions: readonly OpenQuestion[]; readonly filled: Settings } {
  const filled = withFirst(options, open);
  const questions = open.map((finding): OpenQuestion => {
    const inside = keyPath(finding.key);
    const path = missedPart(adapter, filled, inside);
    const readings = asQuestion(finding).readings.map((reading) => ({
      ...reading,
      written: valueAt(withValue(filled, inside, reading.value), path),
    }));
    return { ...asQuestion(finding), isRequired: finding.isRequired, path, readings };
  });
  return { certain: questions.reduce((rest, { path }) => withoutValue(rest, path), options), questions, filled };
}

/** With the first reading of everything that is open. */
const withFirst = (options: Settings, open: readonly Finding[]): Settings =>
  open.reduce((rest, finding) => {
    const [first] = asQuestion(finding).readings;
    return first === undefined ? rest : withValue(rest, keyPath(finding.key), first.value);
  }, options);

/** Returns the innermost part of a path without which the source rejects its options; the whole path if there is none. */
function missedPart(adapter: SourceAdapter, options: Settings, path: KeyPath): KeyPath {
  for (let depth = path.length; depth > 1; depth--) {
    const part = path.slice(0, depth);
    if (!adapter.options.safeParse(withoutValue(options, part)).success) return part;
  }
  return path;
}

/**
 * Returns the faults in the user's settings that the source's own options show: keys that do not exist, values that do
 * not fit.
 *
 * @param open Questions: each gets its first reading, as a missing answer is no fault.
 */
function answerFaults(
  adapter: SourceAdapter,
  {
    options,
    answers,
    open,
  }: { readonly options: Settings; readonly answers: Settings; readonly open: readonly Finding[] },
): readonly AnswerFault[] {
  // A value that is no table would otherwise be replaced by the answer to a question inside it.
  const { error } = adapter.options.safeParse(merged(withFirst(merged(options, answers), open), answers));
  const unanswerable = open.filter(({ value, alternatives }) => value === undefined && alternatives.length === 0);
  return listFaults(adapter.options, error?.issues ?? []).flatMap(({ at, what }) => {
    const path = at.map(String);
    const isUnfinished = unanswerable.some(({ key }) => isInside(keyPath(key), path));
    return isUnfinished || valueAt(answers, path) === undefined ? [] : [{ key: dotted(path), reason: what }];
  });
}

const isInside = (path: KeyPath, outer: KeyPath): boolean => outer.every((part, index) => path[index] === part);
