import type { Decision } from '../../decisions/decision.ts';
import { type Question, questionDecision } from '../../decisions/question.ts';
import { displayWidth, oneLine, truncate, wrap } from '../../lib/text/plain-text.ts';
import { describeParts } from '../../rows/parts.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import type { Host } from '../host.ts';
import { print } from '../terminal/print.ts';
import { rowLines } from '../prepare/inspect.ts';
import { askForOwn } from './own-answer.ts';
import { answered, askForText, shownMax, type Terminal } from './prompts.ts';

export interface Asked {
  readonly question: Question;
  /** Rows and their messages under a value. */
  readonly look: (value: unknown) => Promise<readonly BeforeAfter[]>;
}

/** Lines of the evidence, and of examples. */
const whyMax = 3;
const examplesMax = 8;
/** Lines of a row that is shown above its messages. */
const rowLinesMax = 3;
/** Columns that a prompt takes itself. */
const margin = 12;

/** Choices that are no option. */
const others = { own: {}, rows: {}, later: {} };

/** Asks which option is right. @returns The value and its key, or undefined if it is left open. */
export async function askDecision(
  asked: Asked,
  terminal: Terminal,
): Promise<{ readonly key: string; readonly value: unknown } | undefined> {
  const { key, readings } = asked.question;
  const decision = questionDecision(asked.question);
  const { options, input: own } = decision;
  const { select } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = terminal.host;
  const width = (output.columns ?? 100) - margin;
  for (;;) {
    const chosen = await answered(
      terminal,
      select<unknown>({
        message: questionLines(decision, width + margin - 6).join('\n'),
        options: [
          ...options.map((option, index) => ({
            value: option as unknown,
            ...optionLine(asked, decision, index, width),
          })),
          { value: others.own, label: own?.label ?? 'Something else' },
          ...(readings.length > 0
            ? [{ value: others.rows, label: 'Show rows, and their messages by each answer' }]
            : []),
          { value: others.later, label: 'Decide later: nothing is sent before that' },
        ],
        // One group for all is never what a hasty Enter takes.
        initialValue: options[0]?.isLastResort ? others.later : (options[0] ?? others.own),
        ...{ maxItems: shownMax, input, output },
      }),
    );
    if (chosen === others.later) return undefined;
    const option = options.find((one) => one === chosen);
    const index = option === undefined ? -1 : options.indexOf(option);
    if (index !== -1 && index < readings.length) return { key, value: readings[index]!.value };
    const asksFor = option && 'asks' in option.effect ? option.effect.asks.replace(/^source\./, '') : key;
    const answer =
      chosen === others.rows
        ? await showRows(asked, terminal.host)
        : await (option ? askForText(option.does, terminal) : askForOwn(asked.question, decision, terminal));
    if (answer !== undefined) return { key: asksFor, value: answer };
  }
}

/** The question, what speaks for its options, and a row of each kind, as far as there is room. */
function questionLines({ question, why, examples }: Decision, width: number): readonly string[] {
  const lines = wrap(oneLine(why), width);
  const evidence = lines.length > whyMax ? [...lines.slice(0, whyMax - 1), `${lines[whyMax - 1]!} …`] : lines;
  return [
    oneLine(question),
    ...evidence,
    ...examples.slice(0, examplesMax).map((example) => truncate(`  ${oneLine(example)}`, width)),
  ];
}

/** An option with a number, what it would read, and what speaks for it: on its line if there is room, else once it is chosen. */
function optionLine(
  { question: { readings, choices } }: Asked,
  { options, why }: Decision,
  index: number,
  width: number,
) {
  const { does, because } = options[index]!;
  const holds = choices?.find(({ name }) => name === readings[index]?.value)?.holds;
  const label = truncate(oneLine(`${index + 1}  ${does}${holds ? `: ${holds}` : ''}`), width);
  const isKnown = [why, does].some((words) => words.toLowerCase().includes(because.toLowerCase()));
  const whole = `${label} · ${oneLine(because)}`;
  if (isKnown) return { label };
  return displayWidth(whole) <= width ? { label: whole } : { label, hint: truncate(oneLine(because), width) };
}

/** Prints rows, each above what becomes of it: options with the same result are one line, and only what they do not agree on is shown. */
async function showRows({ question: { readings }, look }: Asked, host: Host): Promise<undefined> {
  const width = (host.stdout.columns ?? 100) - 4;
  const rows = new Map<string, { readonly row: BeforeAfter['row']; readonly become: Map<number, Parts> }>();
  for (const [index, { value }] of readings.entries()) {
    for (const shown of await look(value)) {
      const known = rows.get(shown.place) ?? { row: shown.row, become: new Map() };
      // A part that another question decides says nothing.
      known.become.set(
        index,
        describeParts(shown).filter(([, text]) => text !== '?'),
      );
      rows.set(shown.place, known);
    }
  }
  const lines = [...rows.values()].flatMap(({ row, become }) => [
    '',
    ...rowLines(row, width).slice(0, rowLinesMax),
    ...resultLines(readings.length, become).map((line) => truncate(`  → ${line}`, width)),
  ]);
  print(host, lines.length > 0 ? lines.join('\n') : 'Rows can be shown once the next questions are answered.');
}

type Parts = readonly (readonly [label: string, text: string])[];

function resultLines(count: number, become: ReadonlyMap<number, Parts>): readonly string[] {
  const all = [...become.values()];
  const has = (parts: Parts, [label, text]: Parts[number]) =>
    parts.some(([of, other]) => of === label && other === text);
  const isSame =
    become.size === count && all.every((parts) => parts.every((part) => all.every((one) => has(one, part))));
  const results = new Map<string, number[]>();
  for (let index = 0; index < count; index++) {
    const parts = become.get(index);
    const differing = parts?.filter((part) => isSame || !all.every((one) => has(one, part))) ?? [];
    const words = parts === undefined ? 'no message' : differing.map(([label, text]) => `${label}: ${text}`).join('  ');
    results.set(words, [...(results.get(words) ?? []), index + 1]);
  }
  return [...results].map(([words, indexes]) => `${isSame ? 'all' : indexes.join(', ')}  ${words}`);
}
