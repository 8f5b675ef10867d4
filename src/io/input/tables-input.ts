import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import { bsonLines } from '../bson/bson-lines.ts';
import { collectionLines, collectionsIn, isDumpArchive } from '../bson/dump-archive.ts';
import { allBytes, firstBytes } from '../bytes.ts';
import { type Caps, defaultCaps } from './caps.ts';
import type { ExportInput } from './export-input.ts';
import { type InnerTable, inPath } from './inner-table.ts';
import { isNamedArchive, isParquet, isWorkbook, readsAsJsonLines } from './lines-of-json.ts';
import { TemporaryCopies } from './temporary-copies.ts';

/**
 * Wraps an export so that binary tables read as JSON Lines, one row in each line. A file of BSON or Parquet keeps its path. A file that holds several
 * tables is a folder of them: `dump.archive/chat/messages.bson`, `book.xlsx/Sheet1`. Workbooks next to other files may be files that people sent, and stay
 * files.
 *
 * `stat` of a table describes the file that it is in. A file that looks like one of these and is damaged stays what it is.
 *
 * Opens the files that are named so, and the only file of an export. Memory: a chunk and one document or row.
 */
export async function tablesInput(input: ExportInput, caps: Caps = defaultCaps): Promise<ExportInput> {
  const paths = await input.paths();
  if (paths.length > 0 && paths.every(isWorkbook)) {
    const { workbookTables } = await import('./workbook-tables.ts');
    const { tables, problems } = await workbookTables(input, caps);
    const byPath = new Map(tables.map((table) => [table.path, table]));
    return withTables({ ...input, problems: [...input.problems, ...problems] }, byPath, new Set(paths));
  }
  const tables = new Map<string, InnerTable>();
  const unfolded = new Set<string>();
  for (const path of paths.length === 1 ? paths : paths.filter(mayHoldTables)) {
    for (const table of await listTables(input, path)) {
      tables.set(table.path, table);
      unfolded.add(path);
    }
  }
  return tables.size === 0 ? input : withTables(input, tables, unfolded);
}

const mayHoldTables = (path: string) => readsAsJsonLines(path) || isNamedArchive(path);

async function listTables(input: ExportInput, path: string): Promise<readonly InnerTable[]> {
  if (isParquet(path)) return [{ path, file: path, lines: () => localLines(input, path) }];
  if (readsAsJsonLines(path)) return [{ path, file: path, lines: () => bsonLines(input.open(path), path) }];
  try {
    if (!isDumpArchive(await input.head(path, 4))) return [];
    const collections = await collectionsIn(input.open(path), path);
    return collections.map((collection) => {
      const inner = `${path}/${inPath(collection.db)}/${inPath(collection.collection)}.bson`;
      return { path: inner, file: path, lines: () => collectionLines(input.open(path), inner, collection) };
    });
  } catch (error) {
    // The code that reads the file meets the fault again.
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}

async function* localLines(input: ExportInput, path: string): AsyncGenerator<Uint8Array> {
  const { parquetLines } = await import('../parquet/parquet-lines.ts');
  yield* parquetLines(await input.materialise(path), path);
}

function withTables(
  input: ExportInput,
  tables: ReadonlyMap<string, InnerTable>,
  unfolded: ReadonlySet<string>,
): ExportInput {
  const copies = new TemporaryCopies();
  const containingFile = (path: string) => tables.get(path)?.file ?? path;
  const open = (path: string) => tables.get(path)?.lines() ?? input.open(path);
  return {
    ...input,
    open,
    paths: async () => [...(await input.paths()).filter((path) => !unfolded.has(path)), ...tables.keys()].sort(),
    stat: (path) => input.stat(containingFile(path)),
    async head(path, byteCount) {
      const table = tables.get(path);
      if (table === undefined) return input.head(path, byteCount);
      const isKept = table.head !== undefined && byteCount <= table.head.length;
      return isKept ? table.head.subarray(0, byteCount) : firstBytes(table.lines(), byteCount);
    },
    async read(path, bytesMax, into) {
      if (!tables.has(path)) return input.read(path, bytesMax, into);
      const bytes = await allBytes(open(path), bytesMax);
      if (bytes !== undefined) return bytes;
      const reason = `expected at most ${formatCount(bytesMax)} bytes, found more`;
      throw new SourceError(`Cannot read the file: ${reason}`, { location: { path } });
    },
    materialise: (path) => (tables.has(path) ? copies.ensureCopy(path, open(path)) : input.materialise(path)),
    async close() {
      await copies.remove();
      await input.close();
    },
  };
}
