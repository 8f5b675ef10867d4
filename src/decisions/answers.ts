import { defaultRules } from '../mapping/rules.ts';
import type { Store } from '../store/open.ts';
import { isTable, keyPath, parseValue, type Settings, settingText, valueAt, yamlLine } from '../lib/settings.ts';
import type { Answer, Decision, DecisionOption } from './decision.ts';

/** An answer that somebody gave, as a log keeps it. */
export interface GivenAnswer {
  /** A key of the mapping, or the code of a finding that was accepted. */
  readonly key: string;
  /** The value as `--set` takes it, or words. */
  readonly answer: string;
  readonly by: string;
  readonly atMs: number;
  /** The card of the desk on which it was decided: the id of the decision. */
  readonly card?: string | undefined;
}

export interface AnswerFacts {
  readonly source: string;
  /** The mapping as it is. */
  readonly rules: Settings;
  /** The latest last. */
  readonly given: readonly GivenAnswer[];
}

/** Everything that answers the decisions of the latest plan. */
export function plannedAnswers(store: Store, given: AnswerFacts['given']): AnswerFacts {
  const source = store.facts.read('source') ?? '';
  const planned = (JSON.parse(store.facts.read('rules') ?? 'null') ?? defaultRules()) as Settings;
  const rules = { ...planned, reading: JSON.parse(store.facts.read('confirmed') ?? '{}') as Settings };
  return { source, rules, given };
}

/** The answer of a log, or of a mapping that says something else than the default; null if there is none. */
export function answerOf(
  { id, options }: Pick<Decision, 'id' | 'options'>,
  { rules, given }: AnswerFacts,
): Answer | null {
  const taken = options.findIndex((option) => isTaken(option, rules));
  // A list may hold what another decision has put there.
  const keys = new Set((taken === -1 ? options : [options[taken]!]).flatMap(keysOf));
  const logged = given.findLast(({ key, card }) => keys.has(key) && (card === undefined || card === id));
  const now = logged && textAt(rules, logged.key);
  if (logged !== undefined && now !== undefined && stillHolds(logged.answer, valueAt(rules, keyPath(logged.key)))) {
    const asking = options.findIndex(({ effect }) => 'asks' in effect && effect.asks === logged.key);
    const set = options.findIndex((option) => isSet(option, rules));
    const index = set === -1 ? asking : set;
    return { option: index === -1 ? null : index, value: now, by: logged.by, atMs: logged.atMs, holds: true };
  }
  if (taken !== -1) {
    const value = keysOf(options[taken]!).flatMap((key) => textAt(rules, key) ?? []);
    return { option: taken, value: value.join(', '), by: null, atMs: null, holds: true };
  }
  return logged && now !== undefined ? { option: null, value: now, by: null, atMs: null, holds: false } : null;
}

/** Whether a value has all that an answer has put there: other decisions may have added to a list or a table. */
export function stillHolds(answer: string, value: unknown): boolean {
  const said = parseValue(answer);
  return yamlLine(said) === yamlLine(value) || (said !== null && isWithin(said, value) && Object.keys(said).length > 0);
}

function isWithin(said: unknown, value: unknown): said is object {
  if (Array.isArray(said) && Array.isArray(value)) {
    const all = new Set(value.map(yamlLine));
    return said.every((one) => all.has(yamlLine(one)));
  }
  if (!isTable(said) || !isTable(value)) return false;
  return Object.entries(said).every(
    ([key, one]) => yamlLine(one) === yamlLine(value[key]) || isWithin(one, value[key]),
  );
}

const keysOf = ({ effect }: DecisionOption): readonly string[] =>
  'sets' in effect ? Object.keys(effect.sets) : 'asks' in effect ? [effect.asks] : [];

function textAt(settings: Settings, key: string): string | undefined {
  const value = valueAt(settings, keyPath(key));
  return value === undefined ? undefined : settingText(value);
}

const isSet = ({ effect }: DecisionOption, settings: Settings): boolean =>
  'sets' in effect &&
  Object.entries(effect.sets).every(
    ([key, value]) => yamlLine(valueAt(settings, keyPath(key))) === yamlLine(parseValue(value)),
  );

/**
 * Lists and tables grow for many reasons: what they hold answers no decision by itself. Options of a source answer none either: the source
 * asks in spite of it, if it asks.
 */
function isTaken(option: DecisionOption, rules: Settings): boolean {
  const { effect } = option;
  if (keysOf(option).some((key) => key.startsWith('source.'))) return false;
  if ('sets' in effect) return isSet(option, rules) && !isSet(option, defaultRules());
  if (!('asks' in effect)) return false;
  const value = valueAt(rules, keyPath(effect.asks));
  const isPlain = value !== undefined && !Array.isArray(value) && !isTable(value);
  return isPlain && yamlLine(value) !== yamlLine(valueAt(defaultRules(), keyPath(effect.asks)));
}
