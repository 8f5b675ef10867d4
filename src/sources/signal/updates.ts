import { asArray, asId, asObject, asString } from '../kit/narrow.ts';
import { msOf, uuidOf } from './format.ts';

/** What the app wrote into a chat. */
export interface Update {
  /** The app's name of it, in words: `group-name`, `identity-verified`. */
  readonly event: string;
  readonly text: string;
  readonly call?: { readonly startedAtMs: number; readonly endedAtMs?: number };
}

interface Names {
  /** Name of an account, as messages show it. */
  byAccount(aci: string): { readonly name: string | undefined };
  /** Name of whoever the file's line is of. */
  readonly author: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** @returns nothing for an update that says nothing. */
export function updateOf(value: unknown, sentAtMs: number, names: Names): Update | undefined {
  const update = asObject<Fields>(value) as Fields | undefined;
  const [key, inner] = Object.entries(update ?? {}).find(([, found]) => asObject(found) !== undefined) ?? [];
  if (key === undefined) return undefined;
  const fields = inner as Fields;
  if (key === 'individualCall' || key === 'groupCall') return callOf(key, fields, sentAtMs);
  if (key === 'groupChange') return groupChangeOf(fields, names);
  const event =
    key === 'simpleUpdate'
      ? kebab(
          String(fields.type ?? 'unknown')
            .toLowerCase()
            .replaceAll('_', '-'),
        )
      : kebab(key);
  return { event, text: sentence(event, fields, names) };
}

function groupChangeOf(fields: Fields, names: Names): Update | undefined {
  const changes = asArray(fields.updates).flatMap((value) => Object.entries(asObject<Fields>(value) ?? {}));
  if (changes.length === 0) return { event: 'generic-group', text: sentence('generic-group', {}, names) };
  const said = changes.map(([key, inner]) => {
    const event = kebab(key.replace(/Update$/, ''));
    return { event, text: sentence(event, (asObject<Fields>(inner) ?? {}) as Fields, names) };
  });
  return { event: said[0]!.event, text: said.map(({ text }) => text).join('\n') };
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-/, '');

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

function sentence(event: string, fields: Fields, { byAccount, author }: Names): string {
  const personIn = (keys: readonly string[]) => {
    const aci = keys.map((key) => uuidOf(fields[key])).find((found) => found !== undefined);
    return (aci === undefined ? undefined : byAccount(aci).name) ?? 'Somebody';
  };
  const template = sentences[event] ?? `${event[0]!.toUpperCase()}${event.slice(1).replaceAll('-', ' ')}`;
  const parts: Readonly<Record<string, () => string>> = {
    actor: () => personIn(actors),
    who: () => personIn(subjects),
    author: () => author,
    before: () => quotedWords(fields.previousName),
    what: () => whatOf(event, fields),
  };
  return template.replace(/\{(\w+)\}/g, (_, part: string) => parts[part]!());
}

function whatOf(event: string, fields: Fields): string {
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

function callOf(
  key: string,
  { type, direction, state, startedCallTimestamp, endedCallTimestamp }: Fields,
  sentAtMs: number,
): Update {
  const kind = key === 'groupCall' ? 'Group call' : type === 'VIDEO_CALL' ? 'Video call' : 'Voice call';
  const way =
    direction === 'OUTGOING' || state === 'OUTGOING_RING' ? ', outgoing' : direction === 'INCOMING' ? ', incoming' : '';
  const endedAtMs = msOf(asId(endedCallTimestamp));
  const call = { startedAtMs: msOf(startedCallTimestamp) ?? sentAtMs, ...(endedAtMs !== undefined && { endedAtMs }) };
  return { event: kebab(key), text: `${kind}${way}${notTaken[String(state)] ?? ''}`, call };
}
