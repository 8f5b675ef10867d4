import type { MessageRecord } from '../../../model/records.ts';
import { readFlag } from '../../../model/visibility-words.ts';
import type { Row } from '../row.ts';
import type { MessageBinding } from '../schema/messages.ts';
import type { BindingScope } from './value.ts';

type Internal = NonNullable<MessageRecord['internal']>;

const words: ReadonlySet<string> = new Set(['note', 'side-conversation', 'automation', 'visible']);

/**
 * Who saw a row: a flag that is set says that it is a note.
 *
 * @returns The word that is not known; empty if there is none: such a row may be a note, and is not sent.
 */
export function bindInternal(
  binding: MessageBinding['internal'],
  scope: BindingScope,
): (row: Row) => Internal | 'visible' | { readonly unknown: string } {
  if (binding === undefined) return () => 'visible';
  // Without the column notes would pass.
  const read = scope.text(binding, 'required');
  return (row) => {
    const said = read(row) ?? '';
    const word = said.toLowerCase();
    if (words.has(word)) return word as Internal | 'visible';
    const isNote = /^(?:none|null)$/.test(word) ? undefined : readFlag(word);
    return isNote === undefined ? { unknown: said } : isNote ? 'note' : 'visible';
  };
}
