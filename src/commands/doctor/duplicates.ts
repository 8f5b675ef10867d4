import type { SeenDuplicates } from '../../checkpoint/delivery/duplicates.ts';
import { formatDuration, formatDay } from '../../report/render/format.ts';
import type { Profile } from '../../service/profiles.ts';
import { type Finding, good, warn } from './finding.ts';

/** What the destination does with a muid that it has, as far as anybody knows. */
export function judgeDuplicates(
  profile: Profile,
  {
    override,
    seen,
  }: { readonly override: Profile['duplicates'] | undefined; readonly seen: SeenDuplicates | undefined },
): Finding {
  const waits = `after a lost answer an import reads back and waits up to ${formatDuration(profile.graceLongMs)}`;
  if (override) return good('duplicates', `Taken as "${override}", as --duplicates says`);
  if (seen?.duplicates === 'refused') {
    return good('duplicates', `A muid that is there already is refused (seen on ${formatDay(seen.seenAtMs)})`);
  }
  if (seen) {
    return warn(
      'duplicates',
      `A muid that is there already is stored a second time (seen on ${formatDay(seen.seenAtMs)}): ${waits}`,
      'Leave --grace as it is or longer; never pass --duplicates refused here',
    );
  }
  if (profile.duplicates === 'refused')
    return good('duplicates', `A muid that is there already is refused (profile ${profile.name})`);
  return warn(
    'duplicates',
    `Nobody has looked what becomes of a muid that is there already: ${waits}`,
    'chatferry doctor --probe-duplicates finds out, and says first what it leaves there',
  );
}
