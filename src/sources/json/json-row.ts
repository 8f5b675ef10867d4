import type { Location } from '../../lib/text/location.ts';
import { parsePath, pathStep, type Row, valueInJson } from '../tables/row.ts';
import { holdsCollections } from './firestore.ts';
import { referencePart } from './references.ts';
import { documentPlace, type DocumentPlace, isObject, type JsonObject, unwrap, unwrapAll } from './unwrap.ts';

/** Location of a row, available as `$key`, `$parentKey`, `$outer.…` in addition to its own fields. */
export interface RowPlace {
  /** The row's key, where rows are the values of an object; in an array its index is. */
  readonly key?: string | undefined;
  /** The key that the last `*` in `list` matched. */
  readonly parentKey?: string | undefined;
  /** Fields of the objects around the list, the nearest first. */
  readonly surroundings?: readonly ReadonlyMap<string, unknown>[] | undefined;
  /** How many of them are not above the nearest `*` in `list`: those farther away say something of several lists. Absent: all. */
  readonly levels?: number | undefined;
}

/** Objects inside objects whose fields are named one by one. Deeper ones can be bound as well, by who knows them. */
const namedDepthMax = 4;

/** An object (or array) as a row: its fields by path (`user.name`), without the wrappings of databases. */
export class JsonRow implements Row {
  readonly type = 'row';
  readonly location: Location;
  readonly #value: object;
  readonly #place: RowPlace;
  readonly #isBesideHoles: boolean;

  /** @param isBesideHoles Whether rows are elements of an array that has lost others: then the index is a name of theirs. */
  constructor(value: object, location: Location, place: RowPlace, isBesideHoles = false) {
    this.location = location;
    this.#value = value;
    this.#place = place;
    this.#isBesideHoles = isBesideHoles;
  }

  get value(): object {
    return this.#value;
  }

  get(name: string): unknown {
    const path = pathOf(name);
    const first = path[0]!;
    const start = ownValue(this.#value, first);
    if (start === undefined && first.startsWith('$')) return this.#placeValue(first, path);
    return valueAt(start, path);
  }

  names(): readonly string[] {
    const { key, parentKey, surroundings } = this.#place;
    const isUsual = key === undefined && parentKey === undefined && !this.#isBesideHoles;
    if (!isUsual) return this.#allNames();
    if (latest.surroundings === surroundings && hasFlatFields(this.#value, latest.keys)) return latest.names;
    const names = this.#allNames();
    const keys = Object.keys(this.#value);
    if (hasFlatFields(this.#value, keys)) latest = { keys, surroundings, names };
    return names;
  }

  #allNames(): readonly string[] {
    const names: string[] = [];
    addNames(names, this.#value, '', namedDepthMax);
    for (const name of ['$key', '$parentKey']) {
      const isSaid = name === '$parentKey' || this.#index === undefined || this.#isBesideHoles;
      if (isSaid && !Object.hasOwn(this.#value, name) && this.get(name) !== undefined) names.push(name);
    }
    const { surroundings, levels } = this.#place;
    const around = surroundings?.slice(0, levels).flatMap((values) => [...values.keys()]) ?? [];
    for (const key of new Set(around)) if (this.#outer(key) !== undefined) names.push(`$outer.${pathStep(key)}`);
    return names;
  }

  /** In an array. */
  get #index(): string | undefined {
    if (this.#place.key !== undefined) return undefined;
    return /\/(\d+)$/.exec(this.location.pointer ?? '')?.[1];
  }

  /** The nearest value of that name: objects are none, unless a database has wrapped one in it. */
  #outer(key: string): unknown {
    for (const values of this.#place.surroundings ?? []) {
      const value = unwrap(values.get(key));
      if (value !== undefined && typeof value !== 'object') return value;
      if (value === null) return null;
    }
    return undefined;
  }

  #documentPlace(): DocumentPlace | undefined {
    return isObject(this.#value) ? documentPlace(this.#value) : undefined;
  }

  #placeValue(first: string, path: readonly string[]): unknown {
    const { key, parentKey } = this.#place;
    if (first === '$key') return key ?? this.#documentPlace()?.key ?? this.#index;
    if (first === '$parentKey') return parentKey ?? this.#documentPlace()?.parentKey;
    if (first !== '$outer' || path.length !== 2) return undefined;
    return this.#outer(path[1]!);
  }
}

/** The latest row without objects in it, and its names: most rows of a file have the same fields. */
let latest: {
  readonly keys: readonly string[];
  readonly surroundings: RowPlace['surroundings'];
  readonly names: readonly string[];
} = { keys: [], surroundings: undefined, names: [] };

/** Whether an object has these fields, in this order, and no object in one of them. */
function hasFlatFields(object: object, keys: readonly string[]): boolean {
  let count = 0;
  for (const key in object) {
    if (key !== keys[count] || isObject((object as JsonObject)[key])) return false;
    count += 1;
  }
  return count === keys.length;
}

/** Paths that bindings name, taken apart once: some tens. Emptied before names that come from data can fill it. */
const paths = new Map<string, readonly string[]>();
const pathsMax = 10_000;

function pathOf(name: string): readonly string[] {
  const known = paths.get(name);
  if (known !== undefined) return known;
  if (paths.size >= pathsMax) paths.clear();
  const path = parsePath(name);
  paths.set(name, path);
  return path;
}

/** @param start The value of the path's first key. */
function valueAt(start: unknown, path: readonly string[]): unknown {
  let value = unwrap(start);
  for (let index = 1; index < path.length; index += 1) {
    const key = path[index]!;
    // A path through a list takes that field of each element.
    if (Array.isArray(value) && !/^\d/.test(key)) {
      const inside = value
        .map((element) => valueAt(element, ['', ...path.slice(index)]))
        .filter((one) => one !== undefined);
      return inside.length > 0 ? inside : undefined;
    }
    const own = unwrap(ownValue(value, key)) ?? referencePart(value, key);
    if (own === undefined && typeof value === 'string') return valueInJson(value, path.slice(index));
    value = own;
  }
  return typeof value === 'object' ? unwrapAll(value) : value;
}

/** A field of an object or an element of an array; nothing that JavaScript's own objects would add. */
function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

/** Paths of everything that is no object; a list is one field. The collections of a document are lists of their own: one name for all. */
function addNames(names: string[], object: object, path: string, depth: number): void {
  for (const [key, wrapped] of Object.entries(object) as [string, unknown][]) {
    const value = unwrap(wrapped);
    const name = path === '' ? pathStep(key) : `${path}.${pathStep(key)}`;
    const isApart = path === '' && holdsCollections(object as JsonObject, key);
    if (isApart && Object.keys(value as object).length === 0) continue;
    if (isObject(value) && depth > 1 && !isApart) addNames(names, value, name, depth - 1);
    else names.push(name);
  }
}
