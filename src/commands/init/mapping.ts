import { parseRules } from '../../mapping/rules/load-rules.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { newSuggestions, withOpen, withoutAnswered, withSuggestions } from './amend.ts';
import { renderMapping } from './mapping-text.ts';
import type { Settled } from './proposal.ts';
import { setValues } from './set-values.ts';
import { dotted, leavesOf, merged, type Settings, valueAt } from './settings.ts';
import { renderDefaults, renderSource } from './source-section.ts';
import { type Suggestion, type SuggestionList, suggestionsFor } from './suggestions.ts';
import type { Survey } from './survey.ts';
import { yamlLine } from './yaml.ts';

interface MappingRequest {
  /** Of the file that is there; undefined for a new one. */
  readonly text: string | undefined;
  readonly path: string;
  readonly schemaPath: string;
  /** What was decided beforehand, for any key of the mapping. */
  readonly settings: Settings;
  readonly adapter: SourceAdapter;
  readonly settled: Settled;
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

function newMapping({ adapter, schemaPath, settings, settled }: MappingRequest): string {
  const isDefault = adapter.propose === undefined && leavesOf(settled.options).length === 0;
  const sourceLines = isDefault ? renderDefaults(adapter) : renderSource(settled);
  return renderMapping({ source: adapter.name, schemaPath, settings, sourceLines });
}

/** Keeps every value that is there, unless it was decided anew. */
function amendedMapping(text: string, { path, settings, settled }: MappingRequest) {
  const before = parseRules(text, path);
  const leaves = leavesOf(merged({ source: settled.options }, settings));
  const changes = leaves.filter(([key, value]) => yamlLine(valueAt(before, key)) !== yamlLine(value));
  const amended = setValues(withoutAnswered(text, settled.open), changes);
  return { text: withOpen(amended, settled.open), setKeys: changes.map(([key]) => dotted(key)) };
}
