import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { consecutiveIdsOf } from '../kit/consecutive-ids.ts';
import { defineSource, type GoOnRequest, type ReadContext } from '../source.ts';
import { messagesAlone } from '../tables/assign-tables.ts';
import { tablesCodes } from '../tables/codes.ts';
import { readTables } from '../tables/read-tables.ts';
import { jsonCodes } from './codes.ts';
import { mayHoldRows } from './layout.ts';
import { type JsonOptions, jsonOptionsSchema } from './options.ts';
import { probe } from './probe.ts';
import { propose } from './propose.ts';
import { findRows, jsonRowReader, lookBytes } from './rows.ts';

/**
 * Messages of any chat in JSON: arrays, NDJSON, concatenated objects, lists inside one object, maps of rows by id, dumps of
 * MongoDB and Firestore. Which field is what is said by the mapping.
 */
export const json = defineSource({
  name: 'json',
  title: 'JSON or NDJSON of any shape (needs a mapping)',
  what: 'arrays, NDJSON, lists inside objects, MongoDB and Firestore dumps; any size, 64-bit ids exact',
  notes: 'files; [docs/sources/tables.md](docs/sources/tables.md): what a field means',
  sortKeys: 'always',
  describes: 'repeatedly',
  options: jsonOptionsSchema,
  codes: [...tablesCodes, ...jsonCodes],
  consecutiveIds: consecutiveIdsOf,
  probe,
  propose,
  canGoOn,
  read,
});

async function* read(
  input: ExportInput,
  { tables, ...bindings }: JsonOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  const fileCount = (await input.paths()).length;
  const isTable = (path: string) => mayHoldRows(path, fileCount);
  yield* readTables({
    source: 'json',
    input,
    bindings,
    tables,
    reader: jsonRowReader(input),
    isTable,
    context,
    propose: () => propose(input, { ...bindings, tables }),
  });
}

/** Files of lines; an array ends with a bracket that would have to go away first. */
async function canGoOn({ input, path, options }: GoOnRequest<JsonOptions>): Promise<boolean> {
  const paths = await input.paths();
  const isTable = (candidate: string) => mayHoldRows(candidate, paths.length);
  const found = messagesAlone(paths, options.tables, { path, isTable });
  return found !== undefined && findRows(path, await input.head(path, lookBytes), found.table).at?.layout === 'lines';
}
