import { join } from 'node:path';
import Database from 'better-sqlite3';
import { tables } from './viber-database.ts';

const people = 50;
const chats = 20;
/** 2026-03-02, a Monday, in ms. */
const first = 1_772_442_000_000;

/** Writes about so many bytes: a database of groups; each fourth message answers, each tenth has a file. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const count = Math.ceil(bytes / 250);
  const db = new Database(join(folder, 'viber.db'));
  db.pragma('journal_mode = OFF');
  db.exec(tables);
  db.exec('BEGIN');
  const contact = db.prepare('INSERT INTO Contact (ContactID, Name, Number, MID) VALUES (?, ?, ?, ?)');
  for (let n = 1; n <= people; n++) contact.run(n, `Person ${n}`, `+1555555${1000 + n}`, `mid-${n}`);
  const chat = db.prepare('INSERT INTO ChatInfo (ChatID, Name, Token, PGType) VALUES (?, ?, ?, 255)');
  const member = db.prepare('INSERT INTO ChatRelation (ChatID, ContactID) VALUES (?, ?)');
  for (let n = 1; n <= chats; n++) {
    chat.run(n, `Group ${n}`, String(7000 + n));
    for (let person = 1; person <= people; person++) member.run(n, person);
  }
  const event = db.prepare(
    'INSERT INTO Events (EventID, TimeStamp, Direction, Type, ChatID, ContactID, Token) VALUES (?, ?, ?, 0, ?, ?, ?)',
  );
  const message = db.prepare('INSERT INTO Messages (EventID, Type, Body, PayloadPath, Info) VALUES (?, ?, ?, ?, ?)');
  for (let n = 1; n <= count; n++) {
    const person = 1 + (n % people);
    event.run(
      n,
      first + n * 700,
      person === 1 ? 1 : 0,
      1 + (n % chats),
      person,
      6_200_000_000_000_000_000n + BigInt(n),
    );
    const text = `Message ${n}: ${'with some words '.repeat(n % 12)}to the end`;
    const info =
      n % 4 === 0 ? `{"quote":{"token":${6_200_000_000_000_000_000n + BigInt(n - chats)},"text":"Message"}}` : '{}';
    message.run(n, n % 10 === 0 ? 2 : 1, text, n % 10 === 0 ? `C:\\ViberDownloads\\${n}.jpg` : null, info);
  }
  db.exec('COMMIT');
  db.close();
  return count;
}
