import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const people = 500;
const room = '!harbour:example.com';
/** 2026-03-02, a Monday. */
const firstMs = 1_772_442_000_000;

const idOf = (kind: string, number: number) => `$${kind}${String(number).padStart(42, '0')}`;
const personOf = (number: number) => `@person.${number % people}:example.com`;

/** Returns the content of a message: each third has HTML and mentions a person, each fourth answers in a thread, each tenth has a file. */
function contentOf(n: number): object {
  const body = `Message ${n}: ${'with some words '.repeat(n % 12)}to the end`;
  const who = personOf(n + 1);
  const html = `<strong>Message</strong> ${body} <a href="https://matrix.to/#/${who}">Somebody</a>`;
  const thread = { rel_type: 'm.thread', event_id: idOf('m', n - 7), is_falling_back: true };
  return {
    msgtype: n % 10 === 0 ? 'm.image' : 'm.text',
    body: n % 10 === 0 ? `${n}.png` : body,
    ...(n % 3 === 0 && n % 10 > 0 && { format: 'org.matrix.custom.html', formatted_body: html }),
    ...(n % 3 === 0 && { 'm.mentions': { user_ids: [who] } }),
    ...(n % 4 === 0 && n > 7 && { 'm.relates_to': thread }),
    ...(n % 10 === 0 && { url: `mxc://example.com/file${n}`, info: { mimetype: 'image/png', size: n } }),
  };
}

/** A message; to each fifth a reaction, to each tenth an edit. */
function eventsOf(n: number): object[] {
  const event = (kind: string, sender: string, type: string, content: object) => ({
    ...{ type, sender, content, origin_server_ts: firstMs + n * 700, room_id: room, event_id: idOf(kind, n) },
    unsigned: { age: 1933172943 },
  });
  const target = idOf('m', n);
  const reaction = { 'm.relates_to': { rel_type: 'm.annotation', event_id: target, key: '👍' } };
  const now = { msgtype: 'm.text', body: `Message ${n}, as it is now` };
  const edit = { ...now, 'm.new_content': now, 'm.relates_to': { rel_type: 'm.replace', event_id: target } };
  return [
    event('m', personOf(n), 'm.room.message', contentOf(n)),
    ...(n % 5 === 0 ? [event('r', personOf(n + 2), 'm.reaction', reaction)] : []),
    ...(n % 10 === 1 ? [event('e', personOf(n), 'm.room.message', edit)] : []),
  ];
}

/** A saved room of about so many bytes, always the same. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, 'room.json'), 'w');
  let written = writeSync(file, '{"chunk":[\n');
  let count = 0;
  while (written < bytes) {
    const rows = Array.from({ length: 500 }, (_, number) => eventsOf(count + number)).flat();
    written += writeSync(file, (count > 0 ? ',\n' : '') + rows.map((row) => JSON.stringify(row)).join(',\n'));
    count += 500;
  }
  writeSync(file, '\n],"start":"t1"}');
  closeSync(file);
  return count;
}
