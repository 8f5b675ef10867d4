import { type Decision, type DecisionInput, type DecisionOption, describeOption } from '../../decisions/decision.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { quoted } from '../../lib/text/shell-word.ts';

/** Describes open decisions: the question, its evidence, and each option with the flag that takes it. */
export const describeDecisions = (decisions: readonly Decision[]): string[] =>
  decisions.flatMap(({ question, why, options, input }) => [
    '',
    `  ${oneLine(question)}`,
    `    ${oneLine(why)}`,
    ...options.flatMap((option) => [`    - ${oneLine(describeOption(option))}`, `        ${formatFlags(option)}`]),
    ...(options.length === 0 && input ? [`        ${formatFlag(input.key, `<${inputNames[input.type]}>`)}`] : []),
  ]);

/** Placeholders for a value of the owner's own. */
const inputNames: Readonly<Record<DecisionInput['type'], string>> = {
  column: 'column',
  values: 'values',
  zone: 'zone',
  table: 'table',
  person: 'person',
  text: 'value',
};

/** The flags that take an option: `--set source.zone=UTC`. */
export function formatFlags({ effect }: Pick<DecisionOption, 'effect'>): string {
  if ('asks' in effect) return formatFlag(effect.asks, effect.example);
  const sets = 'sets' in effect ? Object.entries(effect.sets) : [];
  return sets.map(([key, value]) => formatFlag(key, value)).join(' ');
}

export const formatFlag = (key: string, value: string): string =>
  `--set ${quoted(`${oneLine(key)}=${oneLine(value)}`)}`;

/** The flags that take what something speaks for, a decision each; none where nothing does. */
export const proposedFlags = (decisions: readonly Decision[]): readonly string[] =>
  decisions.flatMap(({ options: [first] }) => (first?.isProposed ? [formatFlags(first)] : []));
