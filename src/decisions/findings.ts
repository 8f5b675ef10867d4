import { keysAt } from '../lib/text/schema-words.ts';
import { existsSync } from 'node:fs';
import { packageFile } from '../lib/package-files.ts';
import { findCheck, leftOutByDefault, peopleChoices } from '../mapping/checks.ts';
import { type Option, withCount } from '../model/option.ts';
import { keyPath, settingText, valueAt } from '../lib/settings.ts';
import { sourceNamed } from '../sources/late.ts';
import type { SourceCode } from '../sources/source.ts';
import { type AnswerFacts, answerOf } from './answers.ts';
import { type About, type Decision, describeUndecided, formatAbout } from './decision.ts';

export interface FoundCode {
  readonly code: string;
  readonly about: About;
  /** Places with their details. */
  readonly examples: readonly string[];
  /** More numbers, as a sentence. */
  readonly numbers?: string | undefined;
  /** Ids of the people or conversations, or the files, that each finding is about, as far as they are known. */
  readonly subjects?: readonly (readonly string[])[];
}

const examplesMax = 12;

/** Returns the decision about the findings of a code; undefined for what nothing can be decided about in an export of this source. */
export function findingDecision(
  { code, about, examples, numbers, subjects = [] }: FoundCode,
  facts: AnswerFacts,
): Decision | undefined {
  const found = describe(code);
  if (found === undefined) return undefined;
  const { options, ...words } = found;
  const possible = options.filter((option) => isPossible(option, facts.source));
  if (possible.every(({ effect }) => 'outside' in effect)) return undefined;
  const decision = {
    id: code,
    ...words,
    ...(numbers && { why: `${words.why} ${numbers}` }),
    ...(about.isIdle && { isOptional: true as const }),
    about,
    examples: examples.slice(0, examplesMax),
    options: [...possible.flatMap((option) => filled(option, subjects, facts)), ...acceptance(code, about, found)].map(
      ({ does, effect, because = '' }) => ({
        does: withCount(does, formatAbout(about)),
        effect: 'runs' in effect ? { runs: effect.runs.replace('PROVIDER', facts.source) } : effect,
        because,
        isProposed: false,
        isLastResort: false,
      }),
    ),
  };
  return { ...decision, answer: answerOf(decision, facts) };
}

/** Keys whose lists may hold what a finding is about; of a merge, lists of several. */
const listed: ReadonlySet<string> = new Set([
  'conversations.exclude',
  'conversations.merge',
  'people.merge',
  'files.ignore',
]);

/**
 * The option with what the findings are about in its list, behind what the list has already. Of one finding about several, any of them
 * may be meant: an option for each.
 */
function filled(
  option: Option,
  subjects: NonNullable<FoundCode['subjects']>,
  { rules }: AnswerFacts,
): readonly Option[] {
  const { effect } = option;
  if (!('asks' in effect) || !listed.has(effect.asks) || subjects.length === 0) return [option];
  const { asks: key } = effect;
  const before = [valueAt(rules, keyPath(key)) ?? []].flat();
  const withList = (found: readonly unknown[]): Option => {
    const list = new Map([...before, ...found].map((one) => [JSON.stringify(one), one]));
    const because = found.map((one) => [one].flat().join(' and ')).join(', ');
    return { ...option, because, effect: { sets: { [key]: settingText([...list.values()]) } } };
  };
  const groups = subjects.filter((ids) => ids.length > 1);
  if (key.endsWith('.merge')) return groups.length === 0 ? [option] : [withList(groups)];
  if (groups.length === 0) return [withList(subjects.flat())];
  return subjects.length === 1 ? subjects.flat().map((id) => withList([id])) : [option];
}

/** Of a decision whose answers are lists: to leave everything as it is. With another number of findings it is asked again. */
function acceptance(code: string, about: About, { options, ifUndecided }: Described): readonly Option[] {
  const isOfLists = options.some(({ effect }) => 'asks' in effect && listed.has(effect.asks));
  if (!isOfLists) return [];
  const because = describeUndecided({ ifUndecided });
  return [{ does: 'Accept it as it is', because, effect: { sets: { [`reading.seen.${code}`]: formatAbout(about) } } }];
}

type Described = Pick<Decision, 'question' | 'why' | 'ifUndecided' | 'isOptional'> & {
  readonly options: readonly Option[];
};

function describe(code: string): Described | undefined {
  const leftOut = leftOutByDefault.find((kind) => kind.code === code);
  if (leftOut !== undefined) {
    const { question, options, explanation: why } = leftOut;
    return { question, why, options, ifUndecided: { keepsBack: 'they are left out' }, isOptional: true };
  }
  const choice = peopleChoices.find((one) => one.code === code);
  if (choice !== undefined) {
    const { question, options, explanation: why, ifUndecided } = choice;
    return { question, why, options, ifUndecided, isOptional: true };
  }
  const check = findCheck(code);
  return check && describeCheck(check);
}

function describeCheck(check: SourceCode): Described | undefined {
  const { explanation: why } = check;
  if (check.severity === 'decision') {
    const { question, options, otherwise, keepsBack } = check;
    return { question, why, options, ifUndecided: keepsBack ? { keepsBack: otherwise } : { sends: otherwise } };
  }
  return check.asked && { ...check.asked, why, ifUndecided: { keepsBack: 'these rows are not sent' } };
}

/** Whether the source has the option's key, or comes from a provider that can be fetched from: checks of texts know no source. */
function isPossible({ effect }: Option, source: string): boolean {
  if ('runs' in effect && effect.runs.includes('PROVIDER'))
    return existsSync(packageFile(`mappings/fetch/${source}.yaml`));
  const keys = 'sets' in effect ? Object.keys(effect.sets) : 'asks' in effect ? [effect.asks] : [];
  return keys.every((key) => {
    const [section, name] = keyPath(key);
    return section !== 'source' || hasOption(source, name!);
  });
}

const hasOption = (source: string, name: string): boolean => keysAt(sourceNamed(source)?.options, []).includes(name);
