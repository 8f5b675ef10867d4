import { hash } from 'node:crypto';
import { trimEnd } from '../../lib/text/plain-text.ts';
import { asArray, asNumber, asObject, asString } from '../kit/narrow.ts';
import { type Content, contentOf, type Event } from './format.ts';

/**
 * Ids of events as servers send them to each other: from version 3 of rooms on the id is a hash of what is left of the event once it is
 * redacted. https://spec.matrix.org/latest/rooms/v11/#redactions, https://spec.matrix.org/latest/rooms/v4/#event-ids (2026-11).
 */

const kept = [
  ...['type', 'room_id', 'sender', 'state_key', 'content', 'hashes', 'depth', 'prev_events', 'auth_events'],
  'origin_server_ts',
];
const keptBefore11 = [...kept, 'prev_state', 'origin', 'membership'];

const powerLevels = { ban: 1, events: 1, events_default: 1, kick: 1, redact: 1, state_default: 1 };

/** Keys of contents that redaction keeps, by type, with the first room version in which they are kept. */
const keptContent: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'm.room.member': { membership: 1, join_authorised_via_users_server: 9 },
  'm.room.create': { creator: 1 },
  'm.room.join_rules': { join_rule: 1, allow: 8 },
  'm.room.power_levels': { ...powerLevels, users: 1, users_default: 1, invite: 11 },
  'm.room.history_visibility': { history_visibility: 1 },
  'm.room.redaction': { redacts: 11 },
  'm.room.aliases': {},
};

/** The id of an event: its own, or the hash that it is known by. Undefined where it has neither. */
export function idOf(event: Event, roomVersion: string | undefined): string | undefined {
  const own = asString(event.event_id);
  if (own !== undefined || asObject(event.hashes) === undefined || asArray(event.auth_events) !== event.auth_events)
    return own;
  const version = asNumber(roomVersion ?? 10);
  const digest = hash('sha256', canonicalJson(redacted(event, Number.isNaN(version) ? 11 : version)), 'buffer');
  return `$${version === 3 ? trimEnd(digest.toString('base64'), '=') : digest.toString('base64url')}`;
}

function redacted(event: Event, version: number): object {
  const type = asString(event.type) ?? '';
  const all = event as Readonly<Record<string, unknown>>;
  const names = version < 11 ? keptBefore11 : kept;
  const left = Object.fromEntries(names.filter((name) => Object.hasOwn(all, name)).map((name) => [name, all[name]]));
  return { ...left, content: contentLeft(type, contentOf(event), version) };
}

function contentLeft(type: string, content: Content, version: number): object {
  if (type === 'm.room.create' && version >= 11) return content;
  const names = Object.hasOwn(keptContent, type) ? keptContent[type]! : {};
  const left: Record<string, unknown> = {};
  for (const name in content) if (Object.hasOwn(names, name) && version >= names[name]!) left[name] = content[name];
  const invite = asObject<{ signed: unknown }>(content.third_party_invite);
  if (type === 'm.room.member' && version >= 11 && invite?.signed !== undefined)
    left.third_party_invite = { signed: invite.signed };
  if (type === 'm.room.aliases' && version < 6 && content.aliases !== undefined) left.aliases = content.aliases;
  return left;
}

/** JSON without spaces, its keys in the order of their code points. https://spec.matrix.org/latest/appendices/#canonical-json (2026-11) */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  fields.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}
