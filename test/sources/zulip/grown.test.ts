import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { zulip } from '../../../src/sources/zulip/index.ts';
import { withFile } from '../../contracts/altered-input.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();
const path = 'messages-000001.json';

const exported = samplesOf('zulip').filter(({ folder }) => existsSync(join(folder, 'export', path)));

it.each(exported)('a later export of $name keeps the ids of the first', async (sample) => {
  const text = readFileSync(join(sample.folder, 'export', path), 'utf8');
  const [, recipient] = /"recipient": ?(\d+)/.exec(text)!;
  const later = `{"id": 9000, "sender": 8, "recipient": ${recipient}, "subject": "later", "content": "Later", "date_sent": 1775034000.5}`;
  const input = await openSample(sample);
  const idsIn = async (export_: typeof input) =>
    messagesOf(await readAll(zulip, export_)).map(({ origin }) => JSON.stringify(origin));
  const first = await idsIn(input);
  const grown = text.replace(/"zerver_message": ?\[/, `$&${later},`);
  const after = await idsIn(withFile(input, path, Buffer.from(grown)));
  expect(after.length).toBe(first.length + 1);
  expect(new Set(first).difference(new Set(after))).toEqual(new Set());
});

it('messages are the same whichever files they are in', async () => {
  const folder = 'samples/zulip/whole-export/export';
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const [one, two] = [path, 'messages-000002.json'].map(
    (name) => JSON.parse(textOf(name)) as { zerver_message: object[] },
  );
  const shared = { 'realm.json': textOf('realm.json'), 'attachment.json': textOf('attachment.json') };
  const read = async (files: object) =>
    messagesOf(await readAll(zulip, memoryInput({ ...shared, ...files }))).sort((a, b) =>
      a.sortKey < b.sortKey ? -1 : 1,
    );
  const apart = await read({ 'messages-000001.json': one, 'messages-000002.json': two });
  const zerver_message = [...two!.zerver_message, ...one!.zerver_message];
  expect(await read({ 'messages-000007.json': { zerver_message } })).toEqual(apart);
});

it('an export that was made has as many messages as were made, each once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 200_000);
  const files = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const entries = await readAll(zulip, memoryInput(files));
  const messages = messagesOf(entries);
  expect(new Set(messages.map(({ origin }) => origin.id)).size).toBe(count);
  expect(messages.filter(({ reactions }) => reactions).length).toBe(count / 5);
  const codes = new Set(entries.flatMap((entry) => ('code' in entry ? [entry.code] : [])));
  expect([...codes]).toEqual(['zulip-not-migrated']);
});
