import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { readEntries, watchInput } from '../../../src/plan/reading/read-entries.ts';
import { sourceNamed } from '../../../src/plan/choose-source.ts';
import { never } from '../../scenes/bench.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { says } from '../../scenes/write-records.ts';

const chatferry = sourceNamed('chatferry');

const home = temporaryFolderInMemory();
const name = 'messages.ndjson';
const line = (number: number) => `${JSON.stringify(says(number, 'general', 'ann', `Message ${number}`))}\n`;

async function opened(content: string) {
  const path = join(home.make(), name);
  writeFileSync(path, content);
  const [input] = await openExport([path]);
  return { path, input: input! };
}

describe('watchInput()', () => {
  it('returns the state of a file before it was opened, once', async () => {
    const { path, input } = await opened(line(1));
    const before = await input.stat(name);
    const { input: watched, firstStat: statOf } = watchInput(input);
    await watched.read(name, 10_000);
    appendFileSync(path, line(2));
    expect(await statOf(name)).toEqual(before);
    expect(await statOf(name)).toEqual(await input.stat(name));
  });

  it('gives a missing file no fingerprint, so that the next plan checks it again', async () => {
    const { path, input } = await opened(line(1));
    rmSync(path);
    expect(await watchInput(input).firstStat(name)).toEqual({ sizeBytes: 0, fingerprint: '' });
  });
});

describe('readEntries()', () => {
  it('ends a file that grows during reading with its earlier fingerprint, so that the next plan rereads it', async () => {
    const { path, input } = await opened(line(1) + line(2));
    const before = await input.stat(name);
    const request = {
      adapter: chatferry,
      sourceOptions: {},
      workspace: undefined,
      wanted: ['all' as const],
      isIgnored: () => false,
    };
    const entries = [];
    for await (const list of readEntries([input], request, never)) {
      if (entries.length === 0) appendFileSync(path, line(3));
      entries.push(...list.entries);
    }
    expect(entries.at(-1)).toMatchObject({ type: 'file', stat: before });
    expect((await input.stat(name)).fingerprint).not.toBe(before.fingerprint);
  });
});
