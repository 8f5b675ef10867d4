import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationRecord, MessageRecord, UserRecord } from '../../../src/model/records.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An export of our own format in which no check finds anything; a test changes one thing of it. */
export interface CleanExport {
  readonly ada: Mutable<UserRecord>;
  readonly ben: Mutable<UserRecord>;
  readonly cleo: Mutable<UserRecord>;
  /** A public group of all three. */
  readonly lounge: Mutable<ConversationRecord>;
  /** Ada and Ben. */
  readonly pair: Mutable<ConversationRecord>;
  /** In the group: by Ada, Ben and Cleo, ten minutes apart. */
  readonly first: Mutable<MessageRecord>;
  readonly second: Mutable<MessageRecord>;
  readonly third: Mutable<MessageRecord>;
  /** Between the two: by Ada, then Ben. */
  readonly asked: Mutable<MessageRecord>;
  readonly answered: Mutable<MessageRecord>;
  /** All three write twice in the group: without one message, each has still written. */
  readonly fourth: Mutable<MessageRecord>;
  readonly fifth: Mutable<MessageRecord>;
  readonly sixth: Mutable<MessageRecord>;
  /** Records after these, for changes that need more. */
  readonly more: unknown[];
}

/** The clock of the plans of this export. */
export const nowMs = Date.parse('2026-11-21T12:00:00Z');
const startMs = Date.parse('2026-11-20T09:00:00Z');
const createdAtMs = Date.parse('2026-11-19T00:00:00Z');
export const minuteMs = 60_000;

export function cleanExport(): CleanExport {
  return {
    ada: { kind: 'user', id: 'ada', name: 'Ada', createdAtMs },
    ben: { kind: 'user', id: 'ben', name: 'Ben', createdAtMs },
    cleo: { kind: 'user', id: 'cleo', name: 'Cleo', createdAtMs },
    lounge: conversation('lounge', 'public', ['ada', 'ben', 'cleo']),
    pair: { ...conversation('pair', 'direct', ['ada', 'ben']), name: '' },
    first: message('lounge', '1', 'ada', 0),
    second: message('lounge', '2', 'ben', 10),
    third: message('lounge', '3', 'cleo', 20),
    asked: message('pair', '1', 'ada', 30),
    answered: message('pair', '2', 'ben', 40),
    fourth: message('lounge', '4', 'ada', 50),
    fifth: message('lounge', '5', 'ben', 60),
    sixth: message('lounge', '6', 'cleo', 70),
    more: [],
  };
}

const conversation = (id: string, type: ConversationRecord['type'], members: string[]): ConversationRecord => ({
  kind: 'conversation',
  id,
  type,
  name: id,
  createdAtMs,
  members,
});

/** @param minute After the beginning of the export. */
export const message = (conversationId: string, id: string, author: string, minute: number): MessageRecord => ({
  kind: 'message',
  origin: { source: 'made', workspace: 'w', conversation: conversationId, id },
  sortKey: String(minute).padStart(6, '0'),
  sentAtMs: startMs + minute * minuteMs,
  author,
  text: `Message ${id} of ${author}`,
});

/** Lines of the records in the file, from 1: `line.first` is the line of the first message. */
export const line = {
  ada: 1,
  ben: 2,
  cleo: 3,
  lounge: 4,
  pair: 5,
  first: 6,
  second: 7,
  third: 8,
  asked: 9,
  answered: 10,
  sixth: 13,
  more: 14,
};

/** Writes it as `export.ndjson` into a new folder. A string in `more` is written as an unchanged line. */
export function writeExport(folder: string, { more, ...records }: CleanExport): string {
  mkdirSync(folder, { recursive: true });
  const lines = [...Object.values(records), ...more].map((record) =>
    typeof record === 'string' ? record : JSON.stringify(record),
  );
  const path = join(folder, 'export.ndjson');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
