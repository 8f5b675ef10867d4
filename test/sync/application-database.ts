import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tables of an application, in SQL that every system understands. Times are Unix seconds. */
export const applicationSchema = `
  CREATE TABLE message (id INTEGER PRIMARY KEY, author TEXT, body TEXT, sent_at INTEGER, edited_at INTEGER);
  CREATE TABLE reaction (message_id INTEGER, author TEXT, emoji TEXT);`;

/** Writes how they are read. @returns Its path. */
export function applicationMapping(folder: string): string {
  const path = join(folder, 'application.yaml');
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
    edited: { from: edited_at, format: unix-s }
  reactions: { message: message_id, user: author, emoji: emoji }
`,
  );
  return path;
}
