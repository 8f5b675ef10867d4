import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { eventRows } from './format.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

export type Kind = 'messages' | 'conversations' | 'contacts' | 'agents';

export interface Layout {
  readonly kind: Kind;
  readonly at: JsonRowsAt;
}

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained messages. */
export const findLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

const lists: readonly (readonly string[])[] = [['payload'], ['data', 'payload']];

function layoutIn({ head, outline }: FileOutline): Layout | undefined {
  if (head === '') return { kind: 'messages', at: { layout: 'values' } };
  for (const pattern of lists) {
    const kind = kindIn(outline, `/${pattern.join('/')}/*`);
    if (kind !== undefined && head.startsWith('{') && !isLines(head)) return { kind, at: { layout: 'list', pattern } };
  }
  // Events are of several kinds: each row says its own.
  const kind = outline.get('')?.has('event') ? eventKind(outline) : kindIn(outline, '');
  if (kind === undefined) return undefined;
  if (head.startsWith('[')) return { kind, at: { layout: 'list', pattern: [] } };
  return { kind, at: { layout: isLines(head) ? 'lines' : 'values' } };
}

function eventKind(outline: JsonOutline): Kind | undefined {
  const names = outline.get('')?.get('event') ?? [];
  return kindIn(outline, '') !== undefined || names.some((name) => Object.hasOwn(eventRows, name))
    ? 'messages'
    : undefined;
}

const isLines = (head: string) => /^\{.*\}\s*\n\s*\{/.test(head);

function kindIn(outline: JsonOutline, at: string): Kind | undefined {
  const keys = outline.get(at);
  const has = (...wanted: readonly string[]) => wanted.every((key) => keys?.has(key));
  if (has('id', 'message_type', 'content', 'private')) return 'messages';
  if (has('id', 'inbox_id', 'status', 'meta')) return 'conversations';
  if (has('id', 'phone_number', 'identifier')) return 'contacts';
  return has('id', 'role', 'available_name') ? 'agents' : undefined;
}
