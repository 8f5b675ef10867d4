import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { bareRows, findRows, type KindOf } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';
import { eventRows } from './format.ts';

export type Kind = 'messages' | 'conversations' | 'contacts' | 'agents';

export interface Layout {
  readonly kind: Kind;
  readonly at: JsonRowsAt;
}

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained messages. */
export const findLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

function layoutIn(file: FileOutline): Layout | undefined {
  if (file.head === '') return { kind: 'messages', at: { layout: 'values' } };
  const found = findRows(file, ['payload', 'data/payload'], kindOf);
  // Events are of several kinds: each row says its own.
  const isEvents = file.outline
    .get('')
    ?.get('event')
    ?.some((name) => Object.hasOwn(eventRows, name));
  const isOfEvents = file.outline.get('')?.has('event') && (isEvents || found !== undefined);
  return isOfEvents ? { kind: 'messages', at: bareRows(file.head) } : found;
}

const kindOf: KindOf<Kind> = (has) => {
  if (has('id', 'message_type', 'content', 'private')) return 'messages';
  if (has('id', 'inbox_id', 'status', 'meta')) return 'conversations';
  if (has('id', 'phone_number', 'identifier')) return 'contacts';
  return has('id', 'role', 'available_name') ? 'agents' : undefined;
};
