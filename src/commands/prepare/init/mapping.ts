import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { parseRules, undecidedMark } from '../../../mapping/load.ts';
import { defaultRules, rulesSchema } from '../../../mapping/rules.ts';
import type { SourceAdapter } from '../../../sources/source.ts';
import { isTableSource } from '../../../sources/table-source.ts';
import type { OpenQuestion, Proposed } from '../../../decisions/question.ts';
import {
  commentText,
  dotted,
  isTable,
  type KeyPath,
  listLeaves,
  merged,
  type Settings,
  valueAt,
  yamlEntry,
  yamlLine,
} from '../../../lib/settings.ts';
import { indented, isOpenMark, isUndecidedEntry, renderDefaults, renderOpen, renderSource } from './source-section.ts';
import { commentedOut, type LeftOut, type Suggestion, type SuggestionList, suggestionsFor } from './suggestions.ts';
import type { Survey } from '../../../decisions/survey.ts';
import { hasKey, insertBelow, regionBelow, setValues, unfold } from '../../../lib/text/yaml-text.ts';
import { docsLink } from '../../../lib/docs-link.ts';

interface MappingRequest {
  /** Text of the existing file; undefined for a new one. */
  readonly text: string | undefined;
  readonly path: string;
  readonly schemaPath: string;
  /** Decisions made beforehand, for any key of the mapping. */
  readonly settings: Settings;
  readonly adapter: SourceAdapter;
  readonly proposed: Proposed;
  /** Null if the export could not be counted yet. */
  readonly survey: Survey | null;
}

interface ComposedMapping {
  readonly text: string;
  /** Dotted keys that a file that was there says now and did not say before, or said otherwise. */
  readonly setKeys: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** People whom neither the export nor the mapping describes. */
  readonly unresolvedPeople: number;
}

/** @throws UsageError if what was decided beforehand does not fit. */
export function composeMapping(request: MappingRequest): ComposedMapping {
  const { survey, path } = request;
  const decided =
    request.text === undefined ? { text: newMapping(request), setKeys: [] } : amendedMapping(request.text, request);
  const rules = parseRules(decided.text, path);
  const lists = survey ? suggestionsFor(survey, rules) : [];
  const leftOut: LeftOut[] = [];
  let { text } = decided;
  for (const list of lists) {
    const extended = withSuggestions(text, newSuggestions(text, list));
    const rest = extended === undefined ? everyOne(list) : list.more;
    if (hasAny(rest())) leftOut.push({ path: list.path, because: list.because, suggestions: rest });
    text = extended ?? text;
  }
  const unresolved = survey?.people.filter(({ id }) => !Object.hasOwn(rules.people.uids, id)) ?? [];
  return { text, setKeys: decided.setKeys, leftOut, unresolvedPeople: unresolved.length };
}

const everyOne = (list: SuggestionList) =>
  function* () {
    yield* list.suggestions;
    yield* list.more();
  };

function hasAny(suggestions: Iterable<Suggestion>): boolean {
  for (const _ of suggestions) return true;
  return false;
}

function newMapping({ adapter, schemaPath, settings, proposed }: MappingRequest): string {
  const isDefault = !isTableSource(adapter) && listLeaves(proposed.options).length === 0;
  const sourceLines = isDefault ? renderDefaults(adapter) : renderSource(proposed);
  const reading = merged(isTableSource(adapter) ? { proposed: true } : {}, (settings.reading ?? {}) as Settings);
  return renderMapping({ source: adapter.name, schemaPath, settings, sourceLines, reading });
}

/** Keeps every existing value, unless a new decision changes it. */
function amendedMapping(text: string, { path, settings, proposed }: MappingRequest) {
  const before = parseRules(text, path);
  const leaves = listLeaves(merged({ source: proposed.options }, settings));
  const changes = inPlaceOfWords(before, settings, leaves).filter(
    ([key, value]) => yamlLine(valueAt(before, key)) !== yamlLine(value),
  );
  const amended = setValues(withoutAnswered(text, proposed.open), changes);
  return { text: withOpen(amended, proposed.open), setKeys: changes.map(([key]) => dotted(key)) };
}

type Change = readonly [path: KeyPath, value: unknown];

/** Tables that may be a word instead: `lookup: none`. */
const wordOrTable: readonly KeyPath[] = [['people', 'lookup']];

/** Changes of which those inside a table are one, if the mapping has a word in its place. */
const inPlaceOfWords = (before: unknown, settings: Settings, changes: readonly Change[]): readonly Change[] =>
  wordOrTable.reduce((rest, path) => {
    const table = valueAt(settings, path);
    if (!isTable(table) || isTable(valueAt(before, path))) return rest;
    const isInside = ([inner]: Change) => path.every((key, index) => inner[index] === key);
    return [...rest.filter((change) => !isInside(change)), [path, table]];
  }, changes);

interface MappingText {
  readonly source: string;
  /** Path from the file to the JSON Schema of mappings, for editors. */
  readonly schemaPath: string;
  /** Returns the mapping as far as it is decided; everything else has its default. */
  readonly settings: Settings;
  readonly sourceLines: readonly string[];
  /** Whether a person has confirmed how rows are read; empty where nobody has to. */
  readonly reading: Settings;
}

