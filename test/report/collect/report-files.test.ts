import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { loadMapping } from '../../../src/mapping/load.ts';
import { silent } from '../../../src/lib/flow/progress.ts';
import { writeReportFiles } from '../../../src/report/report-files.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { readTotals } from '../../../src/commands/check.ts';
import { never } from '../../scenes/bench.ts';
import { makeExport } from '../../scenes/make-export.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import type { Outcome } from '../../../src/commands/results.ts';

const home = temporaryFolder();

type Row = Readonly<Record<string, string>>;

interface Planned extends Outcome {
  readonly store: string;
  readonly rowsOf: (name: string) => Row[];
  /** Plans and writes the files once more. */
  readonly again: () => Promise<Planned>;
}

async function planned(folder = home.make()): Promise<Planned> {
  const made = makeExport(join(folder, 'export'), { seed: 5, messages: 400, channels: 6, directs: 3, groupDirects: 2 });
  const store = join(folder, 'chatferry.db');
  const outcome = await planExport({
    store,
    to: 'sandbox',
    overrides: {},
    from: [made.folder],
    mapping: await loadMapping(undefined),
    allowMappingChange: false,
    apiKey: new Secret('key'),
    clock: systemClock,
    random: Math.random,
    progress: silent,
    stopping: never,
    signal: never,
    concurrency: 1,
  });
  await writeReportFiles(folder, outcome, { store, formats: ['csv'] });
  const rowsOf = (name: string): Row[] => parse(readFileSync(join(folder, name)), { bom: true, columns: true });
  return { ...outcome, store, rowsOf, again: () => planned(folder) };
}

const sumOf = (rows: readonly Row[], key: string) => rows.reduce((sum, row) => sum + Number(row[key]), 0);

describe('writeReportFiles()', () => {
  it('writes the list of conversations again if it was changed or deleted, or says something else, and only then', async () => {
    const { store, again } = await planned();
    const path = join(dirname(store), 'conversations.csv');
    const text = readFileSync(path, 'utf8');
    const written = () => statSync(path).ino;
    const first = written();
    await again();
    expect(written()).toBe(first);
    appendFileSync(path, 'a line of somebody');
    await again();
    expect(readFileSync(path, 'utf8')).toBe(text);
    rmSync(path);
    await again();
    expect(readFileSync(path, 'utf8')).toBe(text);
    const db = new Database(store);
    db.exec(`UPDATE conversation SET name = 'Renamed'`);
    db.close();
    const { rowsOf } = await again();
    expect(new Set(rowsOf('conversations.csv').map(({ name }) => name))).toEqual(new Set(['Renamed']));
  });

  it('lists every conversation with the counts that the report adds up', async () => {
    const { report, rowsOf } = await planned();
    const rows = rowsOf('conversations.csv');
    expect(rows).toHaveLength(report.conversationCount);
    expect(sumOf(rows, 'planned')).toBe(report.totals.planned);
    expect(sumOf(rows, 'pending')).toBe(report.totals.pending);
    expect(rows.map(({ id }) => id)).toEqual(report.conversations.map(({ id }) => id));
  });

  it('lists every invalid row and every finding, with what to do', async () => {
    const { report, rowsOf } = await planned();
    const rows = rowsOf('problems.csv');
    const ofFamily = (family: string) => rows.filter((row) => row.family === family);
    expect(ofFamily('invalid')).toHaveLength(report.totals.invalid);
    expect(report.problems.length).toBeGreaterThan(0);
    for (const { code, count, severity, remedy } of report.problems) {
      const found = ofFamily('finding').filter((row) => row.code === code);
      expect(sumOf(found, 'count')).toBe(count);
      expect(found[0]).toMatchObject({ severity, remedy });
    }
  });

  it('lists failed messages, a message in parts once, and the findings of verification', async () => {
    const { store, rowsOf } = await planned();
    const db = new Database(store);
    // Five rows were refused; the last two are made to be one message in two parts.
    db.exec(`
      INSERT INTO destination (id, address, name, profile, used_at) VALUES (1, 'https://chat.example.org', 'chat', 'spec', 1);
      CREATE TEMP TABLE first AS SELECT seq FROM message WHERE verdict = 'planned' ORDER BY seq LIMIT 5;
      INSERT INTO delivery (destination, message, state, batch, code, detail)
        SELECT 1, seq, 'failed', 1, 'ERR_UID_NOT_FOUND', 'The user does not exist' FROM first;
      UPDATE message SET part = 1 WHERE seq = (SELECT max(seq) FROM first) - 1;
      UPDATE message SET part = 2, muid = (SELECT substr(muid, 1, 27) FROM message WHERE part = 1) || '2' WHERE seq = (SELECT max(seq) FROM first);
      INSERT INTO difference (destination, kind, muid, conversation, message, detail)
        SELECT 1, 'missing', muid, conversation, seq, 'not there' FROM message WHERE part = 1;`);
    db.close();
    const totals = readTotals({ store, clock: systemClock }, 'report');
    await writeReportFiles(dirname(store), totals, { store, formats: ['csv'] });
    const rows = rowsOf('problems.csv');
    const refused = rows.filter(({ family }) => family === 'failed');
    expect(totals.report.totals.failed).toBe(4);
    expect(refused).toHaveLength(4);
    expect(refused[0]).toMatchObject({ code: 'ERR_UID_NOT_FOUND', count: '1', detail: 'The user does not exist' });
    expect(refused.map(({ location }) => location)).toEqual(expect.arrayContaining(placesOf(totals.report.failed)));
    expect(rows.filter(({ family }) => family === 'difference')).toMatchObject([
      { code: 'missing', detail: 'not there', severity: 'blocks' },
    ]);
  });
});

const placesOf = (groups: Outcome['report']['failed']): string[] =>
  groups.flatMap(({ examples }) => examples.map(({ location }) => location));
