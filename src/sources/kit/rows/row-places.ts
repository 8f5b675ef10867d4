import type { JsonOutline } from './json-outline.ts';
import type { JsonRowsAt } from './json-rows.ts';
import type { FileOutline } from './whole-outline.ts';

/** Whether the first line is an object, and another one is behind it. */
export const areLines = (head: string): boolean => /^\{.*\}[ \t\r]*\n\s{0,100}\{/.test(head);

/** Rows of a file that has no answer around them: a list, one on each line, or one behind another. */
export const bareRows = (head: string): JsonRowsAt =>
  head.startsWith('[') ? { layout: 'list', pattern: [] } : { layout: areLines(head) ? 'lines' : 'values' };

/** Tells the kind of objects by their keys; `valuesOf` has short texts that stand at one of them. */
export type KindOf<Kind> = (
  has: (...keys: readonly string[]) => boolean,
  valuesOf: (key: string) => readonly string[],
) => Kind | undefined;

/** The kind of the objects at a place of an outline. */
export function kindAt<Kind>(outline: JsonOutline, at: string, kindOf: KindOf<Kind>): Kind | undefined {
  const keys = outline.get(at);
  return (
    keys &&
    kindOf(
      (...wanted) => wanted.every((key) => keys.has(key)),
      (key) => keys.get(key) ?? [],
    )
  );
}

/**
 * Finds the rows of a saved answer: in one of the lists that its service has, or bare.
 *
 *     findRows(file, ['payload', 'data/payload'], (has) => has('id', 'message_type') ? 'messages' : undefined);
 *
 * @param lists Pointers of lists, without the first slash.
 * @returns undefined if there are none, up to here.
 */
export function findRows<Kind>(
  { head, outline }: Pick<FileOutline, 'head' | 'outline'>,
  lists: readonly string[],
  kindOf: KindOf<Kind>,
): { readonly kind: Kind; readonly at: JsonRowsAt } | undefined {
  for (const list of head.startsWith('{') && !areLines(head) ? lists : []) {
    const kind = kindAt(outline, `/${list}/*`, kindOf);
    if (kind !== undefined) return { kind, at: { layout: 'list', pattern: list.split('/') } };
  }
  const kind = kindAt(outline, '', kindOf);
  return kind === undefined ? undefined : { kind, at: bareRows(head) };
}
