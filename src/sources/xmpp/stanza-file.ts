import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import { invalidEntry, isFullList, recordEntry, type RowProblem } from '../kit/entries.ts';
import { describe } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { invalidRow, unforeseen } from '../kit/rows/row-boundary.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import type { RowTime } from './format.ts';
import { type Content, readContent, unreadIn } from './message/content.ts';
import { MessageIdentity, listNames } from './message/identity.ts';
import { type About, aboutOther, findEncryption, isInvitation, isTombstone, silentReason } from './message/kinds.ts';
import { answeredName, correctionAlone, makeMessage } from './message/message.ts';
import type { Directory } from './message/people.ts';
import { type Relation, Relations } from './message/relations.ts';
import type { Rooms } from './message/rooms.ts';
import { type Nothing, sentAt, type Stanza, unwrap } from './message/unwrap.ts';
import { mayBeInRoom, noteRoom, type Where, placeStanza } from './message/where.ts';
import type { Row } from './rows/row.ts';
import { attributeOf, childOf, textOf } from './xml/xml-node.ts';

export const counted = ['xmpp-encrypted', 'xmpp-no-message', 'xmpp-not-migrated', 'xmpp-earlier-version'] as const;

/** A file of stanzas to read. */
export interface StanzaFile {
  readonly path: string;
  readonly workspace: string;
  /** Those of this file, on top of what all files say together. */
  readonly rooms: Rooms;
  readonly directory: Directory;
  readonly counts: CountedProblems;
  /** The rows from the beginning, in lists. */
  rows(): AsyncIterable<readonly Row[]>;
  /** Entries about the data around the messages, once it was read. */
  around(): readonly Entry[];
}

/** Stanzas that say something about others, or about rooms. */
const telling = /groupchat|muc_|muc#user|presence|reactions|retract|message-correct|urn:xmpp:reply/;
/** Names of elements that are counted one by one. */
const namesMax = 100;
/** Rows after which a list is looked at. */
const rowsPerList = 16;

/**
 * The entries of a file, which is read twice: first for corrections, deletions, reactions and rooms.
 *
 * Memory: a list of rows; what `Relations`, `Rooms` and `Directory` hold.
 */
export async function* readStanzas(file: StanzaFile): AsyncGenerator<readonly Entry[]> {
  const reading = new Reading(file);
  yield* noteRows(file, reading);
  // Data around the messages is counted in the second pass.
  file.counts.end(file.path, []);
  reading.beginAgain();
  yield [...file.directory.named(file.path)];
  try {
    for await (const rows of file.rows()) yield* readList(rows, reading);
  } catch (error) {
    yield reading.end();
    throw error;
  }
  yield reading.end();
}

