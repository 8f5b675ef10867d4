import { formatCount } from '../../lib/text/count.ts';
import { personChecks } from '../../mapping/checks/people.ts';
import { labelOfWhole } from '../../model/part.ts';
import type { ReportData, ReportGroup } from '../report-data.ts';
import { sumActions, sumDrift, sumForecasts, sumMedia, sumVerified } from './sum-sections.ts';
import { sumLosses } from './sum-losses.ts';
import { addCount, given, mergeBy, mostFirst, sumCounts, sumOf } from './sum-lists.ts';

const examplesMax = 3;
const conversationsMax = 500;
const authorsMax = 20;
const hostsMax = 50;
const listMax = 50;

/**
 * The report of an export that was planned and imported in parts. Books and all that is counted in messages are sums; lists are those
 * of the parts one after the other, sorted and cut as those of one report.
 *
 * Files count for each part that read or skipped them. People are those of the part that has most: who stands in several parts is not
 * told apart, also among losses (`sum-losses.ts`). Authors are the first of the parts' own lists.
 *
 * @param reports Of the parts, in their order; one at least.
 */
export function sumReports(reports: readonly [ReportData, ...ReportData[]]): ReportData {
  const [first] = reports;
  const all = <Key extends keyof ReportData>(key: Key): ReportData[Key][] => reports.map((report) => report[key]);
  const groups = (key: 'skipped' | 'rejected' | 'refused' | 'problems') => mergeGroups(all(key));
  return {
    version: 1,
    generatedAtMs: Math.max(...all('generatedAtMs')),
    chatferryVersion: first.chatferryVersion,
    command: first.command,
    runId: null,
    exports: [...new Set(all('exports').flat().map(labelOfWhole))],
    source: first.source,
    workspace: all('workspace').find((workspace) => workspace !== '') ?? '',
    store: reports.length > 1 ? `${first.store} and ${formatCount(reports.length - 1)} more` : first.store,
    destination: given(all('destination'))[0] ?? null,
    books: sumCounts(all('books')),
    skipped: groups('skipped'),
    rejected: groups('rejected'),
    refused: groups('refused'),
    problems: groups('problems'),
    losses: sumLosses(all('losses')),
    ...optional('oldMessages', given(all('oldMessages')), (old) => ({
      ...old[0]!,
      count: sumOf(old.map((one) => one.count)),
    })),
    files: sumCounts(all('files')),
    people: greatest(all('people')),
    ...sumContents(reports),
    ...sumHosts(reports),
    pins: null,
    changedSince: [...new Set(all('changedSince').flat())],
    forecast: sumForecasts(all('forecast')),
    ...optional('drift', given(all('drift')), sumDrift),
    ...optional('followUps', given(all('followUps')), sumCounts),
    ...optional('media', given(all('media')), sumMedia),
    ...optional('actions', given(all('actions')), sumActions),
    requests: sumCounts(all('requests')),
    elapsedMs: given(all('elapsedMs')).reduce<number | null>((most, ms) => Math.max(most ?? 0, ms), null),
    verify: sumVerified(all('verify')),
    ...optional('unverified', given(all('unverified')), (open) => ({
      sinceMs: Math.min(...open.map(({ sinceMs }) => sinceMs)),
      conversations: sumOf(open.map(({ conversations }) => conversations)),
      differing: open.some(({ differing }) => differing),
    })),
    differingConversations: all('differingConversations').flat().slice(0, listMax),
    differences: all('differences').flat().slice(0, listMax),
    stopped: given(all('stopped'))[0] ?? null,
  };
}

function optional<Key extends string, Value, Result>(
  key: Key,
  values: readonly Value[],
  sum: (values: readonly Value[]) => Result,
): { [K in Key]?: Result } {
  return values.length === 0 ? {} : ({ [key]: sum(values) } as { [K in Key]?: Result });
}

/** About people whom the export describes: every part finds it. */
const inEachPart: ReadonlySet<string> = new Set([
  ...personChecks.map(({ code }) => code),
  ...['uid-with-hash', 'same-name-people', 'same-email-people'],
]);

const mergeGroups = (lists: readonly (readonly ReportGroup[])[]): ReportGroup[] =>
  mostFirst(
    mergeBy(
      lists,
      ({ code }) => code,
      (sum, group) => ({
        ...(inEachPart.has(sum.code) ? { ...sum, count: Math.max(sum.count, group.count) } : addCount(sum, group)),
        ...(group.messages !== undefined && { messages: (sum.messages ?? 0) + group.messages }),
        examples: [...sum.examples, ...group.examples].slice(0, examplesMax),
      }),
    ),
  );

const greatest = (people: readonly ReportData['people'][]): ReportData['people'] =>
  people.reduce((most, one) => (one.total > most.total ? one : most));

function sumContents(
  reports: readonly ReportData[],
): Pick<
  ReportData,
  'conversationCount' | 'plannedConversationCount' | 'conversations' | 'months' | 'kinds' | 'contents' | 'authors'
> {
  const all = <Key extends keyof ReportData>(key: Key): ReportData[Key][] => reports.map((report) => report[key]);
  return {
    conversationCount: sumOf(all('conversationCount')),
    plannedConversationCount: sumOf(all('plannedConversationCount')),
    conversations: all('conversations')
      .flat()
      .sort((a, b) => b.planned - a.planned)
      .slice(0, conversationsMax),
    months: mergeBy(all('months'), ({ month }) => month, addCount).sort((a, b) => (a.month < b.month ? -1 : 1)),
    kinds: mergeBy(all('kinds'), ({ kind }) => kind, addCount),
    contents: mergeBy(
      all('contents'),
      ({ name }) => name,
      (sum, { read, planned }) => ({ ...sum, read: sum.read + read, planned: sum.planned + planned }),
    ),
    authors: mostFirst(mergeBy(all('authors'), ({ uid }) => uid, addCount)).slice(0, authorsMax),
  };
}

/** How many hosts there are is known as long as no list was cut. */
function sumHosts(reports: readonly ReportData[]): Pick<ReportData, 'attachmentHosts' | 'attachmentHostCount'> {
  const hosts = mostFirst(
    mergeBy(
      reports.map(({ attachmentHosts }) => attachmentHosts),
      ({ host }) => host,
      addCount,
    ),
  );
  const counts = reports.map(({ attachmentHostCount }) => attachmentHostCount);
  return { attachmentHosts: hosts.slice(0, hostsMax), attachmentHostCount: Math.max(hosts.length, ...counts) };
}
