import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

const words = 'The tide is in at six, and the harbour opens with it.';
const two = (number: number) => String(number).padStart(2, '0');

/** A message as Android writes one, ten a minute; every tenth has styles and a second line, every hundredth names a picture. */
function rowOf(id: number): string {
  const at = new Date(Date.UTC(2020, 0, 14, 18, 2) + Math.floor(id / 10) * 60_000);
  const date = `${two(at.getUTCDate())}/${two(at.getUTCMonth() + 1)}/${at.getUTCFullYear()}`;
  const head = `${date}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} - Person ${id % 50}: `;
  if (id % 100 === 7) return `${head}IMG-20200114-WA${String(id % 10_000).padStart(4, '0')}.jpg (file attached)\n`;
  return id % 10 === 0 ? `${head}*Low water* at pier ${id % 7}:\n${id} ${words}\n` : `${head}${id} ${words} ${words}\n`;
}

/** Writes one chat of about so many bytes. The same every time. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const file = createWriteStream(join(folder, 'WhatsApp Chat with Harbour.txt'));
  let written = 0;
  let count = 0;
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
