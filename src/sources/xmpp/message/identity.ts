import { sha256Base32 } from '../../../lib/hash.ts';
import { RowIdentity } from '../../kit/rows/row-identity.ts';
import { ns, type RowTime } from '../format.ts';
import { attributeOf, childOf, childrenOf, elementsIn, textOf, type XmlNode } from '../xml/xml-node.ts';
import { parseJid } from './addresses.ts';
import type { Stanza } from './unwrap.ts';
import type { Where } from './where.ts';

const idLength = 26;
const dayMs = 86_400_000;
/** The two copies that an account has of a message to itself are as close. */
const selfMs = 10_000;

/** Ids by which other stanzas mean a message: of its sender, and of the room. */
export function listNames(node: XmlNode, where: Where, archiveId: string | undefined): readonly string[] {
  const origin = attributeOf(childOf(node, 'origin-id', ns.ids), 'id');
  const names = [origin, attributeOf(node, 'id'), findRoomId(node, where, archiveId)];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The id that a room gave to a message: its archive knows it by that. */
function findRoomId(node: XmlNode, where: Where, archiveId: string | undefined): string | undefined {
  if (where.kind !== 'room') return undefined;
  if (where.isRoomArchive && archiveId !== undefined) return archiveId;
  const own = childrenOf(node, 'stanza-id', ns.ids).find((id) => parseJid(attributeOf(id, 'by'))?.bare === where.room);
  return attributeOf(own, 'id');
}

/**
 * Ids of messages, which are equal for all copies of one message, in whatever archive and file they are: so the copies become one where
 * messages are stored, and nothing has to be remembered here.
 *
 * In this order: the id of the sender's program that is meant for this (origin-id); the id that the room gave; else the stanza's id, sender,
 * receiver and text, with the day and how often it came that day in the same archive. Two messages that were really sent twice differ in one
 * of these: a program gives each its own id, and if it gives none, each archive has both.
 *
 * Copies whose times are on two sides of midnight (UTC) stay two messages if they have neither of the first two: the server stores them
 * milliseconds apart.
 */
export class MessageIdentity {
  readonly #counts = new RowIdentity();

  idOf(stanza: Stanza, where: Where, time: RowTime): string {
    const { node, row } = stanza;
    const said = saidIn(node);
    const origin = attributeOf(childOf(node, 'origin-id', ns.ids), 'id');
    const sender = where.kind === 'room' ? where.speaker : where.author;
    if (origin !== undefined) return hashOf(['origin', sender, where.to, origin, said]);
    const roomId = findRoomId(node, where, row.archiveId);
    if (roomId !== undefined) return hashOf(['room', where.room, roomId]);
    const isSelf = sender === where.to;
    const period = Math.floor(time.atMs / (isSelf ? selfMs : dayMs));
    const cells = ['stanza', sender, where.to, attributeOf(node, 'id'), said, String(period)];
    if (isSelf) return hashOf(cells);
    // An account has what it sent from another device as a copy, and what waits for it in a list of its own.
    const counted = this.#counts.idOf([row.archive, stanza.carriedBy, ...cells]);
    const times = counted.slice(idLength);
    return hashOf(cells) + times;
  }
}

const hashOf = (cells: readonly (string | undefined)[]): string =>
  sha256Base32(JSON.stringify(cells.map((cell) => cell ?? null)), idLength);

/** The content of a message that no server changes. */
function saidIn(node: XmlNode): string {
  const body = childrenOf(node, 'body').map(textOf).join('\n');
  if (body !== '') return body;
  const rest = elementsIn(node).filter(({ name }) => /^(?:subject|encrypted|openpgp|file-sharing|geoloc)$/.test(name));
  const addresses = childrenOf(node, 'x', ns.oob);
  return [node.name, attributeOf(node, 'type') ?? '', ...[...rest, ...addresses].map(textOf)].join('\n');
}
