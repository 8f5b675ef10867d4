import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import { readJsonLines } from '../../io/json/json-lines.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { consecutiveIdsOf, consecutiveIdsSchema } from '../kit/rows/consecutive-ids.ts';
import { inLists } from '../kit/entries.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { leftOut } from '../kit/files/paths.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { chatferryCodes } from './codes.ts';
import { Described, type Directory, FileLines, type ReadLine } from './file-lines.ts';
import { lineOptions } from './format.ts';
import { headOf } from './head.ts';
import { arrange, isNamedAsOurs } from './layout.ts';

/** An option of its own. Options of the converted source may be in the same mapping: what they decide is already decided. */
const options = z.object({ consecutiveIds: consecutiveIdsSchema });

/** Records of our own model, a line each: what any program can write, and what `chatferry convert` makes of an export. */
export const chatferry = defineSource({
  name: 'chatferry',
  title: 'Chatferry records (NDJSON files)',
  what: 'our own records, a line each: what any program can write, and what `chatferry convert` makes of every other export',
  notes: 'every field, with an example',
  sortKeys: 'where-given',
  carriesOthers: true,
  options,
  codes: chatferryCodes,
  consecutiveIds: consecutiveIdsOf,
  probe,
  read,
});

/** How much of a file is looked at: enough for a header, or for the first people. */
const headBytes = 16 * 1024;

/** Files that are looked at. */
const filesMax = 3;

/** Returns `certain` if a file begins with lines of the format, `likely` if lines look like it and have faults. */
async function probe(input: ExportInput): Promise<Probe> {
  const paths = await input.paths();
  const named = paths.filter(isNamedAsOurs);
  let likely: Probe | undefined;
  // A file that was named alone may be called anything.
  for (const path of (paths.length === 1 ? paths : named).slice(0, filesMax)) {
    const { match, header } = await headOf(input, path, headBytes);
    if (header !== undefined) return { match: 'certain', because: `a header of this format in "${path}"` };
    if (match === 'ours') return { match: 'certain', because: `records of this format in "${path}"` };
    if (match === 'maybe') likely ??= { match: 'likely', because: `lines in "${path}" that look like records` };
  }
  return likely ?? { match: 'no' };
}

async function* read(
  input: ExportInput,
  _: z.output<typeof options>,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  const { signal, wants } = context;
  signal.throwIfAborted();
  const layout = await arrange(input, signal);
  const directory = { people: new Described(), conversations: new Described() };
  for (const path of layout.shared) {
    signal.throwIfAborted();
    yield* readFile({ input, path, directory, context });
    yield [{ type: 'file', path, role: 'shared' }];
  }
  yield* inLists(leftOut(layout));
  for (const path of layout.rows) {
    if (!wants(path)) continue;
    signal.throwIfAborted();
    yield* readFile({ input, path, directory: undefined, context });
    yield [{ type: 'file', path, role: 'rows' }];
  }
}

interface FileRequest {
  readonly input: ExportInput;
  readonly path: string;
  readonly directory: Directory | undefined;
  readonly context: ReadContext;
}

async function* readFile(request: FileRequest): AsyncGenerator<readonly Entry[]> {
  const { path, directory, context } = request;
  const lines = new FileLines(path, directory);
  for await (const values of valuesOf(request)) {
    const entries: Entry[] = [];
    for (const value of values) addLine(lines, value, { path, line: value.line }, entries);
    if (entries.length > 0) yield entries;
    context.signal.throwIfAborted();
  }
}

function addLine(lines: FileLines, value: ReadLine, location: Location, into: Entry[]): void {
  const begin = into.length;
  try {
    for (const entry of lines.entries(value)) into.push(entry);
  } catch (error) {
    invalidRow(error, { into, begin, location });
  }
}

/** The lines of a file; where it cannot be read to its end, a last one stands for what is missing. */
async function* valuesOf({ input, path }: FileRequest): AsyncGenerator<readonly ReadLine[]> {
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
