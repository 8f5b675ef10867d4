import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { matrix } from '../../../src/sources/matrix/index.ts';
import { withFile } from '../../contracts/altered-input.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, sampleOptions, samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();
const later = JSON.stringify({
  ...{ type: 'm.room.message', event_id: '$later', room_id: '!harbour:example.com', sender: '@ann:example.com' },
  ...{ origin_server_ts: 1_775_034_000_000, content: { msgtype: 'm.text', body: 'Later' } },
});
const inList = (list: string) => (text: string) => text.replace(new RegExp(`"${list}":\\s*\\[`), `$&${later},`);

/** By sample: a file, and what it is made again with more messages. */
const grown: Readonly<Record<string, readonly [path: string, grow: (text: string) => string]>> = {
  answers: ['messages-1.json', inList('chunk')],
  element: ['export.json', inList('messages')],
  sync: ['sync-1.json', inList('events')],
  synapse: ['rooms/!_Dk0cENmQd3oQtVpCf5FaqXWpdxHZInafW9OYjZgTP4/events', (text) => text + later],
  lists: ['lines.jsonl', (text) => `${later}\n${text}`],
  'damaged-events': ['events.jsonl', (text) => `${later}\n${text}`],
};

it.each(samplesOf('matrix'))('a later export of $name keeps the ids of the first', async (sample) => {
  const [path, grow] = grown[sample.name]!;
  const input = await openSample(sample);
  const idsIn = async (export_: typeof input) =>
    messagesOf(await readAll(matrix, export_, sampleOptions(sample))).map(({ origin }) => JSON.stringify(origin));
  const first = await idsIn(input);
  const text = readFileSync(`${sample.folder}/export/${path}`, 'utf8');
  const after = await idsIn(withFile(input, path, Buffer.from(grow(text))));
  // The first list of events of an answer of /sync is that of the account.
  expect(after.length).toBe(first.length + (sample.name === 'sync' ? 0 : 1));
  expect(new Set(first).difference(new Set(after))).toEqual(new Set());
});

it('an export that was made has as many messages as were made, each once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 300_000);
  const entries = await readAll(matrix, memoryInput({ 'room.json': readFileSync(join(folder, 'room.json'), 'utf8') }));
  const messages = messagesOf(entries);
  expect(new Set(messages.map(({ origin }) => origin.id)).size).toBe(count);
  expect(messages.filter(({ reactions }) => reactions).length).toBe(count / 5);
  expect(messages.filter(({ edited }) => edited).length).toBe(count / 10);
  expect(entries.flatMap((entry) => ('code' in entry ? [entry.code] : []))).toEqual(['matrix-earlier-version']);
});
