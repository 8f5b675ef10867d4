import type { ExportInput } from '../../io/input/export-input.ts';
import { readJsonLines } from '../../io/json/json-lines.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { leftOut } from '../kit/files/paths.ts';
import type { ReadContext, ReadSource } from '../source.ts';
import { Described, type Directory, FileLines, type ReadLine } from './file-lines.ts';
import { lineOptions } from './format.ts';
import { arrange } from './layout.ts';
import type { ChatferryOptions } from './options.ts';

export const read: ReadSource<ChatferryOptions> = async function* (input, _, context) {
  const { signal, wants } = context;
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
};

interface FileRequest {
  readonly input: ExportInput;
  readonly path: string;
  readonly directory: Directory | undefined;
  readonly context: ReadContext;
}

async function* readFile(request: FileRequest): AsyncGenerator<readonly Entry[]> {
  const { path, directory, context } = request;
  const lines = new FileLines(path, directory);
  for await (const values of readValues(request)) {
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
async function* readValues({ input, path }: FileRequest): AsyncGenerator<readonly ReadLine[]> {
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
