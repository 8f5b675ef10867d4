/**
 * Reads a database of `bench/databases.ts` and counts: `node bench/read-database.ts FILE|ADDRESS`. From the first byte to the last
 * record, with people, rooms, members, files and reactions joined.
 */
import { openExport } from '../src/io/input/open-export.ts';
import { sourceNamed } from '../src/plan/choose-source.ts';
import { databaseSource } from './database-inputs.ts';

const [place] = process.argv.slice(2) as [string];
const startedMs = performance.now();
const [input] = await openExport([place]);
const adapter = sourceNamed('database');
const context = { signal: new AbortController().signal, wants: () => true };
const counts = { messages: 0, files: 0, reactions: 0 };
for await (const entries of adapter.read(input!, adapter.options.parse(databaseSource()), context)) {
  for (const entry of entries) {
    if (entry.type !== 'record' || entry.record.kind !== 'message') continue;
    counts.messages += 1;
    counts.files += entry.record.attachments?.length ?? 0;
    counts.reactions += entry.record.reactions?.length ?? 0;
  }
}
await input!.close();
console.log(JSON.stringify({ ...counts, elapsedMs: performance.now() - startedMs }));
