/**
 * Measures the client of a location alone: reads each file of a folder, computes the digest it is uploaded with, and
 * uploads it. No store, no intents, no checks. `node bench/media-client.ts FOLDER LOCATION [ENDPOINT]`.
 */
import { createHash, hash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { MediaContent } from '../src/media/media-location.ts';
import { openLocation } from '../src/media/open-location.ts';

/** That of `chatferry media copy`. */
const concurrency = 8;
const smallBytesMax = 256 * 1024;
const about = { contentType: 'application/octet-stream', disposition: 'inline' };

const [folder, to, endpoint] = process.argv.slice(2) as [string, string, string | undefined];
const address = endpoint === undefined ? 'https://files.example.com' : undefined;
const location = await openLocation(
  { to, endpoint, address, key: '{sha256}', region: 'us-east-1' },
  { env: process.env },
);
const limit = pLimit(concurrency);
const names = readdirSync(folder);
await limit.map(names, async (name) => {
  const content = await contentOf(join(folder, name));
  await location.put(`${content.sha256}.bin`, content, new AbortController().signal);
});
await location.close();
console.log(JSON.stringify({ copied: names.length }));

async function contentOf(path: string): Promise<MediaContent> {
  const sizeBytes = statSync(path).size;
  if (sizeBytes <= smallBytesMax) {
    const bytes = await readFile(path);
    return {
      ...about,
      sizeBytes,
      sha256: hash('sha256', bytes),
      open: async function* () {
        yield bytes;
      },
    };
  }
  const digest = createHash('sha256');
  for await (const chunk of readStream(path)) digest.update(chunk as Buffer);
  return { ...about, sizeBytes, sha256: digest.digest('hex'), open: () => readStream(path) };
}

function readStream(path: string) {
  return createReadStream(path, { highWaterMark: smallBytesMax });
}
