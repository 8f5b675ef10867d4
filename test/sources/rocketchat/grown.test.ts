import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withFile } from '../../contracts/altered-input.ts';
import { openSample, samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { rocketchat } from '../../../src/sources/rocketchat/index.ts';

const more = '{"_id":"later","rid":"GENERAL","msg":"Later","ts":"2026-04-01T09:00:00Z","u":{"_id":"x","username":"x"}}';

/** By sample: a file, and what it is made again with more messages. */
const grown: Readonly<Record<string, readonly [path: string, grow: (text: string) => string]>> = {
  collections: ['rocketchat_message.json', (text) => `${more}\n${text}`],
  'extended-json': ['rocketchat_message.json', (text) => `${text}${more}\n`],
  'damaged-collections': ['rocketchat_message.json', (text) => `${more}\n${text}`],
  'rest-answers': ['general.json', (text) => text.replace('"messages": [', `$&${more},`)],
  tables: ['general/messages.csv', (text) => `${text}ines,1772442060000,Later\n`],
};

it.each(samplesOf('rocketchat'))('a later export of $name keeps the ids of the first', async (sample) => {
  const [path, grow] = grown[sample.name]!;
  const input = await openSample(sample);
  const idsIn = async (export_: typeof input) =>
    messagesOf(await readAll(rocketchat, export_)).map(({ origin }) => JSON.stringify(origin));
  const first = await idsIn(input);
  const text = readFileSync(`${sample.folder}/export/${path}`, 'utf8');
  const later = await idsIn(withFile(input, path, Buffer.from(grow(text))));
  expect(later.length).toBe(first.length + 1);
  expect(new Set(first).difference(new Set(later))).toEqual(new Set());
});
