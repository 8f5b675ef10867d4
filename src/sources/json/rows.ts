import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonOptions } from '../../io/json/json-element.ts';
import { isBson } from '../../io/input/lines-of-json.ts';
import { UnreadLists } from '../../io/json/unread-lists.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { Location } from '../../lib/text/location.ts';
import { truncate } from '../../lib/text/plain-text.ts';
import { anyPart, nameInPattern, parsePointer } from '../../io/json/json-pointer.ts';
import { FieldsBehind } from '../kit/rows/fields-behind.ts';
import { type FoundRow, type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { commonWordsForMore, SavedPages } from '../kit/rows/saved-pages.ts';
import type { Entry } from '../../model/entry.ts';
import { wordFor } from '../kit/narrow.ts';
import { type NamedTable, pathStep, type RowReader, type RowStep, tableNameOf } from '../tables/row.ts';
import { DynamoManifests } from './dynamo-manifests.ts';
import { dynamoItem } from './dynamodb.ts';
import { findLists } from './find-lists.ts';
import { isCollectionsKey } from './firestore.ts';
import { JsonRow } from './json-row.ts';
import { rowsInside } from './lists-inside.ts';
import { type Recognised, recogniseLayout } from './layout.ts';
import type { JsonTable } from './options.ts';

/** Returns a reader of the rows of an export's files. */
export function jsonRowReader(input: ExportInput): RowReader<JsonTable> {
  const pages = new SavedPages(input, commonWordsForMore);
  const manifests = new DynamoManifests(input);
  return {
    hasFixedNames: false,
    rows: (path, table, others) =>
      rows(input, path, {
        table,
        manifests,
        beside: others && { unread: unreadBeside(table, others), pages, behind: new FieldsBehind() },
      }),
    tablesIn: async (path, declared) => tablesIn(path, await input.head(path, peekBytes), declared),
    readByOthers: (table, others) => others.flatMap((other) => readByOther(table?.list, other?.list)),
  };
}

/** Lists are called by their last step that is a name; a file that is a list itself, by its own. */
function tablesIn(
  path: string,
  beginning: Uint8Array,
  declared: readonly JsonTable[],
): readonly NamedTable<JsonTable>[] {
  const recognised = recogniseLayout(path, beginning);
  const found: readonly JsonTable[] =
    recognised === undefined || recognised.isArray
      ? []
      : recognised.layout === 'list'
        ? findLists(recognised.value).map(({ list }) => ({ list }))
        : [{}];
  const isNew = ({ list }: JsonTable) => list === undefined || !declared.some((other) => other.list === list);
  const tables = [...declared, ...found.filter(isNew)];
  const nameOf = ({ list = '' }: JsonTable) => nameInPattern(parsePointer(list) ?? []);
  return tables.length === 0
    ? [{ name: tableNameOf(path), table: undefined }]
    : tables.map((table) => ({ name: nameOf(table) ?? tableNameOf(path), table }));
}

// `/rooms` and `/rooms/*/messages`: the rooms have a list "messages", and what is around a message are the rooms.
function readByOther(list = '', other = ''): string[] {
  const [own, others] = [list, other].map((pointer) => pointer.split('/').slice(1));
  const isInside = others!.length > own!.length && own!.every((step, index) => step === others![index]);
  if (isInside) return [others![own!.length + 1] ?? ''].filter((name) => name !== '' && name !== '*').map(pathStep);
  return own!.length > others!.length && others!.every((step, index) => step === own![index]) ? ['$outer'] : [];
}

/** Facts that are reported about a file, besides its rows. */
interface BesideRows {
  readonly unread: UnreadLists | undefined;
  readonly pages: SavedPages;
  readonly behind: FieldsBehind;
}

interface RowsRequest {
  readonly table: JsonTable | undefined;
  readonly manifests: DynamoManifests;
  readonly beside: BesideRows | undefined;
}

async function* rows(
  input: ExportInput,
  path: string,
  { table, manifests, beside }: RowsRequest,
): AsyncGenerator<readonly RowStep[]> {
  const found = findRows(path, await input.head(path, peekBytes), table);
  if (found.at === undefined) {
    if (found.code === 'json-empty' && (await manifests.isEmpty(path))) return;
    yield [{ type: 'invalid', code: found.code, reason: found.reason, location: { path } }];
    return;
  }
  const watched = beside ? beside.behind.watch(input) : input;
  const unread = beside?.unread;
  const counts: RowCounts = { rows: 0, deleted: 0 };
  yield* readRows(watched.open(path), path, found.at, { ...(unread && { unread }), ...documentLimit(path), counts });
  if (beside) yield [...problemsOnly(await manifests.missingFrom(path, counts.rows)), ...deletions(path, counts)];
  if (beside && found.at.layout === 'list') yield problemsOnly(await beside.pages.missingAfter(path, beside.behind));
  yield (unread?.list() ?? []).map(({ place, count }): RowStep => {
    const objects = `${formatCount(count)} ${count === 1 ? 'object' : 'objects'}`;
    const reason = `The file has ${objects} below ${truncate(JSON.stringify(place), 100)} that the mapping does not read`;
    return { type: 'problem', code: 'json-list-not-read', reason, location: { path }, count };
  });
}

/** A document of MongoDB has 16 MiB at most: as text it may have four times as many bytes. */
export const documentLimit = (path: string): JsonOptions => (isBson(path) ? { elementBytesMax: 64 * 2 ** 20 } : {});

type Problem = Extract<Entry, { type: 'problem' }>;

const problemsOnly = (entries: readonly Entry[]): Problem[] => entries.filter((entry) => entry.type === 'problem');

function deletions(path: string, { deleted }: RowCounts): Problem[] {
  if (deleted === 0) return [];
  const reason = `The file says of ${formatCount(deleted)} ${deleted === 1 ? 'item that it was' : 'items that they were'} deleted from the table`;
  return [{ type: 'problem', code: 'dynamodb-deletion', reason, location: { path }, count: deleted }];
}

/** Counts data next to a list, unless it is in a list that is another table. */
function unreadBeside(table: JsonTable | undefined, others: readonly JsonTable[]): UnreadLists | undefined {
  if (table?.list === undefined) return undefined;
  return new UnreadLists(
    [table, ...others].map(({ list = '' }) => parsePointer(list) ?? []),
    (inRow) => inRow.some(isCollectionsKey),
  );
}

/** Bytes of a file that are read to find its rows. */
const peekBytes = 256 * 1024;

/** Location of rows: in the file, or in lists of the documents that are there. */
export type RowsPlace = JsonRowsAt & {
  /** Parts of a pointer, the first of which is `*`, for the document. */
  readonly inside?: readonly string[];
};

/** The location of the rows of a file, or why it cannot be determined. */
type RowsFound = { readonly at: RowsPlace } | { readonly at?: never; readonly code: string; readonly reason: string };

/**
 * Finds the rows by the settings of a table, otherwise by the beginning of the file. Never guesses for an object that
 * contains lists: it may be a page of messages, or one message with attachments.
 */
export function findRows(path: string, beginning: Uint8Array, table: JsonTable | undefined): RowsFound {
  const inside = parsePointer(table?.list ?? '') ?? [];
  if (table?.layout === 'list' || (inside.length > 0 && inside[0] !== anyPart))
    return { at: listAt(table?.list ?? '') };
  if (table?.layout !== undefined) return { at: documentsAt(table.layout, inside) };
  const recognised = recogniseLayout(path, beginning);
  if (table?.list !== undefined)
    return {
      at: recognised && recognised.layout !== 'list' ? documentsAt(recognised.layout, inside) : listAt(table.list),
    };
  if (recognised === undefined) return nothing(beginning);
  if (recognised.layout !== 'list') return { at: { layout: recognised.layout } };
  if (recognised.isArray) return { at: listAt('') };
  return rowsOfObject(recognised, beginning.length < peekBytes);
}

/**
 * @param isWhole Whether the bytes read are the whole file.
 */
function rowsOfObject({ value, isComplete }: Recognised, isWhole: boolean): RowsFound {
  const lists = findLists(value).map(({ list }) => `"${list}"`);
  if (lists.length === 0 && (isWhole || isComplete)) return { at: { layout: 'values' } };
  const found = lists.length === 0 ? 'no list near its beginning' : `lists at ${lists.slice(0, 5).join(', ')}`;
  const reason =
    `Cannot determine the location of the rows: the file is one object, with ${found}; set it with source.tables.messages.list in the mapping, ` +
    'or layout: values if the object itself is a row';
  return { code: 'json-list-unknown', reason };
}

function nothing(beginning: Uint8Array): RowsFound {
  if (beginning.length === 0) return { code: 'json-empty', reason: 'Cannot read rows: the file is empty' };
  return { code: 'json-no-list', reason: 'Cannot read rows: expected an object or an array, found something else' };
}

export const documentsAt = (layout: 'lines' | 'values', inside: readonly string[]): RowsPlace => ({
  layout,
  ...(inside.length > 0 && { inside }),
});

const listAt = (list: string): JsonRowsAt => ({ layout: 'list', pattern: parsePointer(list) ?? [] });

/** The rows of one file, in lists, and what is broken in its place. Throws only what `chunks` throws. */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  { inside, ...at }: RowsPlace,
  { counts = { rows: 0, deleted: 0 }, ...options }: JsonOptions & { readonly counts?: RowCounts } = {},
): AsyncGenerator<readonly RowStep[]> {
  const holes = new Holes();
  const pattern = inside ?? (at.layout === 'list' ? at.pattern : []);
  const levels = pattern.length - 1 - pattern.lastIndexOf(anyPart);
  for await (const rows of readJsonRows(chunks, path, at, options)) {
    counts.rows += rows.length;
    const steps: RowStep[] = [];
    for (const found of rows) {
      if (at.layout === 'list' && holes.isHole(found)) continue;
      const typed = dynamoItem(found.value);
      if (typed?.isDeleted) counts.deleted += 1;
      else if (inside === undefined || found.fault)
        steps.push(toStep({ ...found, levels }, typed?.item ?? found.value, holes));
      else {
        const document = { value: typed?.item ?? found.value, location: found.location, unread: options.unread };
        for (const row of rowsInside(document, inside))
          if (row.value !== null) steps.push(toStep({ ...row, levels }, row.value, holes));
      }
    }
    yield steps;
  }
}

