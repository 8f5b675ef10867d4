import { formatCount } from '../../lib/text/count.ts';
import type { Entry } from '../../model/entry.ts';
import { splitElements } from './bind/lists.ts';
import { pathStep, type Row } from './row.ts';

/** Fields of one file that are counted by name: a JSON object with ids for keys has a new one in every row. */
const namesMax = 200;
export const otherNames = 'further fields';

/** What a mapping reads of a table. */
interface WhatIsRead {
  /** Columns and paths. */
  readonly reads: readonly string[];
  /** Of them, lists that are read in part: which paths inside an element are. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Texts that stand for no value. */
  readonly nulls: readonly string[];
}

/** A field of which not everything is read: of its elements, where it is a list, these paths are; nothing of others. */
interface Unread {
  readonly name: string;
  readonly partly: ((index: number) => readonly string[]) | undefined;
}

/**
 * Columns (csv) and paths (json) that the mapping does not read: in how many rows of a file each has a value. Of lists each path
 * inside their objects: `files[].caption`.
 */
export class UnmappedFields {
  readonly #what: WhatIsRead;
  readonly #nulls: ReadonlySet<unknown>;
  readonly #known = new Map<string, Unread | undefined>();
  #rows = new Map<string, number>();
  /** Rows of a file of fixed columns share their names. */
  #names: readonly string[] | undefined;
  #unread: readonly Unread[] = [];

  constructor(what: WhatIsRead) {
    this.#what = what;
    this.#nulls = new Set<unknown>([...what.nulls, '', null, undefined]);
  }

  /** Of a row that became a record. */
  note(row: Row): void {
    const names = row.names();
    if (names !== this.#names) {
      this.#names = names;
      this.#unread = names.map((name) => this.#lookAt(name)).filter((unread) => unread !== undefined);
    }
    for (const { name, partly } of this.#unread) {
      const value = row.get(name);
      if (this.#isNothing(value)) continue;
      const elements = elementsIn(value, partly !== undefined);
      if (elements) for (const path of this.#inside(elements, partly)) this.#count(`${name}[]${path}`);
      else if (!partly) this.#count(name);
    }
  }

  #count(name: string): void {
    const column = this.#rows.has(name) || this.#rows.size < namesMax ? name : otherNames;
    this.#rows.set(column, (this.#rows.get(column) ?? 0) + 1);
  }

  /** Says what stays behind, and begins anew. Names alone: what nobody asked for may be a password. */
  end(path: string, into: Entry[], table?: string): void {
    for (const [name, rows] of this.#rows) {
      const reason = `${JSON.stringify(name)} has a value in ${rows === 1 ? 'a row' : `${formatCount(rows)} rows`}`;
      const found = { reason, location: { path }, count: rows, column: name };
      into.push({ type: 'problem', code: 'column-not-migrated', ...found, ...(table && { table }) });
    }
    this.#rows = new Map();
  }

  #lookAt(name: string): Unread | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const { reads, lists } = this.#what;
    const inside = lists.get(name);
    // `files.0.url` reads the first of the list, and nothing of the others.
    const single = reads.filter(
      (read) => /^\d+(?:\.|$)/.test(read.slice(name.length + 1)) && read.startsWith(`${name}.`),
    );
    const ofSingle = (index: number) =>
      single.filter((read) => isBelow(read, `${name}.${index}`)).map((read) => read.slice(`${name}.${index}.`.length));
    const below = reads.filter((read) => read.startsWith(`${name}.`)).map((read) => read.slice(name.length + 1));
    // Of an object, or of JSON in a cell, some fields are read.
    const ofObject = below.length > 0 ? () => below : undefined;
    const ofPaths = reads.some((read) => isBelow(name, read)) ? undefined : single.length > 0 ? ofSingle : ofObject;
    const partly = inside ? () => inside : ofPaths;
    const unread = partly || !isReadBy(reads, name) ? { name, partly } : undefined;
    if (this.#known.size < 10_000) this.#known.set(name, unread);
    return unread;
  }

  #isNothing(value: unknown): boolean {
    return this.#nulls.has(value) || (typeof value === 'object' && Object.keys(value as object).length === 0);
  }

  /** Paths inside the elements of a list that have a value and are not read, as they stand behind `[]`. */
  #inside(elements: readonly unknown[], partly: Unread['partly']): ReadonlySet<string> {
    const found = new Set<string>();
    const walk = (value: unknown, path: string, reads: readonly string[], depth: number): void => {
      if (this.#isNothing(value)) return;
      if (typeof value !== 'object' || depth === 0) {
        if (!isReadBy(reads, path)) found.add(path === '' ? '' : `.${path}`);
      } else if (Array.isArray(value)) for (const element of value) walk(element, `${path}[]`, reads, depth - 1);
      else {
        for (const [key, inner] of Object.entries(value!))
          walk(inner, path === '' ? pathStep(key) : `${path}.${pathStep(key)}`, reads, depth - 1);
      }
    };
    for (const [index, element] of elements.entries()) {
      const reads = partly?.(index) ?? [];
      // An element that is no object is an address, an emoji or an id.
      if (reads.length === 0 || typeof element === 'object') walk(element, '', reads, namedDepthMax);
    }
    return found;
  }
}

/** Objects and lists inside an element whose fields are named one by one. */
const namedDepthMax = 4;

/** The elements of a list of which the paths inside count; nothing for what counts as a whole. @param isList Whether it is read as one. */
function elementsIn(value: unknown, isList: boolean): readonly unknown[] | undefined {
  if (isList) return splitElements(value, ',') ?? [];
  return Array.isArray(value) && value.some((element) => typeof element === 'object') ? value : undefined;
}

const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

/** A list or an object is read where something inside it is; what stands inside one that is read as a whole is as well. */
export const isReadBy = (reads: readonly string[], name: string): boolean =>
  // Where the row stood is no field.
  name === '$key' || name === '$parentKey' || reads.some((read) => isBelow(name, read) || isBelow(read, name));
