import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { findRows, type KindOf } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

export interface Layout {
  readonly kind: 'conversations' | 'people';
  readonly at: JsonRowsAt;
  /** A page of a list says that another follows. */
  readonly saysMore: boolean;
}

/** Lists of the API's answers, by their key. */
const lists: Readonly<Record<string, Layout['kind']>> = {
  conversations: 'conversations',
  data: 'people',
  admins: 'people',
};

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained conversations. */
export const findLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

function layoutIn(file: FileOutline): Layout | undefined {
  const { head, outline, isWhole } = file;
  if (head === '') return { kind: 'conversations', at: { layout: 'values' }, saysMore: false };
  const top = outline.get('');
  const found = findRows(file, Object.keys(lists), kindOf);
  const listed = found?.at.layout === 'list' ? found.at.pattern[0] : undefined;
  if (found && listed !== undefined)
    return found.kind === lists[listed] ? { ...found, saysMore: outline.has('/pages/next') } : undefined;
  // An object whose list is behind: what it has at its top says nothing yet.
  if (found === undefined || (top?.has('pages') && !top.has('source'))) return undefined;
  if (found.kind === 'people' && !isWhole && found.at.layout === 'values') return undefined;
  return { ...found, saysMore: false };
}

const kindOf: KindOf<Layout['kind']> = (has, valuesOf) => {
  const hasFirst = has('source') || has('conversation_message');
  if (hasFirst && ['conversation_parts', 'contacts', 'customers'].some((key) => has(key))) return 'conversations';
  return has('id') && valuesOf('type').some((type) => /^(?:contact|admin)$/.test(type)) ? 'people' : undefined;
};
