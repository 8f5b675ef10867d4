import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PartCounter } from '../../src/commands/prepare/inspect.ts';
import { inspect } from '../../src/commands/prepare.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Inspection } from '../../src/commands/results.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const sample = (path: string) => join(import.meta.dirname, '../../samples', path);

const linesOf = ({ parts }: Inspection) =>
  parts.map(({ path, table = '-', rows, people, conversations }) =>
    [path, table, rows, people, conversations].join(' '),
  );

const dayOf = (ms: number | null) => (ms === null ? '-' : new Date(ms).toISOString().slice(0, 10));

describe('inspect()', () => {
  it('counts the records of each table of a database', async () => {
    const folder = sample('database/own-database-postgres');
    const mapping = await loadMapping(`${folder}/mapping.yaml`);
    const found = await inspect({ from: `${folder}/export.sql`, mapping });
    expect(linesOf(found)).toEqual(['export.sql users 0 4 0', 'export.sql rooms 0 0 3', 'export.sql messages 11 0 0']);
    const because = 'the mapping says so';
    expect(found.roles).toContainEqual({ role: 'messages', value: { table: 'messages' }, because });
  });

  it('counts the records of each file of any other export, and in them every row of the export', async () => {
    const found = await inspect({ from: sample('slack/every-feature/export') });
    expect(linesOf(found)).toEqual(
      expect.arrayContaining([
        'users.json - 0 7 0',
        'channels.json - 0 0 4',
        'general/*.json - 19 0 0',
        'design/2026-03-03.json - 7 0 0',
      ]),
    );
    expect(found.parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(found.rows);
  });

  it('says of each file when its messages were written', async () => {
    const { parts, ...found } = await inspect({ from: sample('slack/every-feature/export') });
    const days = parts.map(({ path, firstAtMs, lastAtMs }) => [path, ...[firstAtMs, lastAtMs].map(dayOf)].join(' '));
    expect(days).toEqual(
      expect.arrayContaining([
        'users.json - -',
        'general/*.json 2026-03-02 2026-03-05',
        'beach-days/*.json 2016-07-04 2017-01-03',
      ]),
    );
    const times = parts.filter(({ firstAtMs }) => firstAtMs !== null);
    expect(Math.min(...times.map(({ firstAtMs }) => firstAtMs!))).toBe(found.firstAtMs);
    expect(Math.max(...times.map(({ lastAtMs }) => lastAtMs!))).toBe(found.lastAtMs);
  });

  it('counts messages per day, those of impossible times at two days', async () => {
    const path = join(home.make(), 'records.ndjson');
    const lines = [-6e13, Date.UTC(2026, 2, 2, 23, 59), Date.UTC(2026, 2, 2), 2.5e14].map((sentAtMs, index) => ({
      ...{ kind: 'message', origin: { source: 'tea', workspace: '', conversation: 'c', id: `m${index}` } },
      ...{ sortKey: '', sentAtMs, author: 'a', text: 'Hi' },
    }));
    const records = [{ kind: 'chatferry', version: 1 }, ...lines].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(path, records.join(''));
    expect((await inspect({ from: path })).days).toEqual([
      { day: '1990-01-01', count: 1 },
      { day: '2026-03-02', count: 2 },
      { day: '2100-01-01', count: 1 },
    ]);
  });

  it('counts nothing of a table that has to be decided first', async () => {
    const found = await inspect({ from: sample('csv/two-people/export.csv') });
    expect([found.open.length > 0, found.parts]).toEqual([true, []]);
  });
});

describe('a PartCounter', () => {
  it('keeps the first 1,000 files, and goes on counting in them', () => {
    const counter = new PartCounter({ name: 'slack' });
    const invalid = (index: number): Entry => ({
      type: 'invalid',
      code: 'row-not-understood',
      reason: '',
      location: { path: `${index}.json` },
    });
    for (let round = 0; round < 2; round++) for (let index = 0; index < 1_200; index++) counter.add(invalid(index));
    const parts = counter.list();
    const last = { path: '999.json', rows: 2, people: 0, conversations: 0, firstAtMs: null, lastAtMs: null };
    expect([parts.length, parts.at(-1)]).toEqual([1_000, last]);
  });
});
