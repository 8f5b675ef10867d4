import { textOf } from './value.ts';

/**
 * The elements of a value that is a list: an array, JSON in a cell, an array of PostgreSQL (`{a,b}`), or text split by
 * the separator. One object is a list of one. Undefined where the text begins like JSON and is none.
 */
export function elementsOf(value: unknown, separator: string): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return [value];
  const text = textOf(value)?.trim();
  if (text === undefined || text === '') return [];
  if (!/^[[{]/.test(text)) return split(text, separator);
  const parsed = parseExactJson(text);
  if (parsed !== undefined) return Array.isArray(parsed) ? parsed : [parsed];
  return /^\{[^{}[\]:]*\}$/.test(text) ? split(text.slice(1, -1), ',').map(unquoted) : undefined;
}

const split = (text: string, separator: string) =>
  text
    .split(separator)
    .map((element) => element.trim())
    .filter((element) => element !== '');

const unquoted = (text: string) => text.replace(/^"(.*)"$/s, '$1');

/** Access to the text of a number, which TypeScript does not know yet. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context!.source
    : value;

/** JSON in which an integer too large for a number stays exact, as text. Undefined for what is no JSON. */
function parseExactJson(text: string): unknown {
  try {
    return /\d{16}/.test(text)
      ? JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
      : JSON.parse(text);
  } catch {
    return undefined;
  }
}
