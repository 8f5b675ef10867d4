import { UsageError } from '../../lib/errors.ts';
import type { Operation } from '../contract/operation.ts';

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** The path of an operation with its parameters percent-encoded, and the query behind it. */
export function pathOf(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(params[name] ?? '', name));
  const search = encodeQuery(query);
  return search === '' ? path : `${path}?${search}`;
}

/** A list is its parameter repeated. */
function encodeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of typeof value === 'object' ? value : [value]) search.append(name, String(one));
  }
  return search.toString();
}

function encodeSegment(value: string, name: string): string {
  // No encoding keeps a dot segment from being taken for a way up.
  if (value === '' || value === '.' || value === '..') {
    throw new UsageError(`Cannot make a request: "${value}" is no ${name}`);
  }
  return encodeURIComponent(value.toWellFormed());
}
