import { asArray, asString, asStrings } from '../kit/narrow.ts';
import { contentOf, type Content, type Event, localPart, previousOf } from './format.ts';

type NameOf = (id: string) => string | undefined;

/** State and what is said of it: `%` stands for the value of a key. https://spec.matrix.org/latest/client-server-api/ (2026-11) */
const words: Readonly<Record<string, readonly [words: string, key?: string]>> = {
  'm.room.create': ['Created the room'],
  'm.room.name': ['Changed the name of the room: %', 'name'],
  'm.room.topic': ['Changed the topic: %', 'topic'],
  'm.room.avatar': ['Changed the picture of the room: %', 'url'],
  'm.room.canonical_alias': ['Changed the address of the room: %', 'alias'],
  'm.room.join_rules': ['Changed who may join: %', 'join_rule'],
  'm.room.guest_access': ['Changed whether guests may join: %', 'guest_access'],
  'm.room.history_visibility': ['Changed who may read what was said before: %', 'history_visibility'],
  'm.room.encryption': ['Turned encryption on: %', 'algorithm'],
  'm.room.power_levels': ['Changed who may do what'],
  'm.room.server_acl': ['Changed which servers may take part'],
  'm.room.tombstone': ['The room goes on elsewhere: %', 'body'],
  'm.room.third_party_invite': ['Invited %', 'display_name'],
  'm.space.child': ['Changed the rooms of the space'],
  'm.space.parent': ['Changed the space of the room'],
  'im.vector.modular.widgets': ['Changed a widget: %', 'name'],
  'org.matrix.msc3401.call': ['Began a call'],
  'org.matrix.msc3401.call.member': ['Joined or left a call'],
  'm.call.member': ['Joined or left a call'],
  'm.beacon_info': ['Shared where they are, for a while: %', 'description'],
  'org.matrix.msc3672.beacon_info': ['Shared where they are, for a while: %', 'description'],
};

/** Whether the words hold all that the event says. */
export interface SystemText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Describes a state event in words. */
export function systemText(event: Event, nameOf: NameOf): SystemText {
  const type = asString(event.type) ?? '';
  const content = contentOf(event);
  if (type === 'm.room.member') return { text: memberText(event, nameOf), isWhole: true };
  if (type === 'm.room.pinned_events') return pinsText(content, previousOf(event));
  const [said, key] = Object.hasOwn(words, type) ? words[type]! : [`Changed ${type}`];
  const value = key === undefined ? undefined : asString(content[key]);
  const text = value === undefined ? said.replace(/: %$| %$/, '') : said.replace('%', () => value);
  return { text, isWhole: Object.keys(content).every((name) => name === key) };
}

function pinsText(content: Content, before: Content): SystemText {
  const isMore = asArray(content.pinned).length >= asArray(before.pinned).length;
  return { text: isMore ? 'Pinned a message' : 'Took a message off the pins', isWhole: true };
}

function memberText(event: Event, nameOf: NameOf): string {
  const content = contentOf(event);
  const before = previousOf(event);
  const id = asString(event.state_key) ?? '';
  const name = asString(content.displayname) ?? asString(before.displayname) ?? nameOf(id) ?? localPart(id);
  const reason = asString(content.reason);
  const isOwn = event.sender === id;
  return (
    describeChange(asString(content.membership), asString(before.membership), isOwn, name, () =>
      profileChange(content, before),
    ) + (reason === undefined ? '' : `: ${reason}`)
  );
}

function describeChange(
  now: string | undefined,
  before: string | undefined,
  isOwn: boolean,
  name: string,
  profile: () => string,
): string {
  if (now === 'join') return before === 'join' ? profile() : 'Joined the room';
  if (now === 'invite') return `Invited ${name}`;
  if (now === 'ban') return `Banned ${name}`;
  if (now === 'knock') return 'Asked to join';
  if (now !== 'leave') return `Changed the membership of ${name}`;
  if (before === 'invite') return isOwn ? 'Declined the invitation' : `Took back the invitation of ${name}`;
  if (before === 'ban') return `Let ${name} join again`;
  return isOwn ? 'Left the room' : `Removed ${name}`;
}

function profileChange(content: Content, before: Content): string {
  const [now, then] = [asString(content.displayname), asString(before.displayname)];
  if (now !== then) return now === undefined ? `Took away the name ${then}` : `Changed the name to ${now}`;
  return content.avatar_url === before.avatar_url ? 'Joined the room again' : 'Changed the picture';
}

/** Returns the people that a change of membership is about, other than its sender. */
export const isAbout = (event: Event): readonly string[] =>
  event.type === 'm.room.member' ? asStrings([event.state_key]) : [];
