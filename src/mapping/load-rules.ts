import { readFile } from 'node:fs/promises';
import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { sha256Hex } from '../lib/hash.ts';
import { defaultRules, type Rules, rulesSchema } from './rules.ts';
import { templateFields } from './template.ts';

/** A mapping as it is used: the rules, and a hash that changes exactly when they do. */
export interface Mapping {
  readonly rules: Rules;
  readonly hash: string;
}

/** @throws UsageError naming file, line and column. Without a path: the defaults. */
export async function loadMapping(path: string | undefined): Promise<Mapping> {
  if (path === undefined) return mappingOf(defaultRules);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read the mapping "${path}": ${cause.code ?? cause.message}`, {
      hint: 'Pass --mapping with the path of a mapping file, or leave it out for the defaults',
      cause,
    });
  });
  return mappingOf(parseRules(text, path));
}

const mappingOf = (rules: Rules): Mapping => ({ rules, hash: sha256Hex(JSON.stringify(rules, sorted)).slice(0, 16) });

/** For JSON.stringify: keys in one order, whatever their order in the file. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Keys are taken as they are written (`01` is not 1), and a section with nothing in it has its defaults.
 *
 * @param path For messages.
 */
export function parseRules(text: string, path: string): Rules {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const syntax = document.errors[0];
  if (syntax) throw unreadable(place(syntax.pos[0]), syntax.message);
  keepKeysAsWritten(document);
  const parsed = rulesSchema.safeParse(withoutEmptySections(readValue(document, place)));
  const faults = parsed.success ? templateFaults(parsed.data) : parsed.error.issues.flatMap(faultsOf);
  if (parsed.success && faults.length === 0) return parsed.data;
  const words = faults.map(
    ({ at, what }) => `${place(offsetOf(document, at))}: ${at.join('.') || 'the mapping'}: ${what}`,
  );
  throw new UsageError(`Cannot use the mapping: ${words.join('; ')}`, { hint: 'docs/mapping.md explains every key' });
}

const unreadable = (place: string, message: string) =>
  new UsageError(`Cannot read the mapping at ${place}: ${message.split('\n')[0]}`);

/** YAML reads `12345678901234567890: x` as a number; ids of exports are longer than numbers are exact. */
function keepKeysAsWritten(document: Document): void {
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && typeof key.value !== 'string') key.value = key.source ?? String(key.value);
    },
  });
}

/** @throws UsageError where an alias stands for nothing, or for too much. */
function readValue(document: Document, place: (offset: number) => string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    let alias = 0;
    visit(document, {
      Node(_, node) {
        if (!isAlias(node)) return undefined;
        alias = node.range?.[0] ?? 0;
        return node.resolve(document) ? undefined : visit.BREAK;
      },
    });
    throw unreadable(place(alias), (error as Error).message);
  }
}

/** `people:` with every key below it commented out is null, and so is `uids:` inside it. `source` is the adapter's business. */
function withoutEmptySections(value: unknown): unknown {
  if (!isTable(value)) return value;
  const sections = Object.entries(value).filter(
    ([key, section]) => !(section === null && Object.hasOwn(rulesSchema.shape, key)),
  );
  return Object.fromEntries(
    sections.map(([key, section]) => [key, key === 'source' || !isTable(section) ? section : withoutNulls(section)]),
  );
}

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutNulls = (section: object): object =>
  Object.fromEntries(Object.entries(section).filter(([, value]) => value !== null));

interface Fault {
  readonly at: readonly PropertyKey[];
  readonly what: string;
}

type Issue = NonNullable<ReturnType<typeof rulesSchema.safeParse>['error']>['issues'][number];

function faultsOf(issue: Issue): Fault[] {
  if (issue.code !== 'unrecognized_keys') return [{ at: issue.path, what: issue.message }];
  return issue.keys.map((key) => ({ at: [...issue.path, key], what: 'there is no such key' }));
}

function templateFaults({ people, conversations, messages }: Rules): Fault[] {
  return [
    ...templateFault(['people', 'uid'], people.uid, ['id', 'handle', 'name', 'email']),
    ...templateFault(['conversations', 'guid'], conversations.guid, ['id', 'name', 'type']),
    ...messages.tags.flatMap((tag, index) => tagFault(['messages', 'tags', String(index)], tag)),
  ];
}

function tagFault(at: readonly string[], tag: string): Fault[] {
  const unknown = templateFields(tag).find((field) => !/^custom\../.test(field));
  return unknown === undefined
    ? []
    : [{ at, what: `the field {${unknown}} does not exist; fields here: {custom.NAME}` }];
}

function templateFault(at: readonly string[], template: string, known: readonly string[]): Fault[] {
  const fields = templateFields(template);
  const list = known.map((field) => `{${field}}`).join(', ');
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) return [{ at, what: `the field {${unknown}} does not exist; fields here: ${list}` }];
  if (fields.length > 0) return [];
  return [{ at, what: `"${template}" would be the same for all; use at least one of ${list}` }];
}

/** Where the key at a path stands, or the element of a list; where the path does not exist, its nearest ancestor. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const last = String(path[depth - 1]);
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
