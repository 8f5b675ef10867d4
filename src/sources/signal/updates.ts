import { asArray, asId, asObject, asString, asWord } from '../kit/narrow.ts';
import { type Fields, asFields, msOf, ownValue, uuidOf } from './format.ts';

/** A line that the app wrote into a chat. */
export interface Update {
  /** The app's name of it, in words: `group-name`, `identity-verified`. */
  readonly event: string;
  readonly text: string;
  /** Facts missing from the text. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  readonly call?: { readonly startedAtMs: number; readonly endedAtMs?: number };
}

interface Names {
  /** Name of an account, as messages show it. */
  byAccount(aci: string): { readonly name: string | undefined };
  /** Name of the author of the file's line. */
  readonly author: string;
}

/** @returns nothing for an update that says nothing. */
export function readUpdate(value: unknown, sentAtMs: number, names: Names): Update | undefined {
  const [key, inner] = Object.entries(asFields(value)).find(([, found]) => asObject(found) !== undefined) ?? [];
  if (key === undefined) return undefined;
  const fields = asFields(inner);
  if (key === 'individualCall' || key === 'groupCall') return readCall(key, fields, sentAtMs);
  if (key === 'groupChange') return describeGroupChange(fields, names);
  return sentence(key === 'simpleUpdate' ? asWord(fields.type ?? 'unknown').toLowerCase() : key, fields, names);
}

function describeGroupChange(fields: Fields, names: Names): Update {
  const changes = asArray(fields.updates).flatMap((value) => Object.entries(asFields(value)));
  if (changes.length === 0) return sentence('genericGroup', {}, names);
  const said = changes.map(([key, inner]) => sentence(key.replace(/Update$/, ''), asFields(inner), names));
  const details = Object.fromEntries(said.flatMap((update) => Object.entries(update.details ?? {})));
  const text = said.map((update) => update.text).join('\n');
  return { event: said[0]!.event, text, ...(Object.keys(details).length > 0 && { details }) };
}

/** Converts a key of an export to kebab case: short, and never empty. */
const kebab = (name: string): string =>
  name
    .slice(0, 80)
    .replaceAll('_', '-')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, '') || 'unknown';

/** `{actor}` did it, `{who}` is whom it was done to, `{what}` is what it is now. */
const sentences: Readonly<Record<string, string>> = {
  'generic-group': '{actor} changed the group',
  'group-creation': '{actor} created the group',
  'group-name': '{actor} changed the name of the group to {what}',
  'group-avatar': '{actor} changed the picture of the group',
  'group-description': '{actor} changed the description of the group to {what}',
  'group-announcement-only-change': '{actor} changed who may write in the group',
  'group-admin-status': '{actor} changed whether {who} administers the group',
  'group-member-left': '{who} left the group',
  'group-member-removed': '{actor} removed {who}',
  'group-member-joined': '{who} joined the group',
  'group-member-joined-by-link': '{who} joined by a link',
  'group-member-added': '{actor} added {who}',
  'group-invitation-accepted': '{who} accepted the invitation',
  'group-invitation-declined': '{who} declined the invitation',
  'group-join-request': '{who} asked to join',
  'group-join-request-approval': '{actor} decided on the request of {who}',
  'self-invited-to-group': '{actor} invited you',
  'self-invited-other-user-to-group': 'You invited {who}',
  'group-expiration-timer': '{actor} set the time after which messages vanish to {what}',
  'expiration-timer-change': '{author} set the time after which messages vanish to {what}',
  'profile-change': '{author} changed the name from {before} to {what}',
  'pin-message': '{author} pinned a message',
  'poll-terminate': '{author} ended the poll {what}',
  'joined-signal': '{author} joined Signal',
  'identity-update': 'The safety number with {author} has changed',
  'identity-verified': 'The safety number with {author} was verified',
  'identity-default': 'The safety number with {author} is not verified any more',
  'change-number': '{author} changed the telephone number',
};

const actors = ['updaterAci', 'removerAci', 'revokerAci', 'inviterAci'];
const subjects = ['memberAci', 'removedAci', 'newMemberAci', 'requestorAci', 'inviteeServiceId', 'inviteeAci', 'aci'];

/** Fields that the sentences use, or that only identify people. */
const told =
  /^(?:newGroupName|newDescription|newName|previousName|question|expiresInMs|type|authorId|read)$|(?:Aci|Pni|ServiceId)$|^aci$/;

function sentence(key: string, fields: Fields, { byAccount, author }: Names): Update {
  const event = kebab(key);
  const personIn = (keys: readonly string[]) => {
    const aci = keys.map((name) => uuidOf(fields[name])).find((found) => found !== undefined);
    return (aci === undefined ? undefined : byAccount(aci).name) ?? 'Somebody';
  };
  const parts: Readonly<Record<string, () => string>> = {
    actor: () => personIn(actors),
    who: () => personIn(subjects),
    author: () => author,
    before: () => quotedWords(fields.previousName),
    what: () => describeValue(event, fields),
  };
  const template = ownValue(sentences, event);
  const text = template?.replace(/\{(\w+)\}/g, (_, part: string) => parts[part]!()) ?? event.replaceAll('-', ' ');
  const details = Object.entries(fields).filter(([name, value]) => !told.test(name) && typeof value !== 'object');
  return {
    event,
    text,
    ...(details.length > 0 && { details: Object.fromEntries(details) as Update['details'] & object }),
  };
}

function describeValue(event: string, fields: Fields): string {
  if (event.includes('timer')) {
    const ms = msOf(fields.expiresInMs);
    return ms === undefined ? 'never' : `${ms / 1000} s`;
  }
  return quotedWords(fields.newGroupName ?? fields.newDescription ?? fields.newName ?? fields.question);
}

const quotedWords = (value: unknown) => (asString(value) === undefined ? 'nothing' : `"${asString(value)}"`);

const notTaken: Readonly<Record<string, string>> = {
  NOT_ACCEPTED: ', not answered',
  DECLINED: ', declined',
  MISSED: ', missed',
  MISSED_NOTIFICATION_PROFILE: ', missed',
};

function readCall(
  key: string,
  { type, direction, state, startedCallTimestamp, endedCallTimestamp }: Fields,
  sentAtMs: number,
): Update {
  const kind = key === 'groupCall' ? 'Group call' : type === 'VIDEO_CALL' ? 'Video call' : 'Voice call';
  const way =
    direction === 'OUTGOING' || state === 'OUTGOING_RING' ? ', outgoing' : direction === 'INCOMING' ? ', incoming' : '';
  const endedAtMs = msOf(asId(endedCallTimestamp));
  const call = { startedAtMs: msOf(startedCallTimestamp) ?? sentAtMs, ...(endedAtMs !== undefined && { endedAtMs }) };
  return { event: kebab(key), text: `${kind}${way}${ownValue(notTaken, asWord(state)) ?? ''}`, call };
}
