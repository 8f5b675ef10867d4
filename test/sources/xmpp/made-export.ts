import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const people = 50;
/** 2026-03-02, a Monday, in µs. */
const firstMicroseconds = 1_772_442_000_000_000n;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Rows of one message: in a room one, between two people one for each. */
function rowsOf(number: number): string {
  const [from, to] = [`p${number % people}@example.com`, `p${(number * 7 + 1) % people}@example.com`];
  const text = `Message ${number} ${'with some words '.repeat(number % 7)}to the end`;
  const time = firstMicroseconds + BigInt(number) * 1_000_000n;
  const row = (owner: string, atUs: bigint, peer: string, kind: string, nick: string, receiver: string) => {
    const stanza = `<message xml:lang='en' to='${receiver}' from='${from}/phone' type='${kind}' id='m${number}' xmlns='jabber:client'><body>${text}</body><request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/></message>`;
    return `${owner},${atUs},${peer},${peer},${quoted(stanza)},${quoted(text)},${number},${kind},${nick},2026-03-02 09:00:00\n`;
  };
  if (number % 3 === 0) {
    const room = `room${number % 20}@conference.example.com`;
    return row(room, time, from, 'groupchat', `Nick ${number % people}`, room);
  }
  const [sender, receiver] = [from.split('@')[0]!, to.split('@')[0]!];
  return row(sender, time, to, 'chat', '', to) + row(receiver, time + 400n, from, 'chat', '', to);
}

/** A table of ejabberd of about so many bytes, always the same. @returns how many messages it has, each once. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const file = createWriteStream(join(folder, 'archive.csv'));
  file.write('username,timestamp,peer,bare_peer,xml,txt,id,kind,nick,created_at\n');
  let written = 0;
  let messages = 0;
  for (; written < bytes; messages += 1) {
    const rows = rowsOf(messages);
    written += Buffer.byteLength(rows);
    if (!file.write(rows)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return messages;
}
