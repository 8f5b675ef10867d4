import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { consecutiveIdsOf } from '../kit/rows/consecutive-ids.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { tablesCodes } from '../tables/codes.ts';
import { rowsAt } from '../tables/rows-at.ts';
import { queryPathsOf, readTables } from '../tables/read-tables.ts';
import { jsonCodes } from './codes.ts';
import { findLists } from './find-lists.ts';
import { recogniseLayout, rowFilesIn } from './layout.ts';
import { type JsonOptions, jsonOptionsSchema } from './options.ts';
import { findPreset } from './presets.ts';
import { outline, propose } from './propose.ts';
import { jsonRowReader } from './rows.ts';

/**
 * Messages of any chat in JSON: arrays, NDJSON, concatenated objects, lists inside one object, maps of rows by id, dumps of
 * MongoDB, DynamoDB and Firestore. Which field is what is said by the mapping.
 */
export const json = defineSource({
  name: 'json',
  title: 'JSON or NDJSON of any shape (needs a mapping)',
  what: 'arrays, NDJSON, lists inside objects; dumps of MongoDB (`mongodump` too), DynamoDB and Firestore; Parquet; Excel (.xlsx); any size, 64-bit ids exact',
  notes: 'files; [tables](tables.md): meaning of a field',
  sortKeys: 'always',
  options: jsonOptionsSchema,
  codes: [...tablesCodes, ...jsonCodes],
  consecutiveIds: consecutiveIdsOf,
  queryPaths: queryPathsOf,
  probe,
  preset: findPreset,
  propose,
  outline,
  rowsAt: (input, { tables }, locations) => rowsAt(jsonRowReader(input), tables?.messages, locations),
  read,
});

const filesMax = 3;
const headBytes = 16 * 1024;

/** Likely where one of the first files begins with objects that look like rows. Never certain: anybody's JSON does. */
async function probe(input: ExportInput): Promise<Probe> {
  const paths = await input.paths();
  for (const path of paths.filter(rowFilesIn(paths)).slice(0, filesMax)) {
    const because = await whyRows(input, path);
    if (because !== undefined) return { match: 'likely', because: `"${path}": ${because}` };
  }
  return { match: 'no' };
}

async function whyRows(input: ExportInput, path: string): Promise<string | undefined> {
  const recognised = recogniseLayout(path, await headOrNothing(input, path, headBytes));
  if (recognised === undefined) return undefined;
  if (recognised.layout !== 'list') return recognised.because;
  const [list] = findLists(recognised.value);
  if (list === undefined) return undefined;
  return list.list === '' ? 'a list of objects' : `a list of objects at ${list.list}`;
}

async function* read(
  input: ExportInput,
  { tables, ...bindings }: JsonOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  const isTable = rowFilesIn(await input.paths());
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
