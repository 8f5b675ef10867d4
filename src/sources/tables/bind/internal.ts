import type { MessageRecord } from '../../../model/records.ts';
import type { Row } from '../row.ts';
import type { MessageBinding } from '../schema/messages.ts';
import type { BindingScope } from './value.ts';

type Internal = NonNullable<MessageRecord['internal']>;

type Words = Readonly<Record<string, Internal | 'visible'>>;
const own: Words = {
  note: 'note',
  'side-conversation': 'side-conversation',
  automation: 'automation',
  visible: 'visible',
};
/** A flag that is set says that a row is a note. */
const marked: Words = { true: 'note', t: 'note', yes: 'note', 1: 'note' };
const unmarked: Words = { false: 'visible', f: 'visible', no: 'visible', 0: 'visible' };
const words: Words = { ...own, ...marked, ...unmarked };

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
    return Object.hasOwn(words, word) ? words[word]! : { unknown: said };
  };
}