/** First pass. A file that cannot be read any further says so in the second one, after all before it. Empty lists let a run stop. */
async function* noteRows(file: StanzaFile, reading: Reading): AsyncGenerator<readonly Entry[]> {
  try {
    for await (const rows of file.rows()) {
      for (const row of rows) reading.note(row);
      yield [];
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}

function* readList(rows: readonly Row[], reading: Reading): Generator<readonly Entry[]> {
  let entries: Entry[] = [];
  for (const [index, row] of rows.entries()) {
    reading.add(row, entries);
    if (index % rowsPerList !== 0 || !isFullList(entries)) continue;
    yield entries;
    entries = [];
  }
  yield entries;
}

class Reading {
  readonly #file: StanzaFile;
  readonly #relations = new Relations();
  readonly #notes = new RowNotes();
  readonly #unread = new Set<string>();
  #identity = new MessageIdentity();
  #number = 0;

  constructor(file: StanzaFile) {
    this.#file = file;
  }

  beginAgain(): void {
    this.#identity = new MessageIdentity();
    this.#number = 0;
  }

  /** First pass. A row that cannot be understood is invalid in the second one. */
  note(row: Row): void {
    this.#number += 1;
    const { written } = row;
    const isQuiet = written !== undefined && !row.room && !telling.test(written);
    if (isQuiet && !mayBeInRoom(written, this.#file.rooms)) return;
    try {
      for (const stanza of stanzasIn(row)) this.#noteStanza(stanza);
    } catch (error) {
      unforeseen(error);
    }
  }

  #noteStanza(stanza: Stanza): void {
    const { rooms, directory } = this.#file;
    const where = placeStanza(stanza, rooms);
    if (!('conversation' in where)) return;
    noteRoom(rooms, stanza, where);
    const time = sentAt(stanza);
    if (where.kind === 'room') {
      directory.noteMembers(where.conversation, where.members);
      const subject = childOf(stanza.node, 'subject');
      if (subject && childOf(stanza.node, 'body') === undefined && time)
        directory.noteTopic(where.conversation, textOf(subject).trim(), time.atMs);
    }
    const answered = answeredName(stanza);
    if (answered !== undefined) this.#relations.answer(where.conversation, answered);
    const about = aboutOther(stanza.node);
    if (about && time && isReal(stanza)) this.#noteAbout(about, { stanza, where, time });
  }

  #noteAbout(about: About, { stanza, where, time }: Placed): void {
    const isByRoom = about.kind === 'deletion' && about.isByRoom && where.kind === 'room' && where.author === undefined;
    const content = about.kind === 'edit' ? readContent(stanza.node) : undefined;
    const aim = { kind: about.kind, target: about.target, conversation: where.conversation, speaker: where.speaker };
    const origin = { author: where.author, atMs: time.atMs, location: stanza.row.location, isByRoom };
    const relation: Relation = {
      ...aim,
      ...origin,
      id: this.#identity.idOf(stanza, where, time),
      ...(about.kind === 'reaction' && { emoji: about.emoji }),
      ...(content && { text: content.text, attachments: content.attachments, lost: content.lost }),
      ...(content && {
        alone: {
          kind: where.kind,
          members: where.members,
          nicks: [...where.nicks],
          sortKey: rowSortKey(time.nanoseconds, this.#number),
        },
      }),
    };
    this.#relations.add(relation, attributeOf(stanza.node, 'id'));
  }

  /** Second pass. */
  add(row: Row, into: Entry[]): void {
    this.#number += 1;
    const begin = into.length;
    try {
      const node = row.read();
      const found = 'code' in node ? node : unwrap(node, row);
      if (!Array.isArray(found)) return void this.#none(found as Nothing, row, into);
      for (const stanza of found as readonly Stanza[]) this.#addStanza(stanza, into);
    } catch (error) {
      invalidRow(error, { into, begin, location: row.location });
    }
  }

  #addStanza(stanza: Stanza, into: Entry[]): void {
    const { row, node } = stanza;
    if (!isReal(stanza)) return void this.#none(notReal(stanza), row, into);
    const where = placeStanza(stanza, this.#file.rooms);
    if (!('conversation' in where)) return void this.#none(where, row, into);
    const time = sentAt(stanza);
    const about = aboutOther(node);
    const none = about ? undefined : nothingIn(stanza);
    if (none) return void this.#none(none, row, into);
    if (time === undefined) {
      const reason = `Expected a time, found ${describe(row.writtenTime)}`;
      return void this.#none({ code: 'xmpp-bad-time', reason }, row, into, where.conversation);
    }
    // It belongs to another message, or is read at the end.
    if (!about) this.#addMessage({ stanza, where, time }, into);
  }

  #addMessage({ stanza, where, time }: Placed, into: Entry[]): void {
    const { node, row } = stanza;
    const { directory, workspace } = this.#file;
    const answered = answeredName(stanza);
    const quoteOf = answered === undefined ? undefined : this.#relations.answeredId(where.conversation, answered);
    const content = readContent(node);
    if (content.isEmpty && node.name !== 'presence' && !isTombstone(node))
      return void this.#none(silentReason(node, unreadIn(node, true)), row, into, where.conversation);
    const id = this.#identity.idOf(stanza, where, time);
    const names = listNames(node, where, row.archiveId);
    const target = { conversation: where.conversation, names, speaker: where.speaker, atMs: time.atMs, id };
    const relations = this.#relations.of(target);
    const parts = { workspace, stanza, where, time, id, number: this.#number, content, relations, quoteOf };
    const record = makeMessage(parts);
    const reacting = relations.flatMap(({ kind, author }) =>
      kind === 'reaction' && author !== undefined ? [author] : [],
    );
    directory.describe(where, reacting, row.location, into);
    if (where.kind === 'direct' && where.nicks.size > 0) {
      const reason = `Found "${[...where.nicks.keys()][0]!.slice(0, 200)}", whose address is not known`;
      this.#notes.add('xmpp-known-by-nick', reason, row.location, into);
    }
    this.#countUnread(stanza, content);
    if (answered !== undefined && quoteOf === undefined)
      this.#file.counts.add('xmpp-not-migrated', 'quotes of messages that are not in the file');
    if (record.lost?.encrypted) this.#file.counts.add('xmpp-encrypted', 'encrypted messages');
    into.push(recordEntry(record, row.location));
  }

  #countUnread({ node }: Stanza, { otherTexts }: Content): void {
    const { counts } = this.#file;
    counts.add('xmpp-not-migrated', 'texts in further languages', otherTexts);
    for (const name of unreadIn(node)) {
      const isShown = this.#unread.has(name) || this.#unread.size < namesMax;
      if (isShown) this.#unread.add(name);
      counts.add('xmpp-not-migrated', isShown ? `elements ${name}` : 'further elements');
    }
  }

  #none(found: Nothing, { location }: Row, into: Entry[], conversation?: string): void {
    if ('code' in found) into.push(invalidEntry(found.code, found.reason, location, conversation));
    else this.#file.counts.add(found.isLost ? 'xmpp-not-migrated' : 'xmpp-no-message', found.none);
  }

  /** Corrections of messages that the file does not have are messages; deletions and reactions are named. */
  end(): readonly Entry[] {
    const { path, workspace, directory, counts } = this.#file;
    const into: Entry[] = [];
    for (const relation of this.#relations.left()) {
      const { kind, location, target, alone } = relation;
      if (alone === undefined) {
        const what = kind === 'deletion' ? 'A stanza deletes' : 'A stanza reacts to';
        this.#notes.add(
          'xmpp-target-elsewhere',
          `${what} "${target.slice(0, 80)}", which is not in this file`,
          location,
          into,
        );
        continue;
      }
      const { conversation, author, speaker } = relation;
      const room = { conversation, kind: alone.kind, members: alone.members, nicks: new Map(alone.nicks) };
      const where: Where = { ...room, author, speaker, to: '', room: undefined, isRoomArchive: false };
      directory.describe(where, [], location, into);
      into.push(recordEntry(correctionAlone(relation, workspace), location));
    }
    this.#notes.end(path, into);
    counts.add('xmpp-earlier-version', 'earlier versions of corrected messages', this.#relations.correctedCount);
    counts.add('xmpp-not-migrated', 'further reactions and corrections of one message', this.#relations.furtherCount);
    counts.end(path, into);
    into.push(...this.#file.around());
    return into;
  }
}

interface Placed {
  readonly stanza: Stanza;
  readonly where: Where;
  readonly time: RowTime;
}

/** The messages in a row; none if there is a reason against it, which the second pass gives. */
export function stanzasIn(row: Row): readonly Stanza[] {
  const node = row.read();
  const found = 'code' in node ? node : unwrap(node, row);
  return Array.isArray(found) ? (found as readonly Stanza[]) : [];
}

/** Whether it was delivered: a message that came back as an error was never read. */
const isReal = ({ node }: Stanza): boolean =>
  (node.name === 'message' || node.name === 'presence') && attributeOf(node, 'type') !== 'error';

const notReal = ({ node }: Stanza): RowProblem | { readonly none: string; readonly isLost: boolean } =>
  attributeOf(node, 'type') === 'error'
    ? { none: 'messages that came back as errors', isLost: true }
    : { code: 'xmpp-bad-stanza', reason: `Expected a message, found <${node.name.slice(0, 40)}>` };

function nothingIn({ node }: Stanza): Nothing | undefined {
  if (findEncryption(node) === 'keys') return { none: 'exchanges of keys', isLost: false };
  return isInvitation(node) ? { none: 'invitations into rooms', isLost: true } : undefined;
}
