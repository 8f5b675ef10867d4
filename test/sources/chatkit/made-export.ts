import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const people = 50;
const rooms = 200;
const firstMs = Date.parse('2020-03-02T09:00:00Z');

function messageOf(number: number) {
  const at = `${new Date(firstMs + number * 1000).toISOString().slice(0, 19)}Z`;
  const text = `Message ${number} ${'with some words '.repeat(number % 7)}to the end`;
  return {
    id: number + 1,
    sender_id: `person${number % people}`,
    room_id: `room${number % rooms}`,
    created_at: at,
    updated_at: at,
    parts: [
      { part_type: 'inline', payload: { type: 'text/plain', content: text } },
      ...(number % 20 === 0
        ? [{ part_type: 'url', payload: { type: 'image/png', url: `https://files.example.com/${number}.png` } }]
        : []),
    ],
  };
}

/** An export of messages of about so many bytes, a line each, always the same. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const file = createWriteStream(join(folder, 'messages.ndjson'));
  let written = 0;
  let messages = 0;
  for (; written < bytes; messages += 1) {
    const text = `${JSON.stringify(messageOf(messages))}\n`;
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return messages;
}
