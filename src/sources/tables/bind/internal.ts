import type { MessageRecord } from '../../../model/records.ts';
import { readFlag } from '../../../model/visibility-words.ts';
import type { Row } from '../row.ts';
import type { MessageBinding } from '../schema/messages.ts';
import type { BindingScope } from './value.ts';

type Internal = NonNullable<MessageRecord['internal']>;

type Words = Readonly<Record<string, Internal | 'visible'>>;
/** A flag that is set says that a row is a note. */
const words: Words = {
  note: 'note',
  'side-conversation': 'side-conversation',
  automation: 'automation',
  visible: 'visible',
};

/**
 * Who saw a row.
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
    if (Object.hasOwn(words, word)) return words[word]!;
    const isNote = /^(?:none|null)$/.test(word) ? undefined : readFlag(word);
    return isNote === undefined ? { unknown: said } : isNote ? 'note' : 'visible';
  };
}
