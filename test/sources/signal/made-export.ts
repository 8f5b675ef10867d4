import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

const words = 'The tide is in at six, and the harbour opens with it.';
const people = 50;
const firstMs = 1_700_000_000_000;

const account = (person: number): string => Buffer.alloc(16, person + 1).toString('base64');

/** What stands before the messages: people, and a group of all. */
function* headLines(): Generator<unknown> {
  yield { version: '1', backupTimeMs: String(firstMs) };
  yield { account: { givenName: 'Ines', familyName: 'Kai' } };
  yield { recipient: { id: '1', self: {} } };
  for (let person = 0; person < people; person++) {
    const contact = { aci: account(person), registered: {}, profileGivenName: `Person ${person}` };
    yield { recipient: { id: String(person + 10), contact } };
  }
  const snapshot = { title: { title: 'Harbour' } };
  yield { recipient: { id: '2', group: { masterKey: Buffer.alloc(32, 7).toString('base64'), snapshot } } };
  yield { chat: { id: '1', recipientId: '2' } };
}

/** A message as Signal writes one; every tenth has styles, every twentieth answers, every hundredth has a picture. */
function rowOf(id: number): string {
  const at = firstMs + id * 1000;
  const standardMessage = {
    ...(id % 20 === 3 && {
      quote: { targetSentTimestamp: String(at - 2000), authorId: String(((id - 2) % people) + 10) },
    }),
    text: {
      body: `Low water ${id} at pier ${id % 7}: ${words} ${words}`,
      ...(id % 10 === 0 && { bodyRanges: [{ length: 9, style: 'BOLD' }] }),
    },
    ...(id % 100 === 7 && {
      attachments: [{ pointer: { contentType: 'image/jpeg', fileName: `${id}.jpg`, locatorInfo: { size: 4711 } } }],
    }),
  };
  const incoming = { dateReceived: String(at + 300), dateServerSent: String(at + 200), read: true, sealedSender: true };
  const authorId = String((id % people) + 10);
  return `${JSON.stringify({ chatItem: { chatId: '1', authorId, dateSent: String(at), incoming, standardMessage } })}\n`;
}

/** Writes `main.jsonl` of one group, of about so many bytes. The same every time. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const file = createWriteStream(join(folder, 'main.jsonl'));
  let written = 0;
  let count = 0;
  for (const line of headLines()) file.write(`${JSON.stringify(line)}\n`);
  while (written < bytes) {
    let piece = '';
    while (piece.length < 256 * 1024 && written + piece.length < bytes) piece += rowOf(++count);
    written += piece.length;
    if (!file.write(piece)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
  return count;
}
