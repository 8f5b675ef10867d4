import { sha256Base32 } from '../../../lib/hash.ts';
import type { RowProblem } from '../../kit/entries.ts';
import { ns } from '../format.ts';
import { attributeOf, childOf, childrenOf, textOf } from '../xml/xml-node.ts';
import { type Jid, parseJid, nodeOf, occupantAddress } from './addresses.ts';
import type { Half, Rooms } from './rooms.ts';
import type { Nothing, Stanza } from './unwrap.ts';

/** Conversation and author of a message. */
export interface Where {
  readonly conversation: string;
  readonly kind: 'direct' | 'room';
  /** For a room: who wrote it, if that is known. */
  readonly members: readonly string[];
  /** Absent if the room itself says it. */
  readonly author: string | undefined;
  /** Names of people of whom nothing but the nick is known, by id. */
  readonly nicks: ReadonlyMap<string, string>;
  /** Id of the sender for corrections and deletions: the same in each copy. */
  readonly speaker: string;
  /** Receiver; the room of a message to one person in it. */
  readonly to: string;
  readonly room: string | undefined;
  /** Sender in a room: the nick, and the real address. */
  readonly occupant?: { readonly nick: string | undefined; readonly real: string | undefined };
  /** For a private message in a room. */
  readonly half?: Half;
  /** In the archive of the room itself. */
  readonly isRoomArchive: boolean;
}

const noSender = (found: string | undefined): RowProblem => ({
  code: 'xmpp-no-sender',
  reason: `Expected an address as "from" of the stanza, found ${found === undefined ? 'nothing' : 'something else'}`,
});

export function placeStanza(stanza: Stanza, rooms: Rooms): Where | Nothing {
  const { node, row } = stanza;
  const written = attributeOf(node, 'from');
  const from = parseJid(written);
  if (row.room) return inRoomTable(from, stanza);
  if (from === undefined) return noSender(written);
  if (attributeOf(node, 'type') === 'groupchat' || node.name === 'presence') return inRoom(from, stanza, rooms);
  return between(from, stanza, rooms);
}

/** A row of a room in the table of ejabberd: the stanza has the real sender, or the nick; the columns have both. */
function inRoomTable(from: Jid | undefined, { node, row }: Stanza): Where | Nothing {
  const table = row.room!;
  const room = parseJid(table.jid)?.bare;
  if (room === undefined) return { code: 'xmpp-bad-row', reason: 'Expected the address of a room as "username"' };
  if (attributeOf(node, 'type') !== 'groupchat' && node.name === 'message') {
    const reason = 'Expected a message of the type groupchat in the archive of a room, found one of another type';
    return { code: 'xmpp-unclear-private', reason };
  }
  const nick = table.nick ?? (from?.bare === room ? from.resource : undefined);
  const known = [parseJid(table.peer)?.bare, from?.bare].find((bare) => bare !== undefined && bare !== room);
  const real = known ?? realIn({ node });
  if (nick === undefined && real === undefined && from?.bare !== room) return noSender(attributeOf(node, 'from'));
  return roomMessage({ room, nick, real, isRoomArchive: true });
}

function inRoom(from: Jid, stanza: Stanza, rooms: Rooms): Where {
  const to = parseJid(attributeOf(stanza.node, 'to'));
  // As it was sent to the room, before the room gave it a nick.
  const isFromOwner = isOwner(from, stanza) && to?.bare !== from.bare && to?.resource === undefined;
  if (to && !rooms.isRoom(from.bare) && (isFromOwner || rooms.isRoom(to.bare)))
    return roomMessage({ room: to.bare, nick: undefined, real: from.bare, isRoomArchive: false });
  const [room, nick] = [from.bare, from.resource];
  const isRoomArchive = stanza.row.owner === room && stanza.carriedBy === undefined;
  const known = realIn(stanza) ?? (isRoomArchive || nick === undefined ? undefined : rooms.findReal(room, nick));
  return roomMessage({ room, nick, real: known, isRoomArchive });
}

/** The real address that a room shows to all. */
function realIn({ node }: Pick<Stanza, 'node'>): string | undefined {
  for (const x of childrenOf(node, 'x', ns.mucUser)) {
    const real = parseJid(attributeOf(childOf(x, 'item'), 'jid'))?.bare;
    if (real !== undefined) return real;
  }
  return undefined;
}

