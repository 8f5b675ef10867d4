import { once } from '../lib/once.ts';
import { isObject } from '../lib/maps/objects.ts';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Document } from 'yaml';
import { yaml } from '../lib/late.ts';
import { UsageError } from '../lib/errors.ts';
import { sha256Hex } from '../lib/hash.ts';
import { assertOutsideExports } from '../lib/files/outside-exports.ts';
import { findPathFault, listFaults, readOnce, type SchemaFault, schemaWords } from '../lib/text/schema-words.ts';
import { yamlFault, yamlPlaces, yamlWords } from '../lib/text/yaml-places.ts';
import { loadModule, type MappingModule } from './module.ts';
import type { Lookup } from './person.ts';
import { type Example, type MappingFile, mappingFileSchema } from './rules/mapping-file.ts';
import { defaultRules, type Rules, type MediaRules, type ReadingRules } from './rules.ts';
import { type KeyPath, listLeaves, type Settings, sortedKeys, valueAt, withValue } from '../lib/settings.ts';
import { templateFields } from './rules/template.ts';
import { docsLink } from '../lib/docs-link.ts';

/** A mapping as it is used. `loadMapping` makes one. */
export interface Mapping {
  /** Changes exactly when what the mapping does may change. */
  readonly hash: string;
  /** @internal */
  readonly rules: Rules;
  /** @internal */
  readonly lookup?: Lookup | undefined;
  /** @internal */
  readonly module?: MappingModule | undefined;
  /** @internal Where files are copied to. Decides nothing of what is planned, and is no part of the hash. */
  readonly media?: MediaRules | undefined;
  /** @internal Who has confirmed how the rows are read, and what they saw. No part of the hash. */
  readonly reading?: ReadingRules | undefined;
  /** @internal The file. */
  readonly path?: string | undefined;
}

export interface MappingUse {
  /** Paths that are read as exports: neither a mapping nor a module is taken from there. */
  readonly exports?: readonly string[];
  /** @internal Whether this user vouches for a mapping with this text: one inside an export is used then, its module is not. */
  trust?(path: string, text: string): 'trusted' | 'changed' | 'unknown';
}

/** @throws UsageError naming file, line and column. Without a path: the defaults. */
export async function loadMapping(path: string | undefined, use?: MappingUse): Promise<Mapping> {
  return path === undefined ? defaultMapping() : (await loadMappingFile(path, use)).mapping;
}

/** A mapping with the examples of its file. @throws UsageError */
export async function loadMappingFile(
  path: string,
  use: MappingUse = {},
): Promise<{ readonly mapping: Mapping; readonly examples: readonly PlacedExample[] }> {
  const text = await readText(path);
  assertOutsideExports('the mapping', path, use.exports ?? [], { trust: () => use.trust?.(path, text) ?? 'unknown' });
  const { rules, examples, media, reading, undecided } = parseMapping(text, path);
  if (undecided.length > 0) throw openQuestions(undecided);
  const lookup = rules.people.lookup === 'none' ? undefined : await importLookup(rules.people.lookup, path);
  const module = rules.module === undefined ? undefined : await runModule(rules.module, path, use);
  const hashes = [lookup?.hash, module?.hash].filter((hash) => hash !== undefined);
  const hash = hashRules(rules, hashes);
  return { mapping: { rules, lookup, module: module?.steps, media, reading, path, hash }, examples };
}

/** Reads the media rules of a mapping; nothing else of it is used. @throws UsageError */
export const loadMediaRules = async (path: string | undefined): Promise<MediaRules | undefined> =>
  path === undefined ? undefined : parseMapping(await readText(path), path).media;

/** It is a program. Its mapping was named by the user, or by a file that the user named or trusted. */
async function runModule(file: string, path: string, { exports = [] }: MappingUse) {
  assertOutsideExports('the module', resolve(dirname(path), file), exports, { named: file });
  return await loadModule(file, path);
}

/** The reader of tables is loaded only if a mapping names one. */
async function importLookup(rules: Exclude<Rules['people']['lookup'], 'none'>, path: string): Promise<Lookup> {
  const { loadLookup } = await import('./person.ts');
  return loadLookup(rules, path);
}

/** Hashes the rules and the content of the files next to them. Ignored files and members change no message: they may change at any time. */
function hashRules({ files: _files, conversations, people, ...rules }: Rules, others: readonly string[]): string {
  const { members: _members, ...ofConversations } = conversations;
  const { former: _former, ...ofPeople } = people;
  const hashed = { ...rules, people: ofPeople, conversations: ofConversations };
  return sha256Hex([JSON.stringify(hashed, sortedKeys), ...others].join('\n')).slice(0, 16);
}

/**
 * The mapping as it would be if some keys were set otherwise, to look at messages: its hashes stay.
 *
 * @throws UsageError if there is no such key, or it cannot have the value.
 */
