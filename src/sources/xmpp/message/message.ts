import { hasMembers } from '../../../lib/maps/objects.ts';
import { type NewMessage, newMessage } from '../../../model/new-message.ts';
import type { MessageRecord } from '../../../model/records.ts';
import { rowSortKey } from '../../kit/rows/row-identity.ts';
import { ns, type RowTime } from '../format.ts';
import { attributeOf, childOf, textOf } from '../xml/xml-node.ts';
import type { Content } from './content.ts';
import { isTombstone } from './kinds.ts';
import { type Relation, reactionsIn } from './relations.ts';
import type { Stanza } from './unwrap.ts';
import type { Where } from './where.ts';

export interface MessageParts {
  readonly workspace: string;
  readonly stanza: Stanza;
  readonly where: Where;
  readonly time: RowTime;
  readonly id: string;
  /** Number of the row in its file, from 1. */
  readonly number: number;
  readonly content: Content;
  /** Stanzas about it, in order of time. */
  readonly relations: readonly Relation[];
  /** Id of the message that it answers. */
  readonly quoteOf: string | undefined;
}

/** It has nothing to read: a line of the system, which is not sent unless the mapping says so. */
const encrypted = 'encrypted';

export function makeMessage(parts: MessageParts): NewMessage {
  const { workspace, stanza, where, time, id, number, content, relations, quoteOf } = parts;
  const record = newMessage({
    origin: { source: 'xmpp', workspace, conversation: where.conversation, id },
    sortKey: rowSortKey(time.nanoseconds, number),
    sentAtMs: time.atMs,
    text: content.text,
  });
  if (where.author !== undefined) record.author = where.author;
  setContent(record, content);
  if (content.mentions.length > 0) record.mentions = [...content.mentions];
  if (quoteOf !== undefined) record.quoteOf = quoteOf;
  if (isTombstone(stanza.node)) record.isDeleted = true;
  addEvent(record, stanza, where);
  addRelations(record, relations);
  if (record.lost?.encrypted) record.systemEvent = encrypted;
  addFacts(record, stanza, where);
  return record;
}

function setContent(record: NewMessage, { attachments, lost }: Pick<Content, 'attachments' | 'lost'>): void {
  record.attachments = attachments.length > 0 ? [...attachments] : undefined;
  record.lost = hasMembers(lost) ? { ...lost } : undefined;
}

/** Lines of the room itself, and events in it. */
function addEvent(record: NewMessage, { node }: Stanza, where: Where): void {
  if (where.kind !== 'room') return;
  const nick = where.occupant?.nick ?? where.author ?? '';
  if (node.name === 'presence') {
    const hasLeft = attributeOf(node, 'type') === 'unavailable';
    record.systemEvent = hasLeft ? 'left' : 'joined';
    record.text = `${nick} ${hasLeft ? 'left' : 'joined'}`;
  } else if (childOf(node, 'body') === undefined && childOf(node, 'subject') !== undefined) {
    record.systemEvent = 'subject';
    record.text = `Subject: ${textOf(childOf(node, 'subject')).trim()}`;
  } else if (where.author === undefined) record.systemEvent = 'room';
}

function addRelations(record: NewMessage, relations: readonly Relation[]): void {
  if (relations.length === 0) return;
  const edit = relations.findLast(({ kind }) => kind === 'edit');
  if (edit) {
    record.text = edit.text ?? '';
    setContent(record, { attachments: edit.attachments ?? [], lost: edit.lost ?? {} });
    record.edited = { atMs: edit.atMs };
  }
  if (relations.some(({ kind }) => kind === 'deletion')) record.isDeleted = true;
  const reactions = reactionsIn(relations);
  if (reactions.length > 0) record.reactions = [...reactions];
  record.version = { markedAtMs: Math.max(...relations.map(({ atMs }) => atMs)) };
}

function addFacts(record: NewMessage, { node }: Stanza, where: Where): void {
  const thread = textOf(childOf(node, 'thread')).trim().slice(0, 200);
  const custom: Record<string, string> = {};
  if (thread !== '') custom.thread = thread;
  // A message to one person inside of a room.
  if (where.kind === 'direct' && where.room !== undefined) custom.room = where.room;
  if (hasMembers(custom)) record.custom = custom;
}

/** A correction whose message the archive no longer has: its text would be lost. */
export function correctionAlone(edit: Relation, workspace: string): MessageRecord {
  const record = newMessage({
    origin: { source: 'xmpp', workspace, conversation: edit.conversation, id: edit.id },
    sortKey: edit.alone!.sortKey,
    sentAtMs: edit.atMs,
    text: edit.text ?? '',
  });
  if (edit.author !== undefined) record.author = edit.author;
  setContent(record, { attachments: edit.attachments ?? [], lost: edit.lost ?? {} });
  record.edited = { atMs: edit.atMs };
  if (record.lost?.encrypted) record.systemEvent = encrypted;
  return record;
}

/** Id of the message that a stanza answers: XEP-0461. */
export const answeredName = ({ node }: Stanza): string | undefined =>
  attributeOf(childOf(node, 'reply', ns.reply), 'id');
