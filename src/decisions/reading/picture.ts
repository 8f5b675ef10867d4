import { countOf, formatCount } from '../../lib/text/count.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { isTable, settingText, valueAt } from '../../lib/settings.ts';
import type { Reading } from './confirmation.ts';
import type { BesideReading, Counted, ReadingResult } from '../../model/reading-result.ts';

/** The fate of the rows, for a person who knows the data: at most 17 lines, a heading and a text each. Six rows next to their messages follow. */
export type Picture = readonly (readonly [heading: string, text: string])[];

/** Characters of a text: with its heading a line of 100. */
const widthMax = 86;
/** Tables that are named in a line. */
const tablesMax = 4;

export function drawPicture({ options, tables }: Reading, result: ReadingResult, { rivals }: BesideReading): Picture {
  const bound = (...path: string[]) => valueAt(options, path);
  const { people, conversations, times, texts, copies } = result;
  const names = people.names;
  const odd = listed([
    ['are ids', names.id],
    ['are hashes', names.hash],
    ['are mail addresses', names.mail],
    ['are parts of mail addresses', names.local],
  ]);
  const lines: readonly (readonly [string, string])[] = [
    ['Messages', `${tableWords(bound('tables', 'messages'), Object.keys(tables.read)[0])}: ${rowWords(result)}`],
    [
      'Left out',
      result.skipped
        .map(({ name, count }) => `${formatCount(count)} ${name.replace(/^(?:only|skipWhen): /, 'by ')}`)
        .join(' · '),
    ],
    [
      'Written by',
      fitting(
        [bound('messages', 'author'), bound('tables', 'users')],
        `${countOf(people.wrote, 'person', 'people')}${unknownWords(result)}`,
      ),
    ],
    ['', topWords(people.top, restWords(people))],
    [
      'In',
      fitting(
        [bound('messages', 'conversation'), bound('tables', 'conversations')],
        `${countOf(conversations.count, 'conversation')}${conversationWords(result)}`,
      ),
    ],
    ['', topWords(conversations.top, '')],
    ['Names', `${binding(bound('users', 'name') ?? bound('messages', 'authorName'))}${odd === '' ? '' : `: ${odd}`}`],
    ['Members', memberWords(bound('tables', 'members') ?? bound('conversations', 'members'), conversations.types)],
    [
      'Seen by',
      (conversations.types ?? [])
        .map(({ type, count }) => `${readers[type] ?? type}: ${countOf(count, 'conversation')}`)
        .join(' · '),
    ],
    ['Times', `${binding(bound('messages', 'time'))}: ${timeWords(times, bound('zone'))}`],
    [
      'Texts',
      `${binding(bound('messages', 'text'))}${texts.cipher > 0 ? `: ${formatCount(texts.cipher)} of ${formatCount(texts.looked)} look encrypted` : ''}`,
    ],
    [
      'Copies',
      copies.count > 0 ? `${copies.isExact ? '' : 'about '}${formatCount(copies.count)} are another message again` : '',
    ],
    ['Not read', unreadWords(tables.others, new Set(rivals.map(({ table }) => table)))],
  ];
  return lines.filter(([, text]) => text !== '').map(([heading, text]) => [heading, truncate(oneLine(text), widthMax)]);
}

const readers: Readonly<Record<string, string>> = {
  direct: 'the two who talk',
  'group-direct': 'those who talk',
  private: 'members',
  public: 'everyone',
};

function memberWords(bound: unknown, types: ReadingResult['conversations']['types'] = []): string {
  const groups = types.filter(({ type }) => type !== 'direct');
  const sum = (key: 'count' | 'members' | 'empty') => groups.reduce((all, one) => all + one[key], 0);
  const empty = sum('empty');
  const counts = sum('count') === 0 ? '' : `: ${formatCount(sum('members'))} in ${countOf(sum('count'), 'group')}`;
  return `${tableWords(bound, 'those who wrote')}${counts}${empty > 0 ? `; ${formatCount(empty)} without any` : ''}`;
}

