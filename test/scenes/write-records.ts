import { writeFileSync } from 'node:fs';
import type { ChatRecord, ConversationRecord, MessageRecord, UserRecord } from '../../src/model/records.ts';

/** Noon of the first of March 2024. */
export const noonMs = Date.UTC(2024, 2, 1, 12);

export const person = (id: string, changes: Partial<UserRecord> = {}): UserRecord => ({
  kind: 'user',
  id,
  name: `Person ${id}`,
  ...changes,
});

export const channel = (id: string, changes: Partial<ConversationRecord> = {}): ConversationRecord => ({
  kind: 'conversation',
  id,
  type: 'public',
  name: id,
  members: [],
  ...changes,
});

/** A message with its number as time, in seconds after noon, and as id. */
export const says = (
  number: number,
  conversation: string,
  author: string,
  text: string,
  changes: Partial<MessageRecord> = {},
): MessageRecord => ({
  kind: 'message',
  origin: { source: 'test', workspace: '', conversation, id: `m${number}` },
  sortKey: String(number).padStart(6, '0'),
  sentAtMs: noonMs + number * 1000,
  author,
  text,
  ...changes,
});

/** An export of our own records. */
export function writeRecords(path: string, records: readonly ChatRecord[]): string {
  const lines = [{ kind: 'chatferry', version: 1 }, ...records].map((record) => JSON.stringify(record));
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
