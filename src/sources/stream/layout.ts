import type { ExportInput } from '../../io/input/export-input.ts';
import { hasRowsOfChat } from '../kit/rows/chat-rows.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

/** Layout of a file of Stream. */
export type Layout =
  | { readonly kind: 'items'; readonly at: JsonRowsAt }
  /** `at`: path to a channel, in one of these objects. */
  | { readonly kind: 'channels'; readonly at: readonly string[] };

/**
 * @returns undefined if it holds none of these. A file that cannot be read at all may have contained items.
 */
export const readLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

function layoutIn({ head, outline, isWhole }: FileOutline): Layout | undefined {
  const keys = (at: string) => outline.get(at) ?? new Map<string, readonly string[]>();
  const isList = head.startsWith('[');
  if (keys('').has('channel') && keys('').has('messages')) return { kind: 'channels', at: isList ? ['*'] : [] };
  // The answer of a query for channels.
  if (keys('/channels/*').has('channel') && keys('/channels/*').has('messages'))
    return { kind: 'channels', at: isList ? ['*', 'channels', '*'] : ['channels', '*'] };
  const at: JsonRowsAt = isList ? { layout: 'list', pattern: [] } : { layout: 'lines' };
  const isWrapped = keys('').has('type') && (keys('').has('item') || keys('').has('data'));
  if (isWrapped) return { kind: 'items', at };
  const isWrappedByKind = ['/message', '/channel', ''].some((from) => keys(from).has('cid'));
  // Messages may come after thousands of members of the channel, in the same object.
  const isOpen = keys('').has('channel') && !/^\{.*\}\s*\n/.test(head);
  const isBeside = (path: string) => /^\/[^/]+\/\*$/.test(path);
  if (isWrappedByKind && (isWhole || !isOpen) && !hasRowsOfChat(outline, isBeside)) return { kind: 'items', at };
  return head === '' ? { kind: 'items', at } : undefined;
}
