import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sendbird } from '../../../src/sources/sendbird/index.ts';
import { withFile } from '../../contracts/altered-input.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();
const later =
  '{"type":"MESG","message_id":90000000000000099,"message":"Later","created_at":1775034000000,"channel_url":"sendbird_group_channel_1_harbour","user":{"user_id":"ines"}}';
const inJson = (text: string) => text.replace('"messages": [', `$&${later},`);

/** By sample: a file, and what it is made again with more messages. */
const grown: Readonly<Record<string, readonly [path: string, grow: (text: string) => string]>> = {
  'data-export': ['messages/harbour_2026-03_1.json', inJson],
  'damaged-export': ['messages/one.json', inJson],
  'api-answers': ['messages.ndjson', (text) => `${text}${later}\n`],
  tables: [
    'messages/messages.csv',
    (text) => `${text}90000000000000099|MESG|sendbird_group_channel_1_harbour|ines||Later|1775034000000|0|false||||\n`,
  ],
};

it.each(samplesOf('sendbird'))('a later export of $name keeps the ids of the first', async (sample) => {
  const [path, grow] = grown[sample.name]!;
  const input = await openSample(sample);
  const idsIn = async (export_: typeof input) =>
    messagesOf(await readAll(sendbird, export_)).map(({ origin }) => JSON.stringify(origin));
  const first = await idsIn(input);
  const text = readFileSync(`${sample.folder}/export/${path}`, 'utf8');
  const after = await idsIn(withFile(input, path, Buffer.from(grow(text))));
  expect(after.length).toBe(first.length + 1);
  expect(new Set(first).difference(new Set(after))).toEqual(new Set());
});

it('an export that was made has as many messages as were made, each once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 200_000);
  const text = readFileSync(join(folder, 'messages.json'), 'utf8');
  const entries = await readAll(sendbird, memoryInput({ 'messages.json': text }));
  const messages = messagesOf(entries);
  expect(new Set(messages.map(({ origin }) => origin.id)).size).toBe(count);
  expect(messages[1]?.origin.id).toBe('10463242991');
  expect(entries.filter(({ type }) => type === 'problem' || type === 'invalid')).toEqual([]);
});
