import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { readEntriesHere } from '../../../src/plan/reading/read-entries.ts';
import { watchInput } from '../../../src/plan/reading/watch-input.ts';
import { never } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { says } from '../../scenes/write-records.ts';

const home = temporaryFolder();
const line = (number: number) => `${JSON.stringify(says(number, 'general', 'ann', `Message ${number}`))}\n`;

async function opened(content: string) {
  const path = join(home.make(), 'messages.ndjson');
  writeFileSync(path, content);
  const [input] = await openExport([path]);
  return { path, input: input! };
}

describe('watchInput()', () => {
  it('tells what a file was before it was read, and adds up what was read of it', async () => {
    const { path, input } = await opened('one\ntwo\n');
    const { input: watched, statOf, sumAt } = watchInput(input, () => undefined);
    const before = await input.stat('messages.ndjson');
    let isAdded = false;
    for await (const _ of watched.open('messages.ndjson')) {
      if (!isAdded) appendFileSync(path, 'three\n');
      isAdded = true;
    }
    expect(await sumAt('messages.ndjson', 8)).toEqual({ byteOffset: 8, sum: crc32('one\ntwo\n') });
    // What was read stays known, whatever stands there by now.
    writeFileSync(path, 'ONE\nTWO\nTHREE\n');
    expect(await sumAt('messages.ndjson', 8)).toEqual({ byteOffset: 8, sum: crc32('one\ntwo\n') });
    expect(await statOf('messages.ndjson')).toEqual(before);
  });

  it('adds up from where an earlier reading ended', async () => {
    const { input } = await opened('one\ntwo\n');
    const start = { byteOffset: 4, sum: crc32('one\n') };
    const { input: watched, sumAt } = watchInput(input, () => start);
    for await (const _ of watched.growing!('messages.ndjson')!.openAt(4));
    expect(await sumAt('messages.ndjson', 8)).toEqual({ byteOffset: 8, sum: crc32('one\ntwo\n') });
  });
});

describe('reading a file that changes meanwhile', () => {
  const request = { source: 'chatferry', sourceOptions: {}, workspace: undefined, wanted: ['all' as const] };
  const entriesOf = async (path: string, act: () => void) => {
    const inputs = await openExport([path]);
    const entries = [];
    for await (const list of readEntriesHere(inputs, request, never)) {
      if (entries.length === 0) act();
      entries.push(...list.entries);
    }
    return entries;
  };

  it('has the fingerprint from before, so that what was added is found', async () => {
    const { path, input } = await opened(line(1) + line(2));
    const before = await input.stat('messages.ndjson');
    const entries = await entriesOf(path, () => appendFileSync(path, line(3)));
    expect(entries.at(-1)).toMatchObject({ type: 'file', stat: before });
    // It was found by this reading already: the next one goes on behind it.
    expect(entries.find(({ type }) => type === 'read-end')).toMatchObject({ end: { lineCount: 3 } });
  });

  it('has none where the file is gone before its end is known', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => line(index)).join('');
    const { path } = await opened(`${lines}${line(9).trimEnd()}`);
    const entries = await entriesOf(path, () => rmSync(path));
    const [end, file] = [entries.find(({ type }) => type === 'read-end'), entries.at(-1)];
    expect(file).toMatchObject({ type: 'file' });
    // Where nothing is left to be read for the sum, it is that of what was read.
    if (!end) expect(file).toMatchObject({ stat: { fingerprint: '' } });
  });
});
