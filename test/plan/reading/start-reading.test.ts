import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { SourceError } from '../../../src/lib/errors.ts';
import type { EntryList, ReadEntry, ReadRequest, StepList } from '../../../src/plan/reading/protocol.ts';
import { readEntriesHere } from '../../../src/plan/reading/read-entries.ts';
import { startReading } from '../../../src/plan/reading/start-reading.ts';
import { never } from '../../scenes/bench.ts';
import { makeExport } from '../../scenes/make-export.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

const requestOf = (changes: Partial<ReadRequest> = {}): ReadRequest => ({
  source: 'slack',
  sourceOptions: { includeUnfurls: false },
  workspace: undefined,
  wanted: ['all'],
  ...changes,
});

function exported(messages = 600): string {
  const folder = join(home.make(), 'export');
  makeExport(folder, { seed: 5, messages });
  return folder;
}

const entriesOf = (list: EntryList | StepList) => ('entries' in list ? list.entries : []);

const collect = async (lists: AsyncIterable<EntryList | StepList>) => (await Array.fromAsync(lists)).flatMap(entriesOf);

describe('a reading thread', () => {
  it('reads what this thread would, entry by entry', async () => {
    const folder = exported();
    const inputs = await openExport([folder]);
    const here = await collect(readEntriesHere(inputs, requestOf(), never));
    expect(here.length).toBeGreaterThan(600);
    expect(await collect(startReading([folder], 'slack').read(requestOf(), never))).toEqual(here);
    for (const input of inputs) await input.close();
  });

  it('reads the wanted files alone', async () => {
    const folder = exported();
    const [input] = await openExport([folder]);
    const path = (await input!.paths()).find((candidate) => /\d\.json$/.test(candidate))!;
    await input!.close();
    const entries = await collect(startReading([folder], 'slack').read(requestOf({ wanted: [[path]] }), never));
    const rowFiles = entries.flatMap((entry) => (entry.type === 'file' && entry.role === 'rows' ? [entry.path] : []));
    expect(rowFiles).toEqual([path]);
  });

  it('hands on why an export cannot be read, with what to do', async () => {
    const folder = home.make();
    mkdirSync(join(folder, 'empty'));
    const reading = collect(startReading([join(folder, 'empty')], 'slack').read(requestOf(), never));
    await expect(reading).rejects.toBeInstanceOf(SourceError);
    await expect(reading).rejects.toMatchObject({ hint: 'Check the path' });
  });

  it('ends with an abort, with its reason', async () => {
    const abort = new AbortController();
    const reading = async () => {
      for await (const _ of startReading([exported(3000)], 'slack').read(requestOf(), abort.signal))
        abort.abort(new Error('enough'));
    };
    await expect(reading()).rejects.toThrow('enough');
  });

  it('waits for its reader: the end of a large export is not read before its beginning is taken', async () => {
    const folder = exported(5000);
    const [input] = await openExport([folder]);
    const last = (await input!.paths()).filter((path) => /\d\.json$/.test(path)).at(-1)!;
    await input!.close();
    const entries: ReadEntry[] = [];
    for await (const list of startReading([folder], 'slack').read(requestOf(), never)) {
      if (entries.length === 0) rmSync(join(folder, last));
      entries.push(...entriesOf(list));
    }
    expect(entries.filter((entry) => entry.type === 'reject').map(({ location }) => location.path)).toEqual([last]);
  });

  it('says what it has opened before it is asked to read', async () => {
    const folder = exported(10);
    const thread = startReading([folder], undefined);
    expect(await thread.opened()).toMatchObject({ source: 'slack', inputs: [{ label: 'export', problems: [] }] });
    expect((await collect(thread.read(requestOf(), never))).length).toBeGreaterThan(10);
  });

  it('can be closed without having read', async () => {
    await expect(startReading([exported(10)], 'slack').close()).resolves.toBeUndefined();
  });
});
