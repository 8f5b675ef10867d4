import type { Decision } from '../decisions/decision.ts';
import { isSandbox, type ReportData, type ReportGroup } from './report-data.ts';

/** Stands for words that may name people, where a report needs some. */
const leftOut = 'left out';

const withoutDetail = <Refused extends { readonly detail: string }>(refused: Refused) => ({
  ...refused,
  detail: leftOut,
});

/** Lists name conversations, people and files. */
const withoutIds = (option: Decision['options'][number]): Decision['options'][number] =>
  'sets' in option.effect && Object.values(option.effect.sets).some((value) => value.startsWith('['))
    ? { ...option, because: '', effect: { sets: {} } }
    : option;

/**
 * The report without personal data, to be passed on: names, ids, uids, locations, texts, and paths of files are left out, conversations are
 * numbered. Counts, codes, hosts, times and digests stay, and so do the names of the destination and the store.
 */
export function withoutPeople(report: ReportData): ReportData {
  const { exports, workspace, destination, rowsRead: _, reading, answers, answersFault, ...others } = report;
  const { media, verify, arrivals, actions, drift, stopped, ignored, ...rest } = others;
  const numberOf = numbering();
  return {
    ...rest,
    anonymous: true,
    exports: exports.length === 0 ? [] : [exports.length === 1 ? '1 export' : `${exports.length} exports`],
    workspace: workspace === '' ? '' : leftOut,
    // The name of a sandbox is the path of its file.
    destination: destination !== null && isSandbox(destination) ? { ...destination, name: 'sandbox' } : destination,
    skipped: report.skipped.map(withoutExamples),
    invalid: report.invalid.map(withoutExamples),
    failed: report.failed.map(withoutExamples),
    problems: report.problems.map(withoutExamples),
    ...(reading && {
      reading: { ...reading, by: null, stops: reading.stops.map(() => leftOut), news: [], picture: [] },
    }),
    decisions: report.decisions.map((decision) => ({
      ...decision,
      options: decision.options.map(withoutIds),
      examples: [],
      answer: decision.answer && { ...decision.answer, value: leftOut, by: null },
    })),
    ...(answers && { answers: answers.map(withoutAnswer) }),
    ...(answersFault !== undefined && { answersFault: `The answers are ${leftOut}` }),
    losses: report.losses.map(({ example: __, ...loss }) => loss),
    ignored: ignored.map((files) => ({ ...files, example: '' })),
    conversations: report.conversations.map(({ id, target, ...counts }) => {
      const number = numberOf(id);
      return { ...counts, id: number, name: `Conversation ${number}`, target: target.split(' ')[0]! };
    }),
    authors: [],
    ...(media && { media: { ...media, location: media.location === null ? null : leftOut, faults: [] } }),
    ...(arrivals && { arrivals: { ...arrivals, failed: arrivals.failed.map(withoutDetail) } }),
    ...(actions && { actions: { ...actions, failed: actions.failed.map(withoutDetail) } }),
    ...(drift && { drift: { ...drift, changes: drift.changes.map((change) => ({ ...change, examples: [] })) } }),
    verify: verify === null || verify.only === undefined ? verify : { ...verify, only: leftOut },
    differingConversations: report.differingConversations.map((row) => {
      const number = numberOf(row.id);
      return { ...row, id: number, name: `Conversation ${number}` };
    }),
    differences: [],
    stopped: stopped === null ? null : { code: stopped.code, message: leftOut, hint: null },
  };
}

const withoutExamples = (group: ReportGroup): ReportGroup => ({ ...group, examples: [] });

type GivenAnswer = NonNullable<ReportData['answers']>[number];

/** Keys of people and conversations whose values are words of ours. Others name people, also in the key: `people.uids.U1`. */
const isImpersonal =
  /^people\.(?:unknownAuthors|collisions|bots|guests|deleted|everyone)$|^conversations\.(?:type|owner|outsiders|order)$/;

/** Who decided stays: it is a signature. */
function withoutAnswer(decision: GivenAnswer): GivenAnswer {
  const { key, before } = decision;
  const [section] = /^(?:people|conversations)\b(?:\.\w+)?/.exec(key) ?? [];
  if (section === undefined || isImpersonal.test(key)) return decision;
  const { about: _, ...others } = decision;
  return { ...others, key: section, answer: leftOut, before: before === null ? null : leftOut };
}

/** Gives each id its number, from 1. */
function numbering(): (id: string) => string {
  const numbers = new Map<string, string>();
  return (id) => {
    const known = numbers.get(id);
    const number = known ?? String(numbers.size + 1);
    if (known === undefined) numbers.set(id, number);
    return number;
  };
}
