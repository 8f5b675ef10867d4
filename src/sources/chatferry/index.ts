import { z } from 'zod';
import type { ExportInput } from '../../io/export-input.ts';
import { readJsonLines } from '../../io/json-lines.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../entry-lists.ts';
import { defineSource, type ReadContext } from '../source.ts';
import { Described } from './described.ts';
import { type Directory, FileLines, type ReadLine } from './file-lines.ts';
import { lineOptions } from './format.ts';
import { arrange, type Layout } from './layout.ts';
import { probe } from './probe.ts';

/** None of its own. Those of the source that was converted may stand in the same mapping: what they decide is decided. */
const options = z.object({});

/** Records of our own model, a line each: what any program can write, and what `chatferry convert` makes of an export. */
export const chatferry = defineSource({
  name: 'chatferry',
  title: 'Chatferry records (NDJSON files)',
  options,
  probe,
  read,
});

async function* read(
  input: ExportInput,
  _: z.output<typeof options>,
  { signal, wants }: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  signal.throwIfAborted();
  const layout = await arrange(input, signal);
  const directory = { people: new Described(), conversations: new Described() };
  for (const path of layout.shared) {
    signal.throwIfAborted();
    yield* readFile(input, path, directory, signal);
    yield [{ type: 'file', path, role: 'shared' }];
  }
  yield* inLists(leftOut(layout));
  for (const path of layout.rows) {
    if (!wants(path)) continue;
    signal.throwIfAborted();
    yield* readFile(input, path, undefined, signal);
    yield [{ type: 'file', path, role: 'rows' }];
  }
}

async function* readFile(
  input: ExportInput,
  path: string,
  directory: Directory | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly Entry[]> {
  const lines = new FileLines(path, directory);
  for await (const values of valuesOf(input, path)) {
    const entries = values.flatMap((value) => [...lines.entries(value)]);
    if (entries.length > 0) yield entries;
    signal.throwIfAborted();
  }
}

/** The lines of a file; where it cannot be read to its end, a last one stands for what is missing. */
async function* valuesOf(input: ExportInput, path: string): AsyncGenerator<readonly ReadLine[]> {
  let lastLine = 0;
  try {
    for await (const values of readJsonLines(input.open(path), lineOptions)) {
      yield values;
      lastLine = values.at(-1)?.line ?? lastLine;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield [{ line: lastLine + 1, error: { code: 'unreadable', scope: 'rest', reason: error.message } }];
  }
}

function* leftOut({ clutter, unknown }: Layout): Generator<Entry> {
  for (const path of clutter)
    yield { type: 'file', path, role: 'skipped', reason: 'Left behind by an operating system' };
  for (const path of unknown) yield { type: 'file', path, role: 'unknown' };
}
