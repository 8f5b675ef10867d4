import type { z } from 'zod';
import { isObject } from '../maps/objects.ts';
import { nearestName } from './nearest-name.ts';
import { oneLine, truncate } from './plain-text.ts';

/** Passed to `safeParse`: plain words where a schema has none of its own. */
export const schemaWords = {
  error(issue: z.core.$ZodRawIssue): string | undefined {
    if (issue.code === 'invalid_value')
      return `expected ${listed(issue.values.map(String))}, found ${shown(issue.input)}`;
    if (issue.code === 'invalid_type')
      return `expected ${typeWords[issue.expected] ?? issue.expected}, found ${shown(issue.input)}`;
    if (issue.code === 'unrecognized_keys') return 'there is no such key';
    if (issue.code === 'invalid_union')
      return isObject(issue.input)
        ? 'these keys and values do not go together'
        : `${shown(issue.input)} is not allowed here`;
    return undefined;
  },
};

/** Passed with a value that is read once in a run: compiling a function for its schema takes 3 ms, ten times as long as reading it. */
export const readOnce = { jitless: true } as const;

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys and values',
  record: 'keys and values',
  tuple: 'a list',
};

/** `us, eu or in` */
const listed = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'keys and values' : JSON.stringify(truncate(oneLine(String(value)), 40));
}

export interface SchemaFault {
  readonly at: readonly PropertyKey[];
  readonly what: string;
}

/** Describes issues. An unknown key gets the one that was probably meant; a value with several forms is described by the one that fits. */
export const listFaults = (schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): SchemaFault[] =>
  issues.flatMap((issue) => {
    const { path } = issue;
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ at: [...path, key], what: unknownKey(schema, path, key) }));
    const form = issue.code === 'invalid_union' ? fittingForm(issue.errors) : undefined;
    if (form === undefined) return [{ at: path, what: issue.message }];
    return listFaults(
      schema,
      form.map((own) => ({ ...own, path: [...path, ...own.path] })),
    );
  });

/** The issues of the form that has the fewest, none of the value itself; undefined if no form or several are so. */
function fittingForm(forms: readonly (readonly z.core.$ZodIssue[])[]) {
  const [first, second] = forms
    .filter((issues) => issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'))
    .toSorted((one, other) => one.length - other.length);
  return first?.length === second?.length ? undefined : first;
}

/** Words for a key that a schema does not have, with the one that was probably meant. */
function unknownKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): string {
  const nearest = nearestName(key, keysAt(schema, path));
  return nearest === undefined ? 'there is no such key' : `there is no such key; did you mean "${nearest}"?`;
}

/** Describes the first part of a path that a schema does not have. */
export function findPathFault(schema: z.ZodType, path: readonly string[]): SchemaFault | undefined {
  const index = path.findIndex((key, at) => {
    const keys = keysAt(schema, path.slice(0, at));
    return keys.length > 0 && !keys.includes(key);
  });
  if (index === -1) return undefined;
  return { at: path.slice(0, index + 1), what: unknownKey(schema, path.slice(0, index), path[index]!) };
}

/** Keys of a schema, or of a part of it. */
export function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const {
    shape,
    innerType,
    in: before,
    getter,
    options,
    valueType,
    element,
  } = (schema as { readonly def?: Inner } | undefined)?.def ?? {};
  const wrapped = innerType ?? before ?? getter?.();
  if (wrapped) return keysAt(wrapped, path);
  if (options) return options.flatMap((option) => keysAt(option, path));
  const [first, ...rest] = path;
  if (first === undefined) return shape ? Object.keys(shape) : [];
  return keysAt(shape ? shape[String(first)] : (valueType ?? element), rest);
}

/** Parts of a schema: https://zod.dev/packages/core */
interface Inner {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly innerType?: unknown;
  readonly in?: unknown;
  readonly getter?: () => unknown;
  readonly options?: readonly unknown[];
  readonly valueType?: unknown;
  readonly element?: unknown;
}
