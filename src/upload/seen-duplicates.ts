import type { SeenDuplicates } from '../checkpoint/delivery/duplicates.ts';
import type { Profile } from '../service/profiles.ts';

/**
 * The profile with what was seen of a destination in place of what the profile supposes; what the user says comes before both.
 * A destination that stores a muid twice is treated like one of which nothing is known: nothing is sent again before it
 * was looked for.
 */
export function withSeenDuplicates(
  profile: Profile,
  {
    override,
    seen,
  }: { readonly override: Profile['duplicates'] | undefined; readonly seen: SeenDuplicates | undefined },
): Profile {
  if (override !== undefined || seen === undefined) return profile;
  return { ...profile, duplicates: seen.duplicates === 'refused' ? 'refused' : 'unknown' };
}
