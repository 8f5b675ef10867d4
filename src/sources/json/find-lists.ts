import { anyPart, formatPointer } from '../../io/json/json-pointer.ts';
import { dynamoItem } from './dynamodb.ts';
import { areDocuments, collectionsIn } from './firestore.ts';
import { isObject, type JsonObject, unwrap } from './unwrap.ts';

/** A place in a file's one value whose children look like rows. */
export interface FoundList {
  /** As `list` has it: `/data/messages`. */
  readonly list: string;
  /** The list by name, if the last step of `list` is a `*` for a single key that may be a name: `/data/lobby`. */
  readonly named?: string;
  /** The first ones. */
  readonly rows: readonly JsonObject[];
}

/** Enough to see what the fields are. */
const rowsMax = 1000;
/** Children that are compared, and entered, to learn what a container holds. */
const comparedMax = 20;
const depthMax = 8;
/** More lists than anybody would look through: a bound against files that are made of lists. */
const listsMax = 20;

/** Keys that programs make: numbers, UUIDs and hashes, Firebase's push ids (`-NxY…`), ids of 16 characters and more. */
const generatedKey = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{20,}|(?=.*\d)[\w-]{16,})$/i;

/**
 * Words of names that formats give to what holds rows. A key with none of them may be that of a room.
 */
const formatWords = new Set(
  (
    'messages msgs message posts comments chats chatlog history log logs events event data items item results result list lists rows records record ' +
    'entries entry nodes edges matches values hits docs documents content contents payload response body export conversations threads rooms channels ' +
    'groups dialogs users members people contacts participants tickets parts replies answers transcript transcripts nachrichten table tables objects indexes'
  ).split(' '),
);

/** Keys that mark the keys next to them as names too, although all rows look alike: `messages` and `archive`. */
const plainNames = /^(?:(?:chat_?)?messages|users|rooms|channels|conversations)$/i;

const isFormatName = (key: string): boolean =>
  key
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => formatWords.has(word));

/** Every list of objects in a value, in the order in which they begin. */
export function findLists(value: unknown): readonly FoundList[] {
  const found = new Found();
  visit(value, [], found);
  return found.lists();
}

/** Lists by their pattern. */
class Found {
  readonly #rows = new Map<string, JsonObject[]>();
  /** The named form by list; null if there is none, or several. */
  readonly #named = new Map<string, string | null>();

