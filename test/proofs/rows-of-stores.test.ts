import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { largeExportLines } from '../../bench/large-export.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { wholePayload } from '../../src/store/base/packed-payload.ts';
import { listSamples } from '../contracts/samples.ts';
import { makeExport } from '../scenes/make-export.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';

/**
 * What a plan writes into its store, for every sample and two exports that are made: a change that only makes a plan faster leaves all
 * of it as it was. After an intended change, `UPDATE_SAMPLES=1 npm run proofs -- rows-of-stores` writes the file again; each table that
 * changed shows in its difference.
 */
const recorded = 'test/proofs/rows-of-stores.json';

/** Where and when a plan ran, and what a copy of the repository changes: times of files, absolute paths. */
const ofThisRun = ['meta', 'run', 'source_input', 'totals_cache'];
const columnsOfThisRun = ['fingerprint'];

const scratch = temporaryFolderInMemory();
const now = Date.UTC(2026, 10, 1);

it('a plan of every sample, and of exports of many messages, writes the rows that are recorded', async () => {
  const written: Record<string, Record<string, string>> = {};
  for (const { source, name, folder } of listSamples()) {
    const from = readdirSync(folder).filter((file) => file.startsWith('export'));
    if (from.length === 0) continue;
    const mapping = join(folder, 'mapping.yaml');
    const paths = from.sort().map((file) => join(folder, file));
    written[`${source}/${name}`] = await tablesOf(paths, source, existsSync(mapping) ? mapping : undefined);
  }
  const folder = scratch.make();
  const lines = join(folder, 'made.ndjson');
  writeFileSync(lines, [...largeExportLines({ messages: 20_000, conversations: 40 })].join(''));
  written['made/lines'] = await tablesOf([lines], 'chatferry');
  const { folder: days } = makeExport(join(folder, 'slack'), { seed: 1, messages: 5000 });
  written['made/slack'] = await tablesOf([days], 'slack');
  if (process.env.UPDATE_SAMPLES) writeFileSync(recorded, `${JSON.stringify(written, null, 2)}\n`);
  expect(written).toEqual(JSON.parse(readFileSync(recorded, 'utf8')));
});

/** `42 rows, 9f86d081`, by table; none that is empty. */
async function tablesOf(from: readonly string[], source: string, mapping?: string): Promise<Record<string, string>> {
  const store = join(scratch.make(), 'plan.db');
  const clock = { now: () => now, monotonic: () => 0, uptime: () => 0, sleep: async () => {} };
  await planExport({ from, source, store, clock, ...(mapping && { mapping: await loadMapping(mapping) }) });
  const db = new Database(store, { readonly: true });
  const names = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  const tables = names.filter((name) => !ofThisRun.includes(name) && !name.startsWith('sqlite_'));
  const digests = tables.flatMap((name) => {
    const rows = rowsOf(db, name);
    return rows.length === 0 ? [] : [[name, `${rows.length} rows, ${digestOf(rows)}`] as const];
  });
  db.close();
  return Object.fromEntries(digests);
}

/** In an order that does not depend on when they were written; messages in the order in which they were read. */
function rowsOf(db: Database.Database, table: string): readonly string[] {
  const columns = db
    .prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`)
    .pluck()
    .all()
    .filter((name) => !columnsOfThisRun.includes(name))
    .map((name) => (table === 'message' && name === 'payload' ? wholePayload('message') : name));
  const rows = db
    .prepare(`SELECT ${columns.join(', ')} FROM ${table}`)
    .raw()
    .safeIntegers()
    .all();
  const texts = rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value)));
  return table === 'message' ? texts : texts.sort();
}

function digestOf(rows: readonly string[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${row}\n`);
  return hash.digest('hex').slice(0, 16);
}