function rowWords({ messages, invalid, skipped }: ReadingResult): string {
  const left = skipped.reduce((sum, { count }) => sum + count, 0);
  const rest = listed([
    ['left out', left],
    ['cannot be read', invalid],
  ]);
  return `${countOf(messages + left + invalid, 'row')} → ${countOf(messages, 'message')}${rest === '' ? '' : `; ${rest}`}`;
}

/** Those who wrote once and are not among the first. */
function restWords({ top, once }: ReadingResult['people']): string {
  const others = once - top.filter(({ count }) => count === 1).length;
  return others > 0 ? `${formatCount(others)} who wrote once` : '';
}

function unknownWords({ people }: ReadingResult): string {
  const words = listed([
    ['messages by people whom no table has', people.unknown],
    ['by nobody (0, -1, empty)', people.nobody],
    ['people in two tables', people.twice],
  ]);
  return words === '' ? '' : `; ${words}`;
}

function conversationWords({ conversations }: ReadingResult): string {
  const words = listed([
    ['of two people', conversations.ofTwo],
    ['with one message', conversations.oneMessage],
    ['in which one person wrote all', conversations.oneWriter],
    ['in which the same person wrote most', conversations.voice?.count ?? 0],
  ]);
  return words === '' ? '' : `; ${words}`;
}

function timeWords({ firstMs, lastMs, outside, againstIds }: ReadingResult['times'], zone: unknown): string {
  const day = (ms: number | null) => (ms === null ? '–' : new Date(ms).toISOString().slice(0, 16).replace('T', ' '));
  const words = listed([
    ['outside of 1995 to tomorrow', outside],
    ['against the order of the ids', againstIds],
  ]);
  return `${day(firstMs)} .. ${day(lastMs)} UTC, ${typeof zone === 'string' ? `read as those of ${zone}` : 'as they are written'}${words === '' ? '' : `; ${words}`}`;
}

function unreadWords(others: Reading['tables']['others'], rivals: ReadonlySet<string>): string {
  const rank = ([name, rows]: readonly [string, number | null]) => (rivals.has(name) ? Infinity : (rows ?? 0));
  const all = Object.entries(others).sort((one, other) => rank(other) - rank(one));
  const shown = all.slice(0, tablesMax).map(([name, rows]) => {
    const words = rows === null ? name : `${name} ${formatCount(rows)}`;
    return rivals.has(name) ? `${words} (has texts, times and two columns of people: look!)` : words;
  });
  return [...shown, ...(all.length > tablesMax ? [`${formatCount(all.length - tablesMax)} more`] : [])].join(' · ');
}

const topWords = (top: readonly Counted[], rest: string): string =>
  [...top.map(({ name, count }) => `${truncate(name, 24)} ${formatCount(count)}`), ...(rest === '' ? [] : [rest])].join(
    ' · ',
  );

const listed = (counts: readonly (readonly [words: string, count: number])[]): string =>
  counts.flatMap(([words, count]) => (count > 0 ? [`${formatCount(count)} ${words}`] : [])).join(', ');

/** A column in a table, shortened as far as its result needs the room. */
function fitting([column, table]: readonly [unknown, unknown], result: string): string {
  const words = table === undefined ? '' : ` in ${tableWords(table)}`;
  const room = Math.max(bindingMin, widthMax - result.length - 2);
  return `${truncate(`${binding(column)}${words}`, room)}: ${result}`;
}

/** `tables.messages` in words: names; of a query its beginning. */
const tableWords = (value: unknown, otherwise = ''): string =>
  value === undefined
    ? otherwise
    : binding(isTable(value) ? (value.table ?? value.file ?? value.query ?? value.list ?? value) : value);

/** Characters of a binding: of a query its beginning, so that the line has room for what comes of it. */
const bindingMax = 28;
const bindingMin = 8;

/** A binding in a few words: the column, or how it is written in the mapping. */
const binding = (value: unknown): string => truncate(oneLine(written(value)), bindingMax);

function written(value: unknown): string {
  if (value === undefined) return 'nothing says it';
  if (Array.isArray(value)) return value.map(written).join(' or ');
  if (!isTable(value)) return String(value);
  if (typeof value.template === 'string') return value.template;
  if (Array.isArray(value.first)) return value.first.map(written).join(', else ');
  return value.from === undefined ? settingText(value) : written(value.from);
}
