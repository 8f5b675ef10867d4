import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

export interface Layout {
  readonly kind: 'conversations' | 'people';
  readonly at: JsonRowsAt;
  /** A page of a list says that another follows. */
  readonly saysMore: boolean;
}

/** Lists of the API's answers, by their key. */
const lists: readonly (readonly [key: string, kind: Layout['kind']])[] = [
  ['conversations', 'conversations'],
  ['data', 'people'],
  ['admins', 'people'],
];

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained conversations. */
export const findLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

function layoutIn({ head, outline, isWhole }: FileOutline): Layout | undefined {
  if (head === '') return { kind: 'conversations', at: { layout: 'values' }, saysMore: false };
  if (head.startsWith('{'))
    for (const [key, listed] of lists) {
      const kind = kindIn(outline, `/${key}/*`);
      const saysMore = outline.get('/pages/next') !== undefined;
      if (kind === listed) return { kind, at: { layout: 'list', pattern: [key] }, saysMore };
    }
  // An object whose list is behind: what it has at its top says nothing yet.
  const isListAnswer = outline.get('')?.has('pages') && !outline.get('')?.has('source');
  const kind = isListAnswer ? undefined : kindIn(outline, '');
  if (kind === undefined) return undefined;
  if (kind === 'people' && !isWhole && !head.startsWith('[') && !isLines(head)) return undefined;
  if (head.startsWith('[')) return { kind, at: { layout: 'list', pattern: [] }, saysMore: false };
  return { kind, at: { layout: isLines(head) ? 'lines' : 'values' }, saysMore: false };
}

const isLines = (head: string) => /^\{.*\}\s*(?:\n|$)/.test(head);

function kindIn(outline: JsonOutline, at: string): Layout['kind'] | undefined {
  const keys = outline.get(at);
  const hasFirst = keys?.has('source') || keys?.has('conversation_message');
  if (hasFirst && ['conversation_parts', 'contacts', 'customers'].some((key) => keys!.has(key))) return 'conversations';
  const types = keys?.get('type') ?? [];
  return keys?.has('id') && types.some((type) => /^(?:contact|admin)$/.test(type)) ? 'people' : undefined;
}
