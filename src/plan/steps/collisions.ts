import { formatCount } from '../../lib/text/count.ts';
import type { Collision } from '../../store/people.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { knownUid } from '../../mapping/person.ts';
import { uidWithHash } from '../../mapping/ids.ts';
import type { Store } from '../../store/open.ts';
import type { PlanRules } from '../plan-options.ts';

/**
 * Finds people whose uid others have, once everything is read, if the mapping gives such people a hash
 * (`people.collisions: hash`). Uids are part of payloads, so everything must be read again then.
 *
 * @returns Whether there are any who did not have a hash yet.
 */
export function hashCollisions(store: Store, { mapping }: PlanRules, commit: () => void): boolean {
  const { rules, lookup } = mapping;
  if (rules.people.collisions === 'stop') return false;
  const behind = store.people.behindOthers((user) => knownUid(user, rules, lookup) !== undefined);
  if (behind.length === 0) return false;
  for (const { id, uid, sourceId } of behind) store.people.giveHash(id, uidWithHash(uid, sourceId));
  if (store.destinations.hasSent()) store.messages.freezeAll();
  // In the same transaction: a plan that is killed now must not take what is staged for read.
  store.files.reopenAll();
  commit();
  return true;
}

/** Ids that an error names one by one. */
const collisionsMax = 20;

/** Returns one error for all collisions, so that a large export need not be planned again for each. */
export function collided(collisions: readonly Collision[]): UsageError {
  const lines = collisions.slice(0, collisionsMax).map(({ kind, id, sourceIds }) => {
    const named = sourceIds.slice(0, 5).map((sourceId) => `"${oneLine(sourceId)}"`);
    const others = sourceIds.length > named.length ? ` and ${formatCount(sourceIds.length - named.length)} more` : '';
    return `the ${kind === 'uid' ? 'people' : 'conversations'} ${named.join(' and ')}${others} would all become ${kind} "${id}"`;
  });
  const more = collisions.length - lines.length;
  if (more > 0) lines.push(`and ${formatCount(more)} more ids`);
  const [first, ...rest] = lines;
  const kinds = new Set(collisions.map(({ kind }) => kind));
  const keys = [...(kinds.has('uid') ? ['people.uids'] : []), ...(kinds.has('guid') ? ['conversations.guids'] : [])];
  const byItself = kinds.has('uid') ? ', or let people get a hash behind their uid (people.collisions: hash)' : '';
  return new UsageError(`Cannot plan: ${[first, ...rest.map((line) => `  ${line}`)].join('\n')}`, {
    hint: `Give all but one of each another id under ${keys.join(' or ')} in the mapping${byItself}`,
  });
}
