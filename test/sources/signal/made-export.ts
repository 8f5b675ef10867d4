import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

const words = 'The tide is in at six, and the harbour opens with it.';
const people = 50;
const firstMs = 1_700_000_000_000;

const account = (person: number): string => Buffer.alloc(16, person + 1).toString('base64');

/** Yields the lines before the messages: people, and a group of all. */
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

/** Who wrote it: every third is one's own. */
const authorOf = (id: number): string => (id % 3 === 0 ? '1' : String((id % people) + 10));

/** How far it came: of one's own message to each member. */
function wayOf(id: number, at: number): object {
  if (id % 3 !== 0) {
    const [dateReceived, dateServerSent] = [String(at + 300), String(at + 200)];
    return { incoming: { dateReceived, dateServerSent, read: true, sealedSender: true } };
  }
  const sendStatus = [10, 11, 12, 13, 14].map((recipient) => {
    return { recipientId: String(recipient), timestamp: String(at + 900), read: { sealedSender: true } };
  });
  return { outgoing: { sendStatus, dateReceived: String(at) } };
}

/** A message as Signal writes one; every tenth has styles, others quotes, reactions, a link, a picture. */
function rowOf(id: number): string {
  const at = firstMs + id * 1000;
  const quote = {
    targetSentTimestamp: String(at - 2000),
    authorId: authorOf(id - 2),
    text: { body: words },
    type: 'NORMAL',
  };
  const pointer = {
    contentType: 'image/jpeg',
    fileName: `${id}.jpg`,
    width: 1600,
    height: 1200,
    blurHash: 'L6PZfSi_.AyE_3t7t7R**0o#DgR4',
    locatorInfo: { key: account(id % people), plaintextHash: account(id % people), size: 4711 },
  };
  const reaction = {
    emoji: '👍',
    authorId: authorOf(id + 1),
    sentTimestamp: String(at + 5000),
    sortOrder: String(at + 5000),
  };
  const standardMessage = {
    ...(id % 20 === 3 && { quote }),
    text: {
      body: `Low water ${id} at pier ${id % 7}: ${words} ${words}`,
      ...(id % 10 === 0 && { bodyRanges: [{ length: 9, style: 'BOLD' }] }),
    },
    ...(id % 20 === 7 && { attachments: [{ pointer, wasDownloaded: true }] }),
    ...(id % 30 === 5 && { linkPreview: [{ url: 'https://tide.example.com', title: words, description: words }] }),
    ...(id % 8 === 1 && { reactions: [reaction] }),
  };
  const chatItem = { chatId: '1', authorId: authorOf(id), dateSent: String(at), ...wayOf(id, at), standardMessage };
  return `${JSON.stringify({ chatItem })}\n`;
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
