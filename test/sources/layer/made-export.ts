import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const people = 50;
const conversations = 200;
const firstMs = Date.parse('2018-03-02T09:00:00Z');

const messageOf = (number: number) => ({
  id: `layer:///messages/m${number}`,
  conversation: { id: `layer:///conversations/c${number % conversations}` },
  parts: [
    {
      id: `layer:///messages/m${number}/parts/0`,
      mime_type: 'text/plain',
      body: `Message ${number} ${'with some words '.repeat(number % 7)}to the end`,
    },
  ],
  sent_at: new Date(firstMs + number * 1000).toISOString(),
  sender: { user_id: `person${number % people}`, name: null },
  recipient_status: { [`person${(number + 1) % people}`]: 'read' },
});

/** A historical export of about so many bytes, always the same. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  const file = createWriteStream(join(folder, 'export.json'));
  file.write('{"conversations":[],"messages":[\n');
  let written = 0;
  let messages = 0;
  for (; written < bytes; messages += 1) {
    const text = `${messages === 0 ? '' : ',\n'}${JSON.stringify(messageOf(messages))}`;
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end(']}\n');
  await once(file, 'finish');
  return messages;
}
