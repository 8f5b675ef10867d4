import { normaliseBaseUrl } from '../service/base-url.ts';
import { isPublicAddress, type Profile, profiles } from '../service/profiles.ts';

/** For what is rehearsed: always a profile, and an app of the hosted service or an address where one was named. */
export interface Rehearsal {
  readonly profile: Profile['name'];
  readonly appId?: string;
  readonly address?: string;
}

/** @param meant A profile, the id of an app, or an address. @throws UsageError if it is no address either. */
export function rehearsalOf(meant: string): Rehearsal {
  const named = Object.values(profiles).find(({ name }) => name === meant);
  if (named) return { profile: named.name };
  if (/^[\w-]+$/.test(meant)) return { profile: 'hosted', appId: meant };
  const address = normaliseBaseUrl(meant);
  return { profile: profileAt(address), address };
}

/** Returns the profile that follows from an address alone. */
export const profileAt = (to: string): Profile['name'] =>
  to === 'sandbox' ? 'sandbox' : isPublicAddress(to) ? 'hosted' : 'spec';

/** The rules of a destination without its pace and its delays: the sandbox answers at once, and what was sent is there. */
export function rehearsed({ importsPerMinute, readsPerMinute, actionsPerMinute, ...rules }: Profile): Profile {
  return { ...rules, graceLongMs: profiles.sandbox.graceLongMs };
}
