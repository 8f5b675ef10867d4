import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { areLines, bareRows } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

/** Chats and threads with their events, summaries of chats, or chats of the REST API of version 2, which are not read. */
export type Role = 'events' | 'summaries' | 'version 2';

export interface Layout {
  readonly role: Role;
  readonly at: JsonRowsAt;
  /** Its only list is one of threads. */
  readonly hasThreadsAlone: boolean;
}

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained events. */
export const findLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

/** Lists of answers by their key. */
export const lists = ['chats', 'threads', 'chats_summary', 'chats_info'] as const;

function layoutIn({ head, outline, isWhole }: FileOutline): Layout | undefined {
  if (head === '') return { role: 'events', at: { layout: 'values' }, hasThreadsAlone: false };
  const bare = roleIn(outline, '');
  const listed = lists.filter((key) => roleIn(outline, `/${key}/*`) !== undefined);
  const all = new Set([bare, ...listed.map((key) => roleIn(outline, `/${key}/*`))]);
  const role = (['events', 'version 2', 'summaries'] as const).find((one) => all.has(one));
  // Threads may follow behind summaries.
  if (role === undefined || (role === 'summaries' && !isWhole)) return undefined;
  const isOneAnswer = bare === undefined && head.startsWith('{') && !areLines(head);
  const at: JsonRowsAt = isOneAnswer ? { layout: 'list', pattern: ['*'] } : bareRows(head);
  return { role, at, hasThreadsAlone: listed.join() === 'threads' };
}

function roleIn(outline: JsonOutline, at: string): Role | undefined {
  const keys = outline.get(at);
  // The threads of an answer are in a list of it, not in a chat.
  const hasThreads = rowKeys.some((key) => keys?.has(key)) && isThread(outline, `${at}/threads/*`);
  if (hasThreads || isThread(outline, `${at}/thread`) || isThread(outline, at)) return 'events';
  if (keys?.has('last_thread_summary') || keys?.has('last_thread_info')) return 'summaries';
  return keys?.has('visitor_name') && outline.has(`${at}/messages/*`) ? 'version 2' : undefined;
}

/** A chat or thread has one of these; an answer with lists of them has none. */
export const rowKeys = ['id', 'users', 'thread', 'events', 'user_ids'] as const;

const isThread = (outline: JsonOutline, at: string): boolean => {
  const keys = outline.get(at);
  return keys?.has('id') === true && keys.has('user_ids') && (keys.has('events') || keys.has('active'));
};
