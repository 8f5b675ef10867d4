import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { importExport } from '../../src/index.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { apiKey, sandboxOf } from '../sandbox/fixture.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

/** Imports one message into a sandbox over HTTP as a program does that has the key as a text. */
async function importWith(key: string) {
  process.env.CHATFERRY_STATE_DIR = home.path;
  const server = await serveSandbox(sandboxOf());
  onTestFinished(() => server.close(0));
  const from = join(home.make(), 'export.ndjson');
  const store = join(home.make(), 'chat.db');
  writeRecords(from, [person('ann'), channel('room', { members: ['ann'] }), says(1, 'room', 'ann', 'Hello')]);
  return { outcome: await importExport({ from, to: server.url, store, apiKey: key }), store };
}

it('importExport() takes the key as a text, also with the line break of its file', async () => {
  const { outcome, store } = await importWith(`${apiKey}\n`);
  expect(outcome.exit).toBe(0);
  expect(readFileSync(store).includes(apiKey)).toBe(false);
});

it('importExport() shows a wrong key in no part of its outcome', async () => {
  const { outcome } = await importWith('wrong-key-0c9b7a');
  expect(outcome.exit).not.toBe(0);
  expect(inspect(outcome, { depth: 12, maxArrayLength: null })).not.toContain('wrong-key');
});