/** A new mapping file: every key with its value and what it decides. */
function renderMapping({ source, schemaPath, settings, sourceLines, reading }: MappingText): string {
  const { version, source: sourceSchema, people, conversations, messages } = rulesSchema.shape;
  const lines = [
    `# yaml-language-server: $schema=${commentText(schemaPath)}`,
    '',
    `# How this ${source} export becomes messages of the service. Every key is here; ${docsLink('reference/mapping')} says more about each.`,
    '# Edit this file as you like: "chatferry plan" applies your changes, and "chatferry init" keeps them and adds new entries.',
    '',
    `# ${version.description}`,
    'version: 1',
    '',
    `# ${sourceSchema.description}`,
    ...(sourceLines.length === 0 ? ['source: {}'] : ['source:', ...indented(sourceLines)]),
    ...(Object.keys(reading).length === 0 ? [] : ['', readingComment, 'reading:', ...indented(readingLines(reading))]),
    ...section('people', people, settings),
    ...section('conversations', conversations, settings),
    ...section('messages', messages, settings),
  ];
  return `${lines.join('\n')}\n`;
}

const readingComment =
  '# Nothing is sent before a person has confirmed what becomes of the rows: "chatferry plan" shows it, and writes here who confirmed it.';

const readingLines = (reading: Settings): readonly string[] =>
  Object.entries(reading).flatMap(([key, value]) => yamlEntry(key, value));

/** A table of described keys with defaults, itself with a default. */
interface SectionSchema {
  unwrap(): {
    unwrap(): {
      readonly description?: string | undefined;
      readonly shape: Readonly<Record<string, { readonly description?: string | undefined }>>;
    };
  };
}

function section(name: string, schema: SectionSchema, settings: Settings): string[] {
  const { description, shape } = schema.unwrap().unwrap();
  const defaults: unknown = defaultRules();
  const keys = Object.entries(shape).flatMap(([key, option]) => [
    `# ${option.description}`,
    ...yamlEntry(key, valueAt(settings, [name, key]) ?? valueAt(defaults, [name, key])),
  ]);
  return ['', `# ${description}`, `${name}:`, ...indented(keys)];
}

/** The text without the readings of questions that are not open any more. */
function withoutAnswered(text: string, open: readonly OpenQuestion[]): string {
  const keys = open.map(({ key }) => key);
  const kept: string[] = [];
  // Indentation of the lines of an answered question, while they are skipped.
  let depth: number | undefined;
  for (const line of text.split('\n')) {
    const comment = line.trimStart();
    if (isOpenMark(line)) {
      depth = isOpenMark(line, keys) ? undefined : line.length - comment.length;
    } else if (!(/^#\S/.test(comment) || isUndecidedEntry(comment)) || line.length - comment.length !== depth) {
      depth = undefined;
    }
    if (depth === undefined) kept.push(line);
  }
  return kept.join('\n');
}

/** The text with the readings of questions that are not yet in it, each in the innermost table that is there. */
function withOpen(text: string, open: readonly OpenQuestion[]): string {
  return open.reduce((amended, question) => {
    const before = open.slice(0, open.indexOf(question));
    // The readings of one question hold the others of the same key as open.
    const isAsked = (length: number) =>
      before.some(({ path }) => path.slice(0, length).every((key, index) => question.path[index] === key));
    if (isAsked(Infinity)) return amended;
    if (amended.split('\n').some((line) => isOpenMark(line, [question.key]))) return amended;
    for (let depth = question.path.length - 1; depth >= 0; depth--) {
      const parent = question.path.slice(0, depth);
      if (depth > 0 && !hasKey(amended, ['source', ...parent])) continue;
      if (isAsked(depth + 1)) return amended;
      const place = ['source', ...parent];
      const lines = renderOpen(question, parent, open);
      const inserted = harmless(amended, insertBelow(unfold(amended, place, undecidedMark), place, lines));
      if (inserted !== undefined) return inserted;
    }
    return amended;
  }, text);
}

/** The suggestions of a list that a text does not hold yet, active or as comments. */
function newSuggestions(text: string, list: SuggestionList): SuggestionList {
  const known = subjectsBelow(text, list.path);
  return { ...list, suggestions: list.suggestions.filter(({ subject }) => !known.has(subject)) };
}

/**
 * Returns the text with the suggestions of a list as comments below its key.
 *
 * @returns Undefined if no lines can be added to the file there.
 */
function withSuggestions(text: string, { path, kind, because, suggestions }: SuggestionList): string | undefined {
  if (suggestions.length === 0) return text;
  const heading = text.includes(`# ${because}`) ? 'New in the export since:' : because;
  return harmless(text, insertBelow(text, path, [`# ${heading}`, ...suggestions.flatMap(commentedOut)], kind));
}

/** Returns the text only if its decisions are unchanged: a text that a person has edited may have a form that Chatferry does not know. */
const harmless = (before: string, after: string | undefined): string | undefined =>
  after !== undefined && decisionsOf(after) === decisionsOf(before) ? after : undefined;

function decisionsOf(text: string): string | undefined {
  try {
    return JSON.stringify(parseRules(text, 'mapping'));
  } catch {
    return undefined;
  }
}

/** Keys and elements below a key: those that count, and those that are commented out. */
function subjectsBelow(text: string, path: KeyPath): ReadonlySet<string> {
  const subjects = new Set<string>();
  collectSubjects(parseDocument(text, { uniqueKeys: false }).getIn(path), subjects);
  for (const line of regionBelow(text, path).split('\n')) {
    const comment = /^\s*# ?(.*)$/.exec(line)?.[1];
    if (comment === undefined) continue;
    // A long key is on a line of its own, its value on the next.
    const document = parseDocument(comment);
    if (document.errors.length === 0) collectSubjects(document.contents, subjects);
  }
  return subjects;
}

function collectSubjects(node: unknown, into: Set<string>): void {
  if (isMap(node)) for (const { key } of node.items) addSubject(key, into);
  else if (isSeq(node)) for (const element of node.items) addSubject(element, into);
}

/** As it is written: an id may be longer than numbers are exact. */
function addSubject(node: unknown, into: Set<string>): void {
  if (!isScalar(node)) return;
  const written = typeof node.value === 'string' ? node.value : node.source;
  if (written !== undefined) into.add(written);
}
