/**
 * The first look of `init` at large databases, and an answer to it: `node bench/first-look.ts [FILE|ADDRESS…]`; without any, the SQLite file and the
 * dumps of `database-inputs.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench, prepareDatabases } from './database-inputs.ts';
import { measure } from './measure.ts';
import { prepareProgram, program } from './program.ts';
import { formatTable } from './table.ts';

await prepareProgram();
const [mapping, config] = [join(bench, 'first-look.mapping.yaml'), join(bench, 'first-look.yaml')];
const named = process.argv.slice(2);
const { sqlite, postgres, mysql } =
  named.length > 0 ? ({} as Partial<ReturnType<typeof prepareDatabases>>) : prepareDatabases();
const places = [sqlite, postgres, mysql, ...named].filter((place) => place !== undefined);
const lines: string[][] = [];
writeFileSync(config, '');
for (const place of places) {
  const line = [place.replace(bench, '').replace(/\/\/.*@/, '//')];
  for (const words of [['--force'], ['--set', 'source.zone=UTC']]) {
    const files = ['--mapping', mapping, '--config', config];
    const { cpuMs, peakRssBytes } = await measure(
      [program, 'init', place, '--source', 'database', ...files, '--yes', '--json', ...words],
      // 2: questions are open.
      { scratchFile: join(bench, 'usage'), env: {}, exits: [0, 2] },
    );
    line.push((cpuMs / 1000).toFixed(1), Math.round(peakRssBytes / 1e6).toString());
  }
  lines.push(line);
}
console.log(formatTable(['init', 'first, CPU s', 'MB', 'answer, CPU s', 'MB'], lines));
