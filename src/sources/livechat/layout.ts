import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

/** Chats and threads with their events, summaries of chats, or chats of the REST API of version 2, which are not read. */
export type Role = 'events' | 'summaries' | 'version 2';

export interface Layout {
  readonly role: Role;
  readonly at: JsonRowsAt;
}

const headBytes = 64 * 1024;

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained events. */
export const layoutOf = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

/** Lists of answers by their key. */
export const lists = ['chats', 'threads', 'chats_summary', 'chats_info'] as const;

function layoutIn({ head, outline }: FileOutline): Layout | undefined {
  if (head === '') return { role: 'events', at: { layout: 'values' } };
  for (const key of lists) {
    const role = roleIn(outline, `/${key}/*`);
    if (role === undefined) continue;
    const isOneAnswer = head.startsWith('{') && !isLines(head);
    return { role, at: isOneAnswer ? { layout: 'list', pattern: [key] } : bareRows(head) };
  }
  const role = roleIn(outline, '');
  return role && { role, at: bareRows(head) };
}

const bareRows = (head: string): JsonRowsAt =>
  head.startsWith('[') ? { layout: 'list', pattern: [] } : { layout: isLines(head) ? 'lines' : 'values' };

const isLines = (head: string) => /^\{.*\}\s*\n\s*\{/.test(head);

function roleIn(outline: JsonOutline, at: string): Role | undefined {
  const keys = outline.get(at);
  if (keys?.has('last_thread_summary') || keys?.has('last_thread_info')) return 'summaries';
  if (isThread(outline, `${at}/thread`) || isThread(outline, at)) return 'events';
  return keys?.has('visitor_name') && outline.has(`${at}/messages/*`) ? 'version 2' : undefined;
}

const isThread = (outline: JsonOutline, at: string): boolean => {
  const keys = outline.get(at);
  return keys?.has('id') === true && keys.has('user_ids') && (keys.has('events') || keys.has('active'));
};
