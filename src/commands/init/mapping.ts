import { parseRules } from '../../mapping/rules/load-rules.ts';
import { rulesSchema } from '../../mapping/rules/rules.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { newSuggestions, withOpen, withoutAnswered, withSuggestions } from './amend.ts';
import type { Proposed } from './proposal.ts';
import { setValues } from './set-values.ts';
import { commentText, dotted, leavesOf, merged, type Settings, valueAt, yamlEntry, yamlLine } from './settings.ts';
import { indented, renderDefaults, renderSource } from './source-section.ts';
import { type Suggestion, type SuggestionList, suggestionsFor } from './suggestions.ts';
import type { Survey } from './survey.ts';

interface MappingRequest {
  /** Of the file that is there; undefined for a new one. */
  readonly text: string | undefined;
  readonly path: string;
  readonly schemaPath: string;
  /** What was decided beforehand, for any key of the mapping. */
  readonly settings: Settings;
  readonly adapter: SourceAdapter;
  readonly proposed: Proposed;
  /** Null where the export could not be counted yet. */
  readonly survey: Survey | null;
}

/** The text of a mapping, and what has no place in it. */
interface ComposedMapping {
  readonly text: string;
  /** Dotted keys that a file that was there says now and did not say before, or said otherwise. */
  readonly setKeys: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** People whom neither the export nor the mapping describes. */
  readonly unresolvedPeople: number;
}

/** Suggestions of a list that stand in another file. There is at least one. */
export interface LeftOut extends Pick<SuggestionList, 'path' | 'because'> {
  suggestions(): Iterable<Suggestion>;
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
  const isDefault = adapter.propose === undefined && leavesOf(proposed.options).length === 0;
  const sourceLines = isDefault ? renderDefaults(adapter) : renderSource(proposed);
  return renderMapping({ source: adapter.name, schemaPath, settings, sourceLines });
}

/** Keeps every value that is there, unless it was decided anew. */
function amendedMapping(text: string, { path, settings, proposed }: MappingRequest) {
  const before = parseRules(text, path);
  const leaves = leavesOf(merged({ source: proposed.options }, settings));
  const changes = leaves.filter(([key, value]) => yamlLine(valueAt(before, key)) !== yamlLine(value));
  const amended = setValues(withoutAnswered(text, proposed.open), changes);
  return { text: withOpen(amended, proposed.open), setKeys: changes.map(([key]) => dotted(key)) };
}

/** Everything that a new mapping file says. */
interface MappingText {
  /** Name of the source. */
  readonly source: string;
  /** Path from the file to the JSON Schema of mappings, for editors. */
  readonly schemaPath: string;
  /** The mapping as far as somebody decided it; everything else has its default. */
  readonly settings: Settings;
  /** The lines below `source:`. */
  readonly sourceLines: readonly string[];
}

/** A new mapping file: every key with its value and what it decides. */
function renderMapping({ source, schemaPath, settings, sourceLines }: MappingText): string {
  const { version, source: sourceSchema, people, conversations, messages } = rulesSchema.shape;
  const lines = [
    `# yaml-language-server: $schema=${commentText(schemaPath)}`,
    '',
    `# How this ${source} export becomes messages of the service. Every key is here; docs/mapping.md says more about each.`,
    '# Change what you like: "chatferry plan" applies it, and "chatferry init" keeps it and adds what is new.',
    '',
    `# ${version.description}`,
    'version: 1',
    '',
    `# ${sourceSchema.description}`,
    ...(sourceLines.length === 0 ? ['source: {}'] : ['source:', ...indented(sourceLines)]),
    ...section('people', people, settings),
    ...section('conversations', conversations, settings),
    ...section('messages', messages, settings),
  ];
  return `${lines.join('\n')}\n`;
}

/** A table of described keys with defaults, itself with a default. */
interface SectionSchema {
  unwrap(): {
    readonly description?: string | undefined;
    readonly shape: Readonly<Record<string, { readonly description?: string | undefined }>>;
  };
}

function section(name: string, schema: SectionSchema, settings: Settings): string[] {
  const { description, shape } = schema.unwrap();
  const defaults: unknown = rulesSchema.parse({});
  const keys = Object.entries(shape).flatMap(([key, option]) => [
    `# ${option.description}`,
    ...yamlEntry(key, valueAt(settings, [name, key]) ?? valueAt(defaults, [name, key])),
  ]);
  return ['', `# ${description}`, `${name}:`, ...indented(keys)];
}
