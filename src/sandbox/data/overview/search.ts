import type { Queries } from '../queries.ts';
import { fold } from './summaries.ts';

interface Row {
  readonly id: number;
  readonly data: string;
}

/** Messages that are read at once. */
const stride = 2_000;

/** How long one answer may look, in ms. */
const budgetMs = 40;

export interface TextSearch {
  /** Without regard to case. */
  readonly text: string;
  /** Only in this one. */
  readonly conversation?: number | undefined;
  /** Only before this id. */
  readonly before: number;
  readonly count: number;
}

/** Ids of messages whose text or files' names hold the words, the newest first; and where to go on, null at the end. */
export interface Found {
  readonly ids: readonly number[];
  readonly next: number | null;
}

/**
 * Looks through texts, the newest first, for a while; who asks goes on from where it ended. Nothing is indexed for it: that would take
 * as long as a search, and as much room as the messages.
 */
export function searchTexts(queries: Queries, { text, conversation, before, count }: TextSearch): Found {
  const where = conversation === undefined ? 'id < ?' : 'conversation = ? AND id < ?';
  const select = `SELECT id, data FROM message WHERE ${where} ORDER BY id DESC LIMIT ${stride}`;
  const wanted = fold(text);
  const deadline = performance.now() + budgetMs;
  const ids: number[] = [];
  let next = before;
  do {
    const rows = queries.rows<Row>(select, ...(conversation === undefined ? [next] : [conversation, next]));
    for (const row of rows) {
      if (holds(row.data, wanted)) ids.push(row.id);
      next = row.id;
      if (ids.length === count) return { ids, next };
    }
    if (rows.length < stride) return { ids, next: null };
  } while (performance.now() < deadline);
  return { ids, next };
}

function holds(data: string, wanted: string): boolean {
  // JSON writes these otherwise than they are; everything else can be looked for before it is read.
  const isPlain = !/["\\/\p{Cc}]/u.test(wanted);
  if (isPlain && !fold(data).includes(wanted)) return false;
  return searchedTexts(JSON.parse(data)).some((text) => fold(text).includes(wanted));
}

function searchedTexts(data: { readonly text?: unknown; readonly attachments?: unknown }): string[] {
  const files = Array.isArray(data.attachments) ? data.attachments : [];
  return [data.text, ...files.map((file: { readonly name?: unknown } | null) => file?.name)].filter(
    (text): text is string => typeof text === 'string',
  );
}