  add(list: string, rows: readonly JsonObject[], named: string | undefined): void {
    if (this.#rows.size >= listsMax && !this.#rows.has(list)) return;
    const isNew = !this.#rows.has(list);
    const known = this.#rows.get(list) ?? [];
    known.push(...rows.slice(0, rowsMax - known.length));
    this.#rows.set(list, known);
    if (isNew) this.#named.set(list, named ?? null);
    else if (this.#named.get(list) !== named) this.#named.set(list, null);
  }

  lists(): readonly FoundList[] {
    return withoutSingle([...this.#rows.keys()]).map((list) => {
      const named = this.#named.get(list);
      return { list, rows: this.#rows.get(list)!, ...(typeof named === 'string' && { named }) };
    });
  }
}

/** Lists without those that another pattern takes in: a map of one key looks like a name, where other maps show that it is none. */
export function withoutSingle(lists: readonly string[]): readonly string[] {
  const isIn = (one: string, pattern: string) => {
    const [parts, wanted] = [one.split('/'), pattern.split('/')];
    return parts.length === wanted.length && wanted.every((part, at) => part === anyPart || part === parts[at]);
  };
  return lists.filter((one) => !lists.some((other) => other !== one && isIn(one, other)));
}

/**
 * @param named The same location by name, if the last part is a `*` that may be a name.
 */
function visit(value: unknown, parts: readonly string[], found: Found, named?: readonly string[]): void {
  if (typeof value !== 'object' || value === null || parts.length > depthMax || unwrap(value) !== value) return;
  if (dynamoItem(value) !== undefined) return;
  const collections = collectionsIn(value, parts.at(-1));
  if (collections !== undefined) {
    for (const { part, documents } of collections) visitRows(documents, [...parts, part], { found });
    return;
  }
  const single = Array.isArray(value) ? undefined : singleKey(value);
  if (single === undefined && !areDocuments(value) && !isUniform(value)) {
    for (const [key, child] of Object.entries(value)) visit(child, [...parts, key], found);
    return;
  }
  visitRows(value, parts, { found, named, ...(single?.isUnclear && { single: single.key }) });
}

interface RowsVisit {
  readonly found: Found;
  readonly named?: readonly string[] | undefined;
  /** The only key of the value, if it may be a name. */
  readonly single?: string;
}

/** A value whose children are rows, or hold rows. */
function visitRows(value: object, parts: readonly string[], { found, named, single }: RowsVisit): void {
  const children = Object.values(value) as unknown[];
  const rows = children.filter(isRow);
  if (rows.length > 0) found.add(formatPointer(parts), rows, named && formatPointer(named));
  for (const child of children.slice(0, comparedMax)) {
    visit(child, [...parts, anyPart], found, single === undefined ? undefined : [...parts, single]);
  }
}

/** The only key of an object with rows in it that is, or may be, that of a room. */
function singleKey(value: object): { readonly key: string; readonly isUnclear: boolean } | undefined {
  const filled = Object.entries(value).filter(([, child]) => !isContainer(child) || Object.keys(child).length > 0);
  const [key, child] = (filled.length === 1 ? filled[0]! : []) as [string?, unknown?];
  if (key === undefined || !holdsRows(child) || isFormatName(key)) return undefined;
  return { key, isUnclear: !/\d/.test(key) && !hasHoles(child) };
}

/** An array of rows, or an object whose values are rows. */
const holdsRows = (value: unknown): boolean =>
  isContainer(value) && (Array.isArray(value) || isUniform(value)) && Object.values(value).some(isRow);

/** Whether all children are of one kind: an array, or an object whose keys are ids or names of such children. */
function isUniform(value: object): boolean {
  if (Array.isArray(value)) return true;
  const entries = Object.entries(value).slice(0, comparedMax);
  const children = entries.map(([, child]) => child as unknown);
  if (entries.length === 0 || !children.every(isContainer)) return false;
  if (entries.every(([key]) => generatedKey.test(key))) return true;
  if (entries.some(([key]) => plainNames.test(key))) return false;
  const [first, ...others] = children.filter((child) => Object.keys(child).length > 0);
  return others.length > 0 && others.every((other) => isAlike(first, other));
}

/** An object that says something of itself, rather than holding other objects only. */
function isRow(value: unknown): value is JsonObject {
  if (!isObject(value) || unwrap(value) !== value) return false;
  return Object.values(value).some((field) => !isContainer(unwrap(field))) || dynamoItem(value) !== undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether two values have half of their fields in common, or hold lists of such. */
function isAlike(a: unknown, b: unknown, depth = 3): boolean {
  if (!isContainer(a) || !isContainer(b)) return false;
  if (Array.isArray(a) !== Array.isArray(b) && !areNumbered(a, b)) return false;
  if (!isRow(a) && !isRow(b)) {
    const [inA, inB] = [a, b].map((container) => Object.values(container).find((child) => child !== null) as unknown);
    return depth > 0 && isAlike(inA, inB, depth - 1);
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const shared = [...keys].filter((key) => Object.hasOwn(a, key) && Object.hasOwn(b, key));
  return shared.length * 2 >= keys.size;
}

const hasHoles = (value: unknown): boolean => Array.isArray(value) && value.slice(0, comparedMax).includes(null);

/** Firebase's Realtime Database writes an object with numbers for keys as an array where more than half of them are there. */
const areNumbered = (...containers: readonly object[]): boolean =>
  containers.every((value) => Array.isArray(value) || Object.keys(value).every((key) => /^\d{1,9}$/.test(key))) ||
  containers.some(hasHoles);
