import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { binarySamples } from './binary-samples.ts';

it.each([...binarySamples()])('the binary sample %s is the one that its script makes', (path, bytes) => {
  if (process.env.UPDATE_SAMPLES) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  expect(existsSync(path), `${path} is missing: UPDATE_SAMPLES=1 writes it`).toBe(true);
  const contentOf = (file: Uint8Array) => (path.endsWith('.gz') ? gunzipSync(file) : Buffer.from(file));
  expect(contentOf(readFileSync(path)).equals(contentOf(bytes))).toBe(true);
});