/** Elements of a file. */
interface RowCounts {
  /** All of them. */
  rows: number;
  /** Items of DynamoDB that were deleted, which are no rows. */
  deleted: number;
}

/**
 * Null elements, which are not rows. Firebase's Realtime Database writes objects with numeric keys as arrays, with null
 * for each missing number. In such an array the index of an element is its key.
 */
class Holes {
  #list: string | undefined;

  isHole({ value, fault, location }: FoundRow): boolean {
    if (value !== null || fault !== undefined) return false;
    this.#list = listOf(location);
    return true;
  }

  isAround({ location }: FoundRow): boolean {
    return this.#list !== undefined && this.#list === listOf(location);
  }
}

const listOf = ({ pointer = '' }: Location) => pointer.slice(0, pointer.lastIndexOf('/'));

/** @param value Of the row, without the types of a database. */
function toStep(found: FoundRow & { readonly levels: number }, value: unknown, holes: Holes): RowStep {
  const { fault, location } = found;
  if (fault) {
    const { code, reason, scope } = fault;
    return scope === 'no-row'
      ? { type: 'problem', code, reason, location }
      : { type: 'invalid', code, reason, location };
  }
  if (typeof value === 'object' && value !== null) {
    return new JsonRow(value, location, found, holes.isAround(found));
  }
  const reason = `Cannot read this row: expected an object, found ${wordFor(value)}`;
  return { type: 'invalid', code: 'json-not-an-object', reason, location };
}
