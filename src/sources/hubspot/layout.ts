import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { bareRows, findRows, kindAt, type KindOf } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

export type Kind = 'messages' | 'threads' | 'actors' | 'originals';

export interface Layout {
  readonly kind: Kind;
  readonly at: JsonRowsAt;
  /** The file begins with the latest message, as answers usually do. */
  readonly isNewestFirst: boolean;
  /** Thread of the first message, which a file named after it has in common with its other pages. */
  readonly thread: string | undefined;
}

/** @returns undefined if it holds none of these. A file that cannot be read at all may have contained messages. */
export const findLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

function layoutIn(file: FileOutline): Layout | undefined {
  const { head, outline, isWhole } = file;
  const isNewestFirst = beginsWithLatest(head);
  if (head === '') return { kind: 'messages', at: { layout: 'values' }, isNewestFirst, thread: undefined };
  // Each line may be an answer.
  const inAnswers = kindAt(outline, '/results/*', kindOf);
  const found = findRows(file, ['results'], kindOf) ?? (inAnswers && { kind: inAnswers, at: bareRows(head) });
  const thread = outline.get(inAnswers ? '/results/*' : '')?.get('conversationsThreadId')?.[0];
  if (found) return { ...found, isNewestFirst, thread };
  return isWhole && isOriginal(outline) ? { kind: 'originals', at: bareRows(head), isNewestFirst, thread } : undefined;
}

function beginsWithLatest(head: string): boolean {
  const times = [...head.matchAll(/"createdAt"\s{0,20}:\s{0,20}"([^"]{10,40})"/g)].map(([, at]) => at!);
  return times.length > 1 && times[0]! > times.at(-1)!;
}

const kindOf: KindOf<Kind> = (has, valuesOf) => {
  if (has('conversationsThreadId', 'createdAt')) return 'messages';
  if (has('id', 'inboxId', 'status') || has('id', 'originalChannelId', 'status')) return 'threads';
  return has('id', 'type') && valuesOf('id').some((id) => /^[A-Z]-./.test(id)) ? 'actors' : undefined;
};

/** Nothing but the two texts. */
function isOriginal(outline: JsonOutline): boolean {
  const keys = outline.get('');
  return (
    outline.size === 1 &&
    keys !== undefined &&
    keys.size > 0 &&
    [...keys.keys()].every((key) => /^(?:text|richText)$/.test(key))
  );
}
