import type { PlannedRow } from '../scenes/slack-rows.ts';

/**
 * The books of an export, kept without any code of its source: every value of every raw row is found in what is planned for it, or in a loss
 * that its row is counted for, or in a list of fields that mean nothing, each with its reason.
 */
export interface Totals {
  /** Raw rows by `conversation id`. */
  readonly rows: ReadonlyMap<string, unknown>;
  readonly planned: readonly PlannedRow[];
  /** Fields that mean nothing, by reason: how their paths end, as `author.color`, or begin, as `author.*`. */
  readonly meaningless: Readonly<Record<string, readonly string[]>>;
  /** The same of fields that a loss holds, by the name of the count in the facts of the row. */
  readonly losses: Readonly<Record<string, readonly string[]>>;
}

/** Returns the paths of values that are found nowhere, with their numbers: never the text that people wrote. */
export function missingIn({ rows, planned, meaningless, losses }: Totals): Readonly<Record<string, number>> {
  const missing: Record<string, number> = {};
  const withoutMeaning = Object.values(meaningless).flat();
  for (const row of planned) {
    const { words, all } = wordsIn(row);
    for (const { path, value } of leavesOf(rows.get(`${row.conversation} ${row.id}`))) {
      // Says that something is not.
      if (value === null || value === '' || value === false || isMeant(path, withoutMeaning)) continue;
      if (Object.entries(losses).some(([part, ends]) => row.facts[part] !== undefined && isMeant(path, ends))) continue;
      const text = String(value);
      if (all.includes(text) || wordsOf(text).every((word) => words.has(word))) continue;
      missing[path] = (missing[path] ?? 0) + 1;
    }
  }
  return missing;
}

/**
 * The same for exports of words instead of data: pages and tables.
 *
 * @param rows Visible text of each raw row, by `conversation id`, without parts that have no meaning.
 * @returns Words that are found nowhere, by row.
 */
export function missingWords(
  rows: ReadonlyMap<string, string>,
  planned: readonly PlannedRow[],
): Readonly<Record<string, readonly string[]>> {
  const missing: Record<string, readonly string[]> = {};
  for (const row of planned) {
    const { words } = wordsIn(row);
    for (const word of wordsOf(row.payload.sender)) words.add(word);
    const key = `${row.conversation} ${row.id}`;
    const left = wordsOf(rows.get(key) ?? 'no such row').filter((word) => !words.has(word));
    if (left.length > 0) missing[key] = left;
  }
  return missing;
}

/**
 * Returns the visible content of a piece of a page: its text, the addresses of its links and pictures, and titles of
 * elements without a text.
 */
export function seenIn(html: string, meaningless: Readonly<Record<string, RegExp>>): string {
  let left = html;
  for (const pattern of Object.values(meaningless)) left = left.replace(pattern, ' ');
  const attributes = [...left.matchAll(/ (?:href|src|title|alt)="([^"]*)"/g)].map(([, value]) => value!);
  const words = [left.replace(/<[^>]*>/g, ' '), ...attributes].join(' ');
  return words
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/&#?\w+;/g, ' ');
}

/** Yields the values of a row, each with its path: `attachments[].fields[].title`. */
function* leavesOf(value: unknown, path = ''): Generator<{ readonly path: string; readonly value: unknown }> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, `${path}[]`);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, path === '' ? key : `${path}.${key}`);
  } else yield { path, value };
}

const isMeant = (path: string, ends: readonly string[]): boolean =>
  ends.some((end) =>
    end.endsWith('*')
      ? path.startsWith(end.slice(0, -1))
      : path === end || path.endsWith(`.${end}`) || path.endsWith(`].${end}`),
  );

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function wordsIn({ conversation, id, author, payload }: PlannedRow) {
  const all = [conversation, id, author, ...[...leavesOf(payload)].map(({ value }) => String(value))].join('\n');
  return { all, words: new Set(wordsOf(all)) };
}
