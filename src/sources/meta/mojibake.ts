import { isUtf8 } from 'node:buffer';

/** A byte that begins a letter of several, and nothing that is no byte. */
const firstByte = /[\u00c2-\u00f4]/;
const noByte = /[^\0-\u00ff]/;

/**
 * A text as it was written: `cafÃ©` for UTF-8 that was taken for Latin-1 is `café`. A text with a letter that is no byte, or whose bytes are no
 * UTF-8, is right already.
 */
export function repaired(text: string): string {
  if (!firstByte.test(text) || noByte.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** The same of a string that is not empty, wherever it came from. */
export const asRepaired = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? repaired(value) : undefined;

/** The same of every text in a value. */
export function repairedAll(value: unknown): unknown {
  if (typeof value === 'string') return repaired(value);
  if (Array.isArray(value)) return value.map(repairedAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, repairedAll(inner)]));
}
