import { stringify } from 'yaml';
import { oneLine, truncate } from '../../lib/plain-text.ts';

/** What could break a line, hide or turn around what follows: written as an escape. */
const unseen = /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Longer keys need a form of their own: YAML 1.2, section 8.2.2. Some room is left for escapes of the reader's. */
const keyLengthMax = 1000;

const commentLengthMax = 120;

/** A value on one line of YAML: words as they are where that is safe, other text in double quotes, lists and tables in flow style. */
export function yamlLine(value: unknown): string {
  if (typeof value === 'string') return yamlText(value);
  if (Array.isArray(value)) return `[${value.map(yamlLine).join(', ')}]`;
  if (!isTable(value)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).map(([key, inner]) => `${yamlText(key)}: ${yamlLine(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A key and its value: one line, or two for a key that is too long to stand before a colon. */
export function yamlEntry(key: string, value: unknown): string[] {
  const name = yamlText(key);
  return name.length <= keyLengthMax ? [`${name}: ${yamlLine(value)}`] : [`? ${name}`, `: ${yamlLine(value)}`];
}

/** A table of keys: not a list, not a text. */
export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text from anywhere as the rest of a comment line: it cannot end the comment, move a cursor, or fill the screen. */
export const commentText = (text: string): string => truncate(oneLine(text), commentLengthMax);

function yamlText(text: string): string {
  const isPlain = /^[A-Za-z_](?:[\w ./-]*[\w/-])?$/.test(text) && stringify(text, { lineWidth: 0 }) === `${text}\n`;
  return isPlain ? text : JSON.stringify(text).replace(unseen, escapeOf);
}

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
