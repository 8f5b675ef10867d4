/**
 * Reading databases: `node bench/databases.ts [ADDRESS…]`. Reads the SQLite file and the dumps of `database-inputs.ts`, which are made once.
 * Servers are read where an address is given; load the dump first: `psql -d app -f .bench/database.postgres.sql`,
 * `mariadb app < .bench/database.mysql.sql`.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bench, prepareDatabases } from './database-inputs.ts';
import { measure } from './measure.ts';
import { formatTable } from './table.ts';

const { sqlite, postgres, mysql } = prepareDatabases();
const places = [sqlite, postgres, mysql, ...process.argv.slice(2)];
/** The heap as `bin/chatferry.mjs` sets it for commands that go through all messages. */
const heap = ['--max-semi-space-size=8', '--semi-space-growth-factor=1', '--heap-growing-percent=10'];
const lines: string[][] = [];
for (const place of places) {
  const { result, ...used } = await measure([...heap, 'bench/read-database.ts', place], {
    scratchFile: join(bench, 'usage'),
    env: { ...process.env } as Record<string, string>,
  });
  const { messages, files, reactions, elapsedMs } = result as Record<string, number>;
  const bytes = existsSync(place) ? `${Math.round(statSync(place).size / 1e6)}` : '';
  lines.push([
    existsSync(place) ? place.slice(bench.length) : place.replace(/\/\/.*@/, '//'),
    ...[messages, files, reactions].map((count) => count!.toLocaleString('en-US')),
    bytes,
    (elapsedMs! / 1000).toFixed(1),
    (used.cpuMs / 1000).toFixed(1),
    Math.round((messages! / elapsedMs!) * 1000).toLocaleString('en-US'),
    Math.round(used.peakRssBytes / 1e6).toString(),
  ]);
}
const head = [
  'reading alone',
  'messages',
  'files',
  'reactions',
  'MB',
  'seconds',
  'CPU s',
  'messages/s',
  'peak RSS, MB',
];
console.log(formatTable(head, lines));
