import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stream } from '../../../src/sources/stream/index.ts';
import { withFile } from '../../contracts/altered-input.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();
const fields = '"id":"later","text":"Later","user":"ann","created_at":"2026-04-01T09:00:00Z"';
const item = `{"type":"message","item":{${fields},"channel_type":"messaging","channel_id":"harbour"}}`;

/** By sample: a file, and what it is made again with more messages. */
const grown: Readonly<Record<string, readonly [path: string, grow: (text: string) => string]>> = {
  'import-v2': ['import.jsonl', (text) => `${item}\n${text}`],
  'damaged-import': ['import.jsonl', (text) => `${item}\n${text}`],
  'import-v1': ['import.json', (text) => text.replace('[', `[${item},`)],
  'channels-v1': ['harbour.json', (text) => text.replace('"messages": [', `$&{${fields},"cid":"messaging:harbour"},`)],
  'channels-v2': ['export.jsonl', (text) => `${text}{"message":{${fields},"cid":"messaging:quay"}}\n`],
};

it.each(samplesOf('stream'))('a later export of $name keeps the ids of the first', async (sample) => {
  const [path, grow] = grown[sample.name]!;
  const input = await openSample(sample);
  const idsIn = async (export_: typeof input) =>
    messagesOf(await readAll(stream, export_)).map(({ origin }) => JSON.stringify(origin));
  const first = await idsIn(input);
  const text = readFileSync(`${sample.folder}/export/${path}`, 'utf8');
  const later = await idsIn(withFile(input, path, Buffer.from(grow(text))));
  expect(later.length).toBe(first.length + 1);
  expect(new Set(first).difference(new Set(later))).toEqual(new Set());
});

it('an export that was made has as many messages as were made, each once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 200_000);
  const entries = await readAll(
    stream,
    memoryInput({ 'import.jsonl': readFileSync(join(folder, 'import.jsonl'), 'utf8') }),
  );
  expect(new Set(messagesOf(entries).map(({ origin }) => origin.id)).size).toBe(count);
  expect(entries.filter(({ type }) => type === 'problem' || type === 'invalid')).toEqual([]);
});
