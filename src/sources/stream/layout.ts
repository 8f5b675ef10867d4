import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { outlineOf } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';

/** What a file of Stream's holds. */
export type Layout =
  | { readonly kind: 'items'; readonly at: JsonRowsAt; readonly isImport: boolean }
  | { readonly kind: 'channels'; readonly isList: boolean };

const headBytes = 64 * 1024;

/** @returns undefined where it holds nothing of these. What cannot be read at all may have been items. */
export async function layoutOf(input: ExportInput, path: string): Promise<Layout | undefined> {
  const text = new TextDecoder().decode(await headOrNothing(input, path, headBytes)).trimStart();
  const outline = outlineOf(text);
  const keys = (at: string) => outline.get(at) ?? new Map<string, readonly string[]>();
  const isList = text.startsWith('[');
  if (keys('').has('channel') && keys('').has('messages')) return { kind: 'channels', isList };
  const at: JsonRowsAt = isList ? { layout: 'list', pattern: [] } : { layout: 'lines' };
  const isWrapped = keys('').has('type') && (keys('').has('item') || keys('').has('data'));
  if (isWrapped) {
    // Exports have whole people where imports have their ids.
    const isExport = keys('/item/user').has('id') || keys('/data/user').has('id');
    return { kind: 'items', at, isImport: !isExport };
  }
  const wrapped = ['/message', '/channel', ''].some((from) => keys(from).has('cid'));
  return wrapped || text === '' ? { kind: 'items', at, isImport: false } : undefined;
}
