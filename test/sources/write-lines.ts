import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Writes rows as lines of JSON until there are so many bytes. @returns how many rows there are. */
export async function writeLines(path: string, bytes: number, row: (number: number) => object): Promise<number> {
  const file = createWriteStream(path);
  let count = 0;
  for (let written = 0; written < bytes; count += 1) {
    const text = `${JSON.stringify(row(count))}\n`;
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return count;
}
