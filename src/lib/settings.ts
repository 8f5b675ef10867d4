import { yaml } from './late.ts';
import { UsageError } from './errors.ts';
import { oneLine, truncate } from './text/plain-text.ts';

/** Keys and values of a mapping that are decided so far; tables inside tables. */
export type Settings = Readonly<Record<string, unknown>>;

/** Path of a value: `['messages', 'time', 'format']`. */
export type KeyPath = readonly string[];

/**
 * Returns the settings given with `--set KEY=VALUE`, in order; a later one overrides an earlier one. A part of a key
 * that contains a dot must be in double quotes: `people.uids."ann.lee"=ann`.
 *
 * @throws UsageError for a text without a key or without `=`.
 */
export function parseSettings(texts: readonly string[]): Settings {
  let settings: Settings = {};
  for (const text of texts) {
    const match = /^((?:"[^"]*"|[^"=])+)=(.*)$/s.exec(text);
    const path = match ? keyPath(match[1]!) : [];
    if (!match || path.length === 0 || path.includes('')) {
      throw new UsageError(`Cannot use --set "${text}": expected KEY=VALUE`, {
        hint: 'For example --set source.messages.time.format=dd/MM/yyyy',
      });
    }
    settings = withValue(settings, path, parseValue(match[2]!));
  }
  return settings;
}

/** `messages.time.format` in its parts. */
export const keyPath = (key: string): string[] =>
  [...key.trim().matchAll(/(?:^|\.)("[^"]*"|[^.]*)/g)].map(([, part]) => part!.replace(/^"(.*)"$/s, '$1'));

/** The parts as one key, such as `keyPath` takes it. */
export const dotted = (path: KeyPath): string =>
  path.map((part) => (part.includes('.') ? `"${part}"` : part)).join('.');

/**
 * Parses a value as if it were in the mapping: `true`, `3` and `[a, b]` are what they look like, everything else is
 * text. It is a number only if its digits survive, so `007` and a 64-bit id stay as they are.
 */
export function parseValue(text: string): unknown {
  if (isWord(text)) return text;
  const value = parsedOrText(text);
  if (typeof value === 'number') return String(value) === text.trim() ? value : text;
  return value === null || (isTable(value) && !isWrittenTable(text, value)) ? text : value;
}

/** `HH:mm: ss` is no table, nor is the template `{handle}`. */
const isWrittenTable = (text: string, value: Settings): boolean =>
  text.trim().startsWith('{') && !Object.values(value).includes(null);

/** Returns text that `parseValue` reads back as the value. */
export const settingText = (value: unknown): string =>
  typeof value === 'string' && parseValue(value) === value ? value : yamlLine(value);

function parsedOrText(text: string): unknown {
  try {
    return yaml().parse(text) as unknown;
  } catch {
    return text;
  }
}

export function valueAt(settings: unknown, path: KeyPath): unknown {
  let value = settings;
  for (const key of path) value = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** The same with another value at a path. A plain value on the way becomes a table (`longForm`). */
export function withValue(settings: Settings, path: KeyPath, value: unknown): Settings {
  const [key, ...rest] = path;
  if (key === undefined) return settings;
  if (rest.length === 0) return { ...settings, [key]: value };
  return { ...settings, [key]: withValue(asTable(valueAt(settings, [key]), rest[0]!), rest, value) };
}

/** The same without the value at a path, and without tables that hold nothing any more. */
export function withoutValue(settings: Settings, path: KeyPath): Settings {
  const [key, ...rest] = path;
  if (key === undefined || !Object.hasOwn(settings, key)) return settings;
  const { [key]: value, ...others } = settings;
  if (rest.length === 0) return others;
  if (!isTable(value)) return settings;
  const left = withoutValue(value, rest);
  return Object.keys(left).length === 0 ? others : { ...settings, [key]: left };
}

/** For JSON.stringify: keys in one order, whatever their order in the file. */
export function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns `base` with all settings of `changes`, key by key. A value that is short for the `from` of a table leaves the
 * table's other keys.
 */
export const merged = (base: Settings, changes: Settings): Settings =>
  listLeaves(changes).reduce((settings, [path, value]) => {
    const isShort = value !== undefined && valueAt(settings, [...path, 'from']) === value;
    return isShort ? settings : withValue(settings, path, value);
  }, base);

/** Every value that is no table, and every empty table, with its path, in order. */
export const listLeaves = (settings: Settings, prefix: KeyPath = []): [path: KeyPath, value: unknown][] =>
  Object.entries(settings).flatMap(([key, value]): [KeyPath, unknown][] => {
    const path = [...prefix, key];
    return isTable(value) && Object.keys(value).length > 0 ? listLeaves(value, path) : [[path, value]];
  });

const asTable = (value: unknown, next: string): Settings => (isTable(value) ? value : longForm(value, next));

const columnlessKeys = ['constant', 'template', 'first'];

/**
 * The table that a plain value becomes before a key of it is set: the value was short for `{ from: value }`, unless the key takes its place.
 *
 * @param next The key.
 */
export const longForm = (value: unknown, next: string): Settings =>
  value === undefined || value === null || columnlessKeys.includes(next) ? {} : { from: value };

/** Characters that could break a line, or hide or reverse the text after them: written as an escape. */
const unseen = /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Longer keys need a form of their own: YAML 1.2, section 8.2.2. Some room is left for escapes of the reader's. */
const keyLengthMax = 1000;

const commentLengthMax = 120;

/** Returns a value on one line of YAML: words unquoted if that is safe, other text in double quotes, lists and tables in flow style. */
export function yamlLine(value: unknown): string {
  if (typeof value === 'string') return yamlText(value);
  if (Array.isArray(value)) return `[${value.map(yamlLine).join(', ')}]`;
  if (!isTable(value)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).map(([key, inner]) => `${yamlText(key)}: ${yamlLine(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Returns a key and its value: one line, or two for a key that is too long to come before a colon. */
export function yamlEntry(key: string, value: unknown): string[] {
  const name = yamlText(key);
  return name.length <= keyLengthMax ? [`${name}: ${yamlLine(value)}`] : [`? ${name}`, `: ${yamlLine(value)}`];
}

/** A table of keys: not a list, not a text. */
export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text from anywhere as the rest of a comment line: it cannot end the comment, move a cursor, or fill the screen. */
export const commentText = (text: string): string => truncate(oneLine(text), commentLengthMax);

/** Whether it means itself in YAML, and nothing else. */
const isWord = (text: string): boolean => /^[a-z][a-z0-9_-]*$/.test(text) && !['true', 'false', 'null'].includes(text);

function yamlText(text: string): string {
  if (isWord(text)) return text;
  const isPlain =
    /^[A-Za-z_](?:[\w ./-]*[\w/-])?$/.test(text) && yaml().stringify(text, { lineWidth: 0 }) === `${text}\n`;
  return isPlain ? text : JSON.stringify(text).replace(unseen, escapeCharacter);
}

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
