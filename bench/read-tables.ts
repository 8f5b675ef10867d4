/**
 * Reads one generated table and counts: `node bench/read-tables.ts FILE csv|json|parse`. `csv` and `json` are the sources,
 * from bytes to records; `parse` is what NDJSON is compared with: a line at a time through JSON.parse, nothing else.
 */
import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openExport } from '../src/io/input/open-export.ts';
import { sourceNamed } from '../src/plan/choose-source.ts';
import { tableBindings } from './tables.ts';

const [path, how] = process.argv.slice(2) as [string, 'csv' | 'json' | 'parse'];

async function parseLines(): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    JSON.parse(line);
    count++;
  }
  return count;
}

async function readRecords(name: string): Promise<number> {
  const [input] = await openExport([path]);
  const adapter = sourceNamed(name);
  const context = { signal: new AbortController().signal, wants: () => true };
  let count = 0;
  for await (const entries of adapter.read(input!, adapter.options.parse(tableBindings), context)) {
    for (const entry of entries) if (entry.type === 'record' && entry.record.kind === 'message') count++;
  }
  await input!.close();
  return count;
}

const startedMs = performance.now();
const messages = how === 'parse' ? await parseLines() : await readRecords(how);
console.log(JSON.stringify({ messages, bytes: statSync(path).size, elapsedMs: performance.now() - startedMs }));
