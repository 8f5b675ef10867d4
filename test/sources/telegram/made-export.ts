import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

const words = 'The tide is in at six, and the harbour opens with it.';

/** A message as Telegram Desktop writes one; every tenth has styles, every hundredth a picture. */
function rowOf(id: number): string {
  const seconds = 1_700_000_000 + id;
  const styled = [{ type: 'bold', text: 'Low water' }, ` at pier ${id % 7}: ${words}`];
  const row = {
    id,
    type: 'message',
    date: new Date(seconds * 1000).toISOString().slice(0, 19),
    date_unixtime: String(seconds),
    from: `Person ${id % 50}`,
    from_id: `user${1000 + (id % 50)}`,
    ...(id % 20 === 3 && { reply_to_message_id: id - 2 }),
    ...(id % 100 === 7 && { photo: `photos/photo_${id}.jpg`, width: 800, height: 600 }),
    text: id % 10 === 0 ? styled : `${id} ${words} ${words}`,
    text_entities:
      id % 10 === 0
        ? styled.map((piece) => (typeof piece === 'string' ? { type: 'plain', text: piece } : piece))
        : [{ type: 'plain', text: `${id} ${words} ${words}` }],
  };
  return JSON.stringify(row, undefined, 1);
}

/** Writes `result.json` of one chat, of about so many bytes. The same every time. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const file = createWriteStream(join(folder, 'result.json'));
  let written = 0;
  let count = 0;
  file.write('{\n "name": "Harbour",\n "type": "private_supergroup",\n "id": 1501,\n "messages": [\n');
  while (written < bytes) {
    let piece = '';
    while (piece.length < 256 * 1024 && written + piece.length < bytes)
      piece += `${count > 0 ? ',\n' : ''}${rowOf(++count)}`;
    written += piece.length;
    if (!file.write(piece)) await once(file, 'drain');
  }
  file.end('\n ]\n}\n');
  await finished(file);
  return count;
}
