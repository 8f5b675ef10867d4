import { nameInPattern, parsePointer } from '../../../../io/json/json-pointer.ts';
import { sampleName, type TableSample } from '../../row.ts';
import { namesOf } from '../columns.ts';
import { type ColumnFacts, type TableFacts, tableFacts } from './facts.ts';
import { splitWords } from '../../../../model/visibility-words.ts';

/** A table of a group. */
export interface TablePart {
  readonly name: string;
  /** Rows of it that were looked at. */
  readonly rows: number;
  /** Whether it has more, or may have more. */
  readonly isAtLeast: boolean;
}

/** Tables that are one: files with the same columns, such as one for each month or room. */
export interface TableGroup extends TableFacts {
  readonly paths: readonly string[];
  /** Each with a name of its own; none if it is the result of a query. */
  readonly parts: readonly TablePart[];
  /** Whether there are more rows than those of the sample. */
  readonly isCut: boolean;
}

/** Words of files that may hold what was not meant for everybody. */
const isSetApart = (name: string): boolean =>
  splitWords(name).some((word) =>
    /^(?:internal|private|public|notes?|drafts?|deleted?|removed|hidden|archived?|old|backup|tests?|spam|trash|scheduled|queued?|failed|history|intern|entwuerfe|geloescht)$/.test(
      word,
    ),
  );

/** Parts of one table with fewer columns must be named alike as well. */
const partColumns = 4;
/** Rows of all files of a group that are looked at together. */
const rowsMax = 1000;
/** Rows of each of them, as far as there is room. */
const rowsOfFileMin = 50;

/**
 * Files with the same columns hold parts of one table; any other file is a table of its own.
 *
 * @param said What the user has said that a file is: files of which that is not the same are never one table.
 */
export function groupTables(
  samples: readonly TableSample[],
  nulls: readonly string[],
  said: (path: string) => string = () => '',
): readonly TableGroup[] {
  const groups = new Map<string, TableSample[]>();
  for (const sample of samples) {
    const header = sample.partOf === undefined ? findHeader(sample, groups) : [`part of ${sample.partOf}`];
    // Tables of two references look all the same; drafts and notes look like the messages that they are not.
    const name = familyName(sample);
    const isByName =
      sample.partOf === undefined &&
      (header.length < partColumns || isSetApart(name) || sample.nameInQuery !== undefined);
    const own = isByName ? name : '';
    const key = JSON.stringify([sample.table, header, own, said(sample.path)]);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups.values()].map((alike) => {
    const [first] = alike as [TableSample];
    // Uses a part of each of many files, so that values in two of them are seen.
    const share = Math.max(rowsOfFileMin, Math.floor(rowsMax / alike.length));
    const isAll = alike.reduce((sum, sample) => sum + sample.rows.length, 0) <= rowsMax;
    const rows = alike.flatMap((sample) => (isAll ? sample.rows : sample.rows.slice(0, share))).slice(0, rowsMax);
    const facts = tableFacts({ ...first, rows }, nameOf(first), nulls);
    const isCut = alike.some((sample) => sample.isCut) || alike.flatMap((sample) => sample.rows).length > rows.length;
    return { ...facts, paths: [...new Set(alike.map(({ path }) => path))], parts: listParts(alike), isCut };
  });
}

/**
 * Tables with the key by which others name their rows: in documents that is often not `_id`, which every document has. Nothing changes where a
 * database declares a key, or where something names the rows by the one that is there.
 */
export function withNamedKeys(groups: readonly TableGroup[]): readonly TableGroup[] {
  const names = ({ ids }: ColumnFacts, key: ColumnFacts) =>
    ids.size > 1 && [...ids].filter((id) => key.ids.has(id)).length >= ids.size * 0.98;
  return groups.map((group) => {
    const { key, columns, sample } = group;
    const others = columns.filter((column) => column !== key && column.isUnique && column.shape === 'long-id');
    if (key === undefined || (sample.declared?.primaryKey.length ?? 0) > 0 || others.length === 0) return group;
    const isNamed = (one: ColumnFacts) =>
      groups.some((from) =>
        from.columns.some((column) => from !== group && column.shape === 'long-id' && names(column, one)),
      );
    const named = isNamed(key) ? undefined : others.find(isNamed);
    return named ? { ...group, key: named } : group;
  });
}

/** `messages` of `messages_2024` and `messages_7`: tables of a database are parts of one only if they are named so. */
const familyName = (sample: TableSample): string => sampleName(sample).replace(/[_-]?\d+/g, '');

/** A list of the same name in several files is one part. */
const listParts = (samples: readonly TableSample[]): readonly TablePart[] =>
  [...Map.groupBy(samples, nameOf)].map(([name, of]) => ({
    name,
    rows: of.reduce((sum, { rows }) => sum + rows.length, 0),
    isAtLeast: of.some(({ isCut, mayHaveMore }) => isCut || mayHaveMore),
  }));

/** As a query calls it: the last step of its list that is a name, else the file. */
const nameOf = (sample: TableSample): string => {
  const { list } = sample.table;
  const steps = typeof list === 'string' ? parsePointer(list) : undefined;
  return nameInPattern(steps ?? []) ?? sampleName(sample);
};

/** Columns of a file. Rows of JSON may leave fields out, and parts of a table may be older: then most of them have to be the same. */
function findHeader(sample: TableSample, groups: ReadonlyMap<string, readonly TableSample[]>): readonly string[] {
  const names = namesOf(sample.rows);
  const isFixed = sample.rows.every((row) => row.names() === sample.rows[0]!.names());
  if (isFixed && sample.rows.length > 0 && sample.nameInQuery === undefined) return names;
  for (const [key, [first]] of groups) {
    if (first!.partOf !== undefined) continue;
    if (sample.nameInQuery !== undefined && familyName(first!) !== familyName(sample)) continue;
    const known = namesOf(first!.rows);
    const shared = names.filter((name) => known.includes(name)).length;
    const isSameTable = JSON.stringify(first!.table) === JSON.stringify(sample.table);
    if (isSameTable && shared * 3 >= new Set([...names, ...known]).size * 2)
      return (JSON.parse(key) as [unknown, string[]])[1];
  }
  return names;
}

/** One pattern for several paths: what they begin and end with alike, and a star. Nothing where it would take in other files. */
export function sharedFile(paths: readonly string[], all: readonly string[]): string | undefined {
  const [first = '', ...others] = paths;
  if (others.length === 0) return first;
  let start = 0;
  while (start < first.length && others.every((path) => path[start] === first[start])) start += 1;
  let end = 0;
  const endMax = Math.min(...paths.map(({ length }) => length)) - start;
  while (end < endMax && others.every((path) => path.at(-1 - end) === first.at(-1 - end))) end += 1;
  const [head, tail] = [first.slice(0, start), end === 0 ? '' : first.slice(-end)];
  const isDeep = paths.some((path) => path.slice(start, path.length - end).includes('/'));
  const isTaken = (path: string) =>
    path.startsWith(head) &&
    path.endsWith(tail) &&
    path.length >= head.length + tail.length &&
    (isDeep || !path.slice(head.length, path.length - tail.length).includes('/'));
  const takesOthers = all.some((path) => !paths.includes(path) && isTaken(path));
  return takesOthers ? undefined : `${head}${isDeep ? '**' : '*'}${tail}`;
}
