import type { CandidateRow } from '../../store/lanes.ts';
import type { Store } from '../../store/open.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Filter } from '../../mapping/filter.ts';
import { storedFilter, unknownNames } from '../../plan/only.ts';
import type { Target } from '../../delivery/target.ts';
import { docsLink } from '../../lib/docs-link.ts';

/**
 * Finds the messages that a command with `--only` is about, among all that are planned or were sent to a destination,
 * and stores them for the steps of the command (`chooseInside`).
 *
 * @param command As in "Cannot verify".
 * @throws UsageError if the filter finds nothing, names something that no message has, or asks for texts that were
 *   wiped: a command that ignores everything else must not guess.
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
  const isWiped = withPayload && store.facts.read('contentPurged') !== undefined ? isPurged : () => false;
  const count = store.lanes.chooseInside({ destination: target.id, withPayload }, (row) => {
    if (isWiped(row)) throw textsPurged(command);
    return isInside(row);
  });
  if (count > 0) return;
  throw new UsageError(`Cannot ${command}: --only finds no message that is planned or was sent to ${target.name}`, {
    hint: `The filter was ${only.text}; "chatferry report" names conversations and people; ${docsLink('guides/filters')} has the language`,
  });
}

const isPurged = ({ payload }: CandidateRow): boolean => payload === null || payload.startsWith('{"purged":');

const textsPurged = (command: string) =>
  new UsageError(`Cannot ${command} with text: in --only: the content of messages was purged`, {
    hint: 'Choose by in:, from:, kind:, after: or before: instead',
  });
