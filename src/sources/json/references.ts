import { anyPart, isWildcard, nameInPattern, parsePointer } from '../../io/json/json-pointer.ts';
import { namesOf } from '../tables/propose/columns.ts';
import { parsePath, pathStep, type Row, sampleName, type TableSample } from '../tables/row.ts';
import { isObject, unwrap } from './unwrap.ts';

/*
 * Ways in which a document names another, in addition to its id alone. `sender.$id` is that id in all of them, and `sender.$ref` the collection:
 *
 *     "users/abc"              Firestore's references, with or without the path before
 *     "_User$abc"              Parse Server's pointers
 *     {"_id": "abc", …}        a copy of the other document: Mongoose "populates" some rows and leaves others
 *     {"$ref": "users", "$id": "abc"}   a DBRef of MongoDB, whose fields these are
 */
const pathPattern = /^(?:.*\/)?([^/$\s]+)[/$]([^/$\s]+)$/;

const idNames = ['_id', 'id', 'uid', 'objectId'] as const;

/** The value at `$id` or `$ref`; undefined for another key. */
export function referencePart(value: unknown, key: string): unknown {
  if (key !== '$id' && key !== '$ref') return undefined;
  const [, collection, id] = typeof value === 'string' ? (pathPattern.exec(value) ?? []) : [];
  if (key === '$ref') return collection;
  if (!isObject(value)) return id ?? value;
  const name = idNames.find((one) => Object.hasOwn(value, one));
  return name && unwrap(value[name]);
}

/** The same samples, with the ids of other documents as columns in the place of the references, and maps of other rows as one column each. */
export function withReferences<Sample extends TableSample>(samples: readonly Sample[]): readonly Sample[] {
  const tables = new Set(samples.flatMap((sample) => [listName(sample.table), sampleName(sample)]));
  return samples.map((sample) => {
    const { rows } = sample;
    const names = namesOf(rows);
    const maps = samples.flatMap((other) => mapInside(sample, other) ?? []);
    const shown = new Map([
      ...names.flatMap((name) => showReference(name, names, { rows, tables })),
      ...setsIn(names, rows).flatMap(({ of, set }) => of.map((name): Shown[number] => [name, [set]])),
      ...names.flatMap((name) =>
        maps.filter((map) => name.startsWith(`${map}.`)).map((map): Shown[number] => [name, [map]]),
      ),
    ]);
    return shown.size === 0 ? sample : { ...sample, rows: rows.map((row) => new ReferenceRow(row, shown)) };
  });
}

const listName = ({ list }: TableSample['table']) =>
  typeof list === 'string' ? nameInPattern(parsePointer(list) ?? []) : undefined;

/** Sets as Firebase has them: objects of marks, whose keys are ids and differ from row to row. `{"members": {"ines": true}}` is one column. */
function setsIn(names: readonly string[], rows: readonly Row[]) {
  const parents = Map.groupBy(names, (name) => parsePath(name).slice(0, -1).map(pathStep).join('.'));
  return [...parents]
    .filter(([set]) => set !== '')
    .map(([set, of]) => ({ set, of }))
    .filter(({ of }) => {
      const marks = rows.map((row) => of.map((name) => row.get(name)));
      const isMark = (mark: unknown) => mark === undefined || typeof mark === 'boolean';
      return marks.every((row) => row.every(isMark)) && of.some((_, at) => marks.some((row) => row[at] === undefined));
    });
}

/** The path of a list in the rows of another: `messages` for `/rooms` and `/rooms/*\/messages`. */
function mapInside({ path, table }: TableSample, other: TableSample): string | undefined {
  const [outer, inner] = [table, other.table].map(({ list }) => (typeof list === 'string' ? list : ''));
  if (other.path !== path || !inner!.startsWith(`${outer}/${anyPart}/`)) return undefined;
  const steps = parsePointer(inner!.slice(outer!.length))!.slice(1);
  return steps.some(isWildcard) ? undefined : steps.map(pathStep).join('.');
}

/** Names of columns in the place of others: those of the references, and the ids of the copies. */
type Shown = readonly (readonly [name: string, shown: readonly string[]])[];

function showReference(
  name: string,
  names: readonly string[],
  { rows, tables }: { readonly rows: readonly Row[]; readonly tables: ReadonlySet<string | undefined> },
): Shown {
  const values = rows.flatMap((row) => row.get(name)).filter((value) => value !== undefined && value !== null);
  const copied = idNames.map((id) => `${name}.${pathStep(id)}`).find((path) => names.includes(path));
  const plain = values.filter((value) => typeof value !== 'object');
  const isMixed = plain.length < values.length && values.every((value) => !isObject(value) || hasId(value));
  if (plain.length > 0 && (copied !== undefined || isMixed)) {
    const id = `${name}.$id`;
    return [[name, [id]], ...(copied === undefined ? [] : [[copied, [id]] as const])];
  }
  const collections = plain.map((value) => referencePart(value, '$ref') as string | undefined);
  if (
    values.length === 0 ||
    plain.length < values.length ||
    !collections.every((one) => one !== undefined && tables.has(one))
  )
    return [];
  return [[name, new Set(collections).size > 1 ? [`${name}.$ref`, `${name}.$id`] : [`${name}.$id`]]];
}

const hasId = (value: object): boolean => idNames.some((name) => Object.hasOwn(value, name));

/** A row whose names say where ids of others are. */
class ReferenceRow implements Row {
  readonly type = 'row';
  readonly #row: Row;
  readonly #shown: ReadonlyMap<string, readonly string[]>;

  constructor(row: Row, shown: ReadonlyMap<string, readonly string[]>) {
    this.#row = row;
    this.#shown = shown;
  }

  get location() {
    return this.#row.location;
  }

  get(name: string): unknown {
    return this.#row.get(name);
  }

  names(): readonly string[] {
    return [...new Set(this.#row.names().flatMap((name) => this.#shown.get(name) ?? [name]))];
  }
}
