import type { CandidateRow } from '../checkpoint/delivery.ts';
import type { Store } from '../checkpoint/open.ts';
import { UsageError } from '../lib/errors.ts';
import type { Filter } from '../mapping/filter.ts';
import { storedFilter, unknownNames } from '../plan/only.ts';
import type { Target } from '../delivery/target.ts';
import { docsLink } from '../lib/docs-link.ts';

/**
 * Finds what a command with `--only` is about, among all that is planned or was sent to a destination, and writes it down
 * for the steps of the command (`chooseInside`).
 *
 * @param command As in "Cannot verify".
 * @throws UsageError if the filter finds nothing, names what nobody has, or asks for texts that were wiped: a command that
 *   looks away from the rest must not guess.
 */
export function chooseOnly(store: Store, target: Target, only: Filter, command: string): void {
  const unknown = unknownNames(store, only);
  if (unknown.length > 0) {
    throw new UsageError(`Cannot ${command} with --only: nothing in the export is called ${unknown.join(', ')}`, {
      hint: 'Names are those of the export: correct --only, or leave the name out',
    });
  }
  const isInside = storedFilter(store, only);
  const withPayload = only.terms.some(({ key }) => key === 'text');
  const isWiped = withPayload && store.readMeta('contentForgotten') !== undefined ? isForgotten : () => false;
  const count = store.delivery.chooseInside({ destination: target.id, withPayload }, (row) => {
    if (isWiped(row)) throw textsForgotten(command);
    return isInside(row);
  });
  if (count > 0) return;
  throw new UsageError(`Cannot ${command}: --only finds no message that is planned or was sent to ${target.name}`, {
    hint: `The filter was ${only.text}; "chatferry report" names conversations and people; ${docsLink('guides/filters')} has the language`,
  });
}

const isForgotten = ({ payload }: CandidateRow): boolean => payload === null || payload.startsWith('{"forgotten":');

const textsForgotten = (command: string) =>
  new UsageError(`Cannot ${command} with text: in --only: the content of messages was forgotten`, {
    hint: 'Choose by in:, from:, kind:, after: or before: instead',
  });
