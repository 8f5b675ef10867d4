import type { Location } from '../../../src/lib/text/location.ts';
import type { Files } from './kind.ts';

/** The object of a message in its file of JSON, and its pointer as `put` takes it: of a file of lines it begins with the line. */
export function rowAt(files: Files, { path, line = 1, pointer = '' }: Location) {
  const text = files[path];
  if (typeof text !== 'string') return undefined;
  const whole = parsed(text);
  const lines = whole === undefined ? text.trimEnd().split('\n').map(parsed) : [];
  if (lines.includes(undefined)) return undefined;
  const json = whole ?? lines[line - 1];
  const value = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as never)?.[key], json);
  if (typeof value !== 'object' || value === null) return undefined;
  return { value, pointer: whole === undefined ? `/${line - 1}${pointer}` : pointer };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