function roomMessage(about: {
  readonly room: string;
  readonly nick: string | undefined;
  readonly real: string | undefined;
  readonly isRoomArchive: boolean;
}): Where {
  const { room, nick, real, isRoomArchive } = about;
  const occupant = nick === undefined ? undefined : occupantAddress(room, nick);
  const author = real ?? occupant;
  const roomFacts = { conversation: room, author, to: room, room, isRoomArchive, occupant: { nick, real } };
  return {
    kind: 'room',
    ...roomFacts,
    members: author === undefined ? [] : [author],
    nicks: nick === undefined || real !== undefined ? new Map() : new Map([[occupantAddress(room, nick), nick]]),
    speaker: occupant ?? real ?? room,
  };
}

/** A message from one to another; in a room, one of them is known there by the nick alone. */
function between(from: Jid, stanza: Stanza, rooms: Rooms): Where | Nothing {
  // Without a receiver it is for the sender's own account: RFC 6120, 10.3.
  const to = parseJid(attributeOf(stanza.node, 'to')) ?? { bare: from.bare, resource: undefined };
  const sides = { from: rooms.isRoom(from.bare), to: rooms.isRoom(to.bare) };
  if ((sides.from && from.resource === undefined) || (sides.to && to.resource === undefined))
    return { none: 'messages between one person and a room itself', isLost: true };
  if (!sides.from && !sides.to && childOf(stanza.node, 'x', ns.mucUser)) {
    const isFrom = isOwner(to, stanza) && from.resource !== undefined;
    const isTo = isOwner(from, stanza) && to.resource !== undefined;
    if (isFrom === isTo) {
      const reason = 'The message was sent inside of a room, to one person: who it was cannot be told';
      return { code: 'xmpp-unclear-private', reason };
    }
    sides.from = isFrom;
    sides.to = isTo;
  }
  const nicks = new Map<string, string>();
  const findPerson = ({ bare, resource = '' }: Jid, isOccupant: boolean): string => {
    if (!isOccupant) return bare;
    const real = rooms.findReal(bare, resource);
    if (real !== undefined) return real;
    nicks.set(occupantAddress(bare, resource), resource);
    return occupantAddress(bare, resource);
  };
  const [author, receiver] = [findPerson(from, sides.from), findPerson(to, sides.to)];
  const room = sides.from ? from.bare : sides.to ? to.bare : undefined;
  const [inside, outside] = sides.from ? [from, to] : [to, from];
  const half = { room: inside.bare, nick: inside.resource ?? '', real: outside.bare, isSent: sides.to };
  const pair = { author, nicks, speaker: author, to: receiver, room, isRoomArchive: false };
  return {
    ...(sides.from !== sides.to && { half }),
    conversation: [author, receiver]
      .map((id) => id.replace(/\s/g, '%20'))
      .sort()
      .join(' '),
    kind: 'direct',
    ...pair,
    members: [...new Set([author, receiver])].sort(),
  };
}

function isOwner({ bare }: Jid, { row }: Stanza): boolean {
  if (row.owner === undefined) return false;
  return row.owner.includes('@') ? row.owner === bare : row.owner === nodeOf(bare);
}

/** Notes what a message says of a room, and of who has which nick there. */
export function noteRoom(rooms: Rooms, { node }: Pick<Stanza, 'node'>, { kind, room, occupant, half }: Where): void {
  if (kind === 'room' && room !== undefined) rooms.note(room, occupant?.nick, occupant?.real);
  const id = attributeOf(node, 'id');
  if (half === undefined || id === undefined) return;
  rooms.notePrivate(sha256Base32(JSON.stringify([half.room, id, textOf(childOf(node, 'body'))]), keyLength), half);
}

const keyLength = 26;
/** Addresses with a resource, in XML and as Prosody writes them. */
const addresses = /\b(?:from|to)(?:"\])?\s*=\s*["']([^"'/\s]+)\//g;

/** Whether a stanza may be one inside of a room, as far as its text shows. */
export function mayBeInRoom(written: string, rooms: Rooms): boolean {
  if (/groupchat|muc_|muc#user/.test(written)) return true;
  for (const [, bare] of written.matchAll(addresses)) if (rooms.isRoom(bare!.toLowerCase())) return true;
  return false;
}
