/**
 * Reads a generated export and counts: `node bench/read-source.ts NAME FOLDER read|parse`. `read` is the source, from bytes to records;
 * `parse` is what it is compared with: the file's rows, each through the parser alone (bench/sources.md says which).
 */
import { createReadStream, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openExport } from '../src/io/input/open-export.ts';
import { sourceNamed } from '../src/plan/choose-source.ts';
import { heads } from '../src/sources/whatsapp/format.ts';
import type { SourceName } from './sources.ts';

const [name, folder, how] = process.argv.slice(2) as [SourceName, string, 'read' | 'parse'];

/** End of a row in the generated file of a source, and the parser of a row: a line of JSON unless listed here. */
interface Floor {
  readonly rowEnd: string;
  parse(row: string): unknown;
}

const withoutComma = (row: string) => (row.endsWith(',') ? row.slice(0, -1) : row);
const rowALine: Floor = { rowEnd: '\n', parse: (row) => JSON.parse(withoutComma(row)) };
const floors: Readonly<Partial<Record<SourceName, Floor>>> = {
  telegram: { rowEnd: '\n},\n', parse: (row) => JSON.parse(`${row}}`) },
  whatsapp: { rowEnd: '\n', parse: (line) => heads.android.exec(line) },
};

async function parseRows({ rowEnd, parse }: Floor): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for (const path of globSync('**/*.{json,jsonl,txt}', { cwd: folder })) {
    for await (const chunk of createReadStream(join(folder, path))) {
      const rows = (text + decoder.decode(chunk as Buffer, { stream: true })).split(rowEnd);
      text = rows.pop()!;
      for (const row of rows) parsed(row, parse);
    }
  }
}

/** Ignores text around the rows, which is not a row. */
function parsed(row: string, parse: Floor['parse']): void {
  try {
    parse(row);
  } catch {}
}

async function readRecords(): Promise<number> {
  const [input] = await openExport([folder]);
  const adapter = sourceNamed(name);
  const context = { signal: new AbortController().signal, wants: () => true };
  let count = 0;
  for await (const entries of adapter.read(input!, adapter.options.parse({}), context)) {
    for (const entry of entries) if (entry.type === 'record' && entry.record.kind === 'message') count++;
  }
  await input!.close();
  return count;
}

const before = process.cpuUsage();
const messages = how === 'parse' ? await parseRows(floors[name] ?? rowALine) : await readRecords();
const { user, system } = process.cpuUsage(before);
const bytes = globSync('**/*.*', { cwd: folder }).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
console.log(JSON.stringify({ messages, bytes, cpuMs: (user + system) / 1000 }));
