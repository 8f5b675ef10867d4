import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tables of an application that says when a row changed. @param time Type of that column. */
export const followedSchema = (time: string) => `
  CREATE TABLE message (id INTEGER PRIMARY KEY, author TEXT, body TEXT, sent_at BIGINT, changed_at ${time});
  CREATE TABLE reaction (message_id INTEGER, author TEXT, emoji TEXT);`;

/** Writes how they are read. @returns Its path. */
export function followedMapping(folder: string): string {
  const path = join(folder, 'followed.yaml');
  writeFileSync(
    path,
    `version: 1
source:
  tables:
    messages: { table: message }
    reactions: { table: reaction }
  messages:
    id: id
    conversation: { constant: team }
    author: author
    time: { from: sent_at, format: unix-s }
    text: body
  reactions: { message: message_id, user: author, emoji: emoji }
`,
  );
  return path;
}
