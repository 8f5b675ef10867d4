import { anyPart, formatPointer } from '../../io/json/json-pointer.ts';
import { isObject, type JsonObject, unwrap } from './unwrap.ts';

/** A place in a file's one value whose children look like rows. */
export interface FoundList {
  /** As `list` has it: `/data/messages`. */
  readonly list: string;
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

/** Every list of objects in a value, in the order in which they begin. */
export function findLists(value: unknown): readonly FoundList[] {
  const found = new Map<string, JsonObject[]>();
  visit(value, [], found);
  return [...found].map(([list, rows]) => ({ list, rows }));
}

function visit(value: unknown, parts: readonly string[], found: Map<string, JsonObject[]>): void {
  if (typeof value !== 'object' || value === null || parts.length > depthMax || unwrap(value) !== value) return;
  if (!isUniform(value)) {
    for (const [key, child] of Object.entries(value)) visit(child, [...parts, key], found);
    return;
  }
  const children = Object.values(value) as unknown[];
  const rows = children.filter(isRow);
  if (rows.length > 0) add(found, formatPointer(parts), rows);
  for (const child of children.slice(0, comparedMax)) visit(child, [...parts, anyPart], found);
}

function add(found: Map<string, JsonObject[]>, list: string, rows: readonly JsonObject[]): void {
  if (found.size >= listsMax && !found.has(list)) return;
  const known = found.get(list) ?? [];
  known.push(...rows.slice(0, rowsMax - known.length));
  found.set(list, known);
}

/** Whether all children are of one kind: an array, or an object whose keys are ids or names of such children. */
function isUniform(value: object): boolean {
  if (Array.isArray(value)) return true;
  const entries = Object.entries(value).slice(0, comparedMax);
  const children = entries.map(([, child]) => child as unknown);
  if (entries.length === 0 || !children.every(isContainer)) return false;
  if (entries.every(([key]) => generatedKey.test(key))) return true;
  const [first, ...others] = children;
  return others.length > 0 && others.every((other) => isAlike(first, other));
}

/** An object that says something of itself, rather than holding other objects only. */
function isRow(value: unknown): value is JsonObject {
  return isObject(value) && Object.values(value).some((field) => !isContainer(unwrap(field)));
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether two values have half of their fields in common, or hold lists of such. */
function isAlike(a: unknown, b: unknown, depth = 3): boolean {
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (!isRow(a) && !isRow(b)) {
    const [inA, inB] = [Object.values(a)[0], Object.values(b)[0]] as unknown[];
    return depth > 0 && isAlike(inA, inB, depth - 1);
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const shared = [...keys].filter((key) => Object.hasOwn(a, key) && Object.hasOwn(b, key));
  return shared.length * 2 >= keys.size;
}
