import { existsSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../lib/package-files.ts';
import { findCheck, leftOutByDefault } from '../mapping/checks.ts';
import { type Option, withCount } from '../model/option.ts';
import { keyPath } from '../lib/settings.ts';
import { sources } from '../sources/registry.ts';
import type { SourceCode } from '../sources/source.ts';
import { type AnswerFacts, answerOf } from './answers.ts';
import { type About, type Decision, formatAbout } from './decision.ts';

/** Findings of one code. */
export interface FoundCode {
  readonly code: string;
  readonly about: About;
  /** Places with their details. */
  readonly examples: readonly string[];
}

const examplesMax = 12;

/** Returns the decision about the findings of a code; undefined for what nothing can be decided about in an export of this source. */
export function findingDecision({ code, about, examples }: FoundCode, facts: AnswerFacts): Decision | undefined {
  const found = describe(code);
  if (found === undefined) return undefined;
  const { options, ...words } = found;
  const possible = options.filter((option) => isPossible(option, facts.source));
  if (possible.every(({ effect }) => 'outside' in effect)) return undefined;
  const decision = {
    id: code,
    ...words,
    ...(about.isIdle && { isOptional: true as const }),
    about,
    examples: examples.slice(0, examplesMax),
    options: possible.map(({ does, effect, because = '' }) => ({
      does: withCount(does, formatAbout(about)),
      effect: 'runs' in effect ? { runs: effect.runs.replace('PROVIDER', facts.source) } : effect,
      because,
      isProposed: false,
      isLastResort: false,
    })),
  };
  return { ...decision, answer: answerOf(decision, facts) };
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

function hasOption(source: string, name: string): boolean {
  const options = sources.find((one) => one.name === source)?.options;
  return options instanceof z.ZodObject && name in options.shape;
}
