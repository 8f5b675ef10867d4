import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const people = 500;
const rooms = 20;
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

const idOf = (prefix: string, number: number) => prefix + String(number).padStart(17 - prefix.length, '0');
const timeOf = (number: number) => ({ $date: new Date(firstMs + number * 700).toISOString() });
const personOf = (number: number) => ({
  _id: idOf('user', number % people),
  username: `person.${number % people}`,
  name: `Person ${number % people}`,
});
const roomOf = (number: number) => idOf('room', number % rooms);
const messageId = (number: number) => idOf('m', number);

/** Returns a message: each third mentions a person, each fifth has a reaction, each fourth answers in a thread, each tenth has a file. */
function messageOf(n: number): object {
  const file = { _id: idOf('file', n), name: `${n}.png`, type: 'image/png', size: n };
  const address = `/file-upload/${file._id}/${n}.png`;
  return {
    _id: messageId(n),
    rid: roomOf(n),
    msg: `${n % 3 === 0 ? `@person.${(n + 1) % people} ` : ''}Message ${n}: ${'with some words '.repeat(n % 12)}to the end :wave:`,
    ts: timeOf(n),
    u: personOf(n),
    ...(n % 4 === 0 && n >= rooms && { tmid: messageId(n - rooms) }),
    mentions: n % 3 === 0 ? [personOf(n + 1)] : [],
    channels: [],
    urls: [],
    ...(n % 5 === 0 && { reactions: { ':+1:': { usernames: [personOf(n + 2).username] } } }),
    ...(n % 10 === 0 && {
      file,
      files: [file],
      attachments: [{ title: file.name, title_link: address, image_url: address, image_type: file.type }],
    }),
    md: [{ type: 'PARAGRAPH', value: [{ type: 'PLAIN_TEXT', value: `Message ${n}` }] }],
    _updatedAt: timeOf(n),
  };
}

/** Collections of about so many bytes, always the same. @returns how many messages they have. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const users = numbers(people).map((number) => ({ ...personOf(number), type: 'user', active: true, roles: ['user'] }));
  writeFileSync(join(folder, 'users.json'), lines(users));
  const list = numbers(rooms).map((number) => ({
    ...{ _id: roomOf(number), t: 'c', name: `room-${number}`, msgs: 0, u: personOf(number), ts: timeOf(0) },
  }));
  writeFileSync(join(folder, 'rocketchat_room.json'), lines(list));
  const file = openSync(join(folder, 'rocketchat_message.json'), 'w');
  let written = 0;
  let count = 0;
  while (written < bytes) {
    const rows = numbers(500).map((number) => messageOf(count + number));
    written += writeSync(file, lines(rows));
    count += rows.length;
  }
  closeSync(file);
  return count;
}