export function withSettings(mapping: Mapping, settings: Settings): Mapping {
  // JSON is YAML.
  const parsed = parseRules(JSON.stringify(settings), 'the answer');
  const rules = listLeaves(settings).reduce<Settings>(
    (changed, [path]) => withValue(changed, path, valueAt(parsed, path)),
    mapping.rules,
  );
  return { ...mapping, rules: rules as Rules };
}

const defaultMapping = once((): Mapping => ({ rules: defaultRules(), hash: hashRules(defaultRules(), []) }));

async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read the mapping "${path}": ${cause.code ?? cause.message}`, {
      hint: 'Pass --mapping with the path of a mapping file, or leave it out for the defaults',
      cause,
    });
  });
}

/** An example of a mapping file, and its position: `my.yaml:12:5`. */
export interface PlacedExample extends Example {
  readonly place: string;
}

export interface ParsedMapping {
  readonly rules: Rules;
  readonly media: MediaRules | undefined;
  readonly reading: ReadingRules | undefined;
  readonly examples: readonly PlacedExample[];
  /** Marks in `source` in place of a decision. */
  readonly undecided: readonly Undecided[];
}

/** Value of a key of `source` that is not decided yet: `init` writes it. In a list of a condition, or a text, it is a question mark. */
export const undecidedMark = '?';

/** Keys below which names and values are those of the export. */
const dataKeys: ReadonlySet<string> = new Set(['only', 'skipWhen', 'custom', 'values']);

/** Keys whose value is a text of the user's own. */
const textKeys: ReadonlySet<string> = new Set(['constant', 'template', 'otherwise', 'separator']);

function isUndecided(value: unknown, path: readonly string[]): boolean {
  if (value !== undecidedMark || textKeys.has(path.at(-1) ?? '')) return false;
  const isColumnsCondition = ['only', 'skipWhen'].includes(path.at(-2) ?? '');
  return isColumnsCondition || !path.slice(0, -1).some((key) => dataKeys.has(key));
}

interface Undecided {
  readonly path: readonly string[];
  /** `my.yaml:12:5`. */
  readonly place: string;
}

function openQuestions(undecided: readonly Undecided[]): UsageError {
  const keys = undecided.map(({ path, place }) => `source.${path.join('.')} (${place})`);
  return new UsageError(`Cannot use the mapping: no decision for ${keys.join(', ')}`, {
    hint: `Take the "#" of one of the readings below the key away, or run "chatferry init" with --set source.${undecided[0]!.path.join('.')}=…`,
  });
}

/** Paths of the leaves that say that they are open. */
function undecidedIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (isUndecided(value, path)) return [path];
  return isObject(value) && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => undecidedIn(inner, [...path, key]))
    : [];
}

const decidedOnly = (value: unknown, path: readonly string[] = []): unknown =>
  isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) => {
          const at = [...path, key];
          return isUndecided(inner, at) ? [] : [[key, decidedOnly(inner, at)]];
        }),
      )
    : value;

/** Describes a key that no mapping has; those of `source` are known to its adapter. */
export const findKeyFault = (path: KeyPath): SchemaFault | undefined => findPathFault(mappingFileSchema, path);

/** The rules alone, as far as they are decided. @throws UsageError */
export function parseRules(text: string, path: string): Rules & Pick<Mapping, 'reading'> {
  const { rules, reading } = parseMapping(text, path);
  return { ...rules, source: decidedOnly(rules.source) as Rules['source'], ...(reading && { reading }) };
}

/** Returns the section `reading`. @throws as `parseRules`. */
export const parseReading = (text: string, path: string): ReadingRules | undefined => parseMapping(text, path).reading;

/**
 * A section with nothing in it has its defaults.
 *
 * @param path For messages.
 * @throws UsageError naming file, line and column.
 */
function parseMapping(text: string, path: string): ParsedMapping {
  const { value, locate: placeOf } = readMappingYaml(text, path);
  const parsed = mappingFileSchema.safeParse(withoutEmptySections(value), { ...schemaWords, ...readOnce });
  const faults = parsed.success ? ruleFaults(parsed.data) : listFaults(mappingFileSchema, parsed.error.issues);
  if (parsed.success && faults.length === 0) return placed(parsed.data, placeOf);
  const words = faults.map(({ at, what }) => `${placeOf(at)}: ${at.join('.') || 'the mapping'}: ${what}`);
  throw new UsageError(`Cannot use the mapping: ${words.join('; ')}`, {
    hint: `${docsLink('reference/mapping')} explains every key`,
  });
}

const placed = (
  { examples, media, reading, ...rules }: MappingFile,
  placeOf: (at: readonly string[]) => string,
): ParsedMapping => ({
  rules,
  media,
  reading,
  examples: examples.map((example, index) => ({ ...example, place: placeOf(['examples', String(index)]) })),
  undecided: undecidedIn(rules.source).map((path) => ({ path, place: placeOf(['source', ...path]) })),
});

/** `people:` with every key below it commented out is null, and so is `uids:` inside it. `source` is the adapter's business. */
function withoutEmptySections(value: unknown): unknown {
  if (!isObject(value)) return value;
  const sections = Object.entries(value).filter(
    ([key, section]) => !(section === null && Object.hasOwn(mappingFileSchema.shape, key)),
  );
  return Object.fromEntries(
    sections.map(([key, section]) => [key, key === 'source' || !isObject(section) ? section : withoutNulls(section)]),
  );
}

const withoutNulls = (section: object): object =>
  Object.fromEntries(Object.entries(section).filter(([, value]) => value !== null));

/** A mapping file as YAML, with the positions of its parts. */
export interface MappingYaml {
  readonly value: unknown;
  /** Returns `my.yaml:12:5` of the key at a path, or of the element of a list; if there is none, of its nearest ancestor. */
  locate(path: readonly PropertyKey[]): string;
}

/** Keys are taken as they are written: `01` is not 1. @param path For messages. @throws UsageError */
function readMappingYaml(text: string, path: string): MappingYaml {
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const places = yamlPlaces(document, lines, path);
  if (document.errors.length === 0) {
    keepKeysAsWritten(document);
    dropAnsweredMarks(document);
  }
  const fault = yamlFault(document);
  if (fault) throw unreadable(places.at(fault.offset), fault.what);
  return { value: readValue(document, places.at), locate: places.of };
}

const unreadable = (place: string, message: string) =>
  new UsageError(`Cannot read the mapping at ${place}: ${message}`);

/** Removes the mark of a question in `source` if the user uncommented a reading for the same key: the reading wins. */
function dropAnsweredMarks(document: Document): void {
  const source = document.get('source', true);
  if (!yaml().isNode(source)) return;
  yaml().visit(source, {
    Map(_, map, ancestors) {
      const path = ancestors.flatMap((node) => (yaml().isPair(node) ? [String(node.key)] : []));
      const isMark = ({ key, value }: (typeof map.items)[number]) =>
        yaml().isScalar(value) && isUndecided(value.value, [...path, String(key)]);
      const keys = map.items.map(({ key }) => String(key));
      // Two marks of one key are one.
      map.items = map.items.filter(
        (pair, index) =>
          !isMark(pair) ||
          (keys.indexOf(keys[index]!) === index &&
            !map.items.some((other, at) => keys[at] === keys[index] && !isMark(other))),
      );
    },
  });
}

/** YAML reads `12345678901234567890: x` as a number; ids of exports are longer than numbers are exact. */
function keepKeysAsWritten(document: Document): void {
  yaml().visit(document, {
    Pair(_, { key }) {
      if (yaml().isScalar(key) && typeof key.value !== 'string') key.value = key.source ?? String(key.value);
    },
  });
}

/** @throws UsageError if an alias names no anchor, or expands to too much. */
function readValue(document: Document, place: (offset: number) => string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    let alias = 0;
    yaml().visit(document, {
      Node(_, node) {
        if (!yaml().isAlias(node)) return undefined;
        alias = node.range?.[0] ?? 0;
        return node.resolve(document) ? undefined : yaml().visit.BREAK;
      },
    });
    throw unreadable(place(alias), yamlWords(error as Error));
  }
}

function ruleFaults({ people, conversations, messages }: Rules): SchemaFault[] {
  return [
    ...templateFault(['people', 'uid'], people.uid, ['id', 'handle', 'name', 'email']),
    ...templateFault(['conversations', 'guid'], conversations.guid, ['id', 'name', 'type']),
    ...messages.tags.flatMap((tag, index) => tagFault(['messages', 'tags', String(index)], tag)),
    ...mergeFaults(['people', 'merge'], people.merge),
    ...mergeFaults(['conversations', 'merge'], conversations.merge),
  ];
}

function tagFault(at: readonly string[], tag: string): SchemaFault[] {
  const unknown = templateFields(tag).find((field) => !/^custom\../.test(field));
  return unknown === undefined
    ? []
    : [{ at, what: `the field {${unknown}} does not exist; fields here: {custom.NAME}` }];
}

function templateFault(at: readonly string[], template: string, known: readonly string[]): SchemaFault[] {
  const fields = templateFields(template);
  const list = known.map((field) => `{${field}}`).join(', ');
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) return [{ at, what: `the field {${unknown}} does not exist; fields here: ${list}` }];
  if (fields.length > 0) return [];
  return [{ at, what: `"${template}" would be the same for all; use at least one of ${list}` }];
}

/** An id that is named twice would be two things at once. */
function mergeFaults(at: readonly string[], merges: readonly (readonly string[])[]): SchemaFault[] {
  const seen = new Set<string>();
  return merges.flatMap((list, index) =>
    list.flatMap((id) => {
      if (seen.has(id)) return [{ at: [...at, String(index)], what: `"${id}" is named twice` }];
      seen.add(id);
      return [];
    }),
  );
}
