import type { Advisor } from '../../decisions/proposal.ts';
import { type Question, questionDecision } from '../../decisions/question.ts';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { countOf } from '../../report/format.ts';
import type { Preset } from '../../sources/table-source.ts';
import type { UnreadColumn } from '../../sources/not-migrated.ts';
import type { CommandContext } from '../command-context.ts';
import type { DescribedReading } from '../../decisions/reading.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import { askReading } from '../terminal/ask.ts';
import { print } from '../terminal/print.ts';
import { formatFlags } from '../terminal/decisions.ts';
import { describeFindings } from '../terminal/findings.ts';
import { askDecision } from './ask.ts';
import { askForSome, askYesOrNo } from './prompts.ts';

interface Wishes extends Pick<Options, 'yes' | 'json'> {
  /** Take what cannot lose, merge or expose anything, and go on where rows cannot be read. */
  readonly assume: boolean;
  /** Show how each decision was made. */
  readonly explain: boolean;
}

/** The advisor that decides, and the decisions that were assumed. */
export interface InitAdvisor {
  readonly own: Advisor;
  /** Values that `--assume` took. */
  readonly assumed: readonly { readonly key: string; readonly value: unknown; readonly because: string }[];
  /** Whether the picture of the reading was shown. */
  isShown(): boolean;
  /** Whether the rest is wanted although some rows cannot be read. */
  agrees(invalidCount: number): Promise<boolean>;
}

/** Asks the person at the terminal. With `--yes`, everything with several readings stays open; `--assume` takes the harmless reading. */
export function advisorFor({ yes, json, assume, explain }: Wishes, { host, stopping }: CommandContext): InitAdvisor {
  const { stdin, stdout } = host;
  const terminal = { host, stopping };
  const isAlone = yes || assume || !stdin.isTTY || !stdout.isTTY;
  if (isAlone && !yes && !assume) {
    throw new UsageError('Cannot ask: standard input and output are no terminal', {
      hint: 'Pass --yes to take what has one reading; --set KEY=VALUE decides the rest',
    });
  }
  let isShown = false;
  const assumed: { key: string; value: unknown; because: string }[] = [];
  const takeHarmless = (question: Question) => {
    const { key, readings } = question;
    const [best] = readings;
    if (!best?.isHarmless) return undefined;
    const { value, because } = best;
    assumed.push({ key, value, because });
    const [first] = questionDecision(question).options;
    if (!json) print(host, `Assumed: ${oneLine(first!.does)} (${formatFlags(first!)}): ${oneLine(because)}`);
    return { key, value };
  };
  return {
    assumed,
    own: {
      begin(title, inputs) {
        if (json) return;
        for (const { label, because } of inputs)
          print(host, `${oneLine(label)}: ${title}, because of ${oneLine(because)}`);
      },
      show(findings) {
        // Whoever answers sees what becomes of the rows at the end.
        if (json || (!isAlone && !explain)) return;
        const found = describeFindings(findings, { columns: stdout.columns ?? Infinity, explain });
        if (found !== '') print(host, `\n${found}\n\n`);
      },
      decide: async (question, look) => {
        if (assume) return takeHarmless(question);
        return yes ? undefined : askDecision({ question, look }, terminal);
      },
      ...(!isAlone && {
        keep: (columns: readonly UnreadColumn[]) => askToKeep(columns, terminal),
        async confirm(reading: DescribedReading, rows: readonly BeforeAfter[]) {
          isShown = true;
          const isRight = await askReading(terminal, reading, rows);
          stopping.throwIfAborted();
          return isRight;
        },
        refuse: (reason: string) => print(host, `Not possible: ${oneLine(reason)}`),
        agree: ({ title, path }: Preset) =>
          askYesOrNo(
            { message: `These tables are those of ${title}: read them as ${path} says?`, isYes: true },
            terminal,
          ),
      }),
    },
    isShown: () => isShown,
    agrees: async (invalidCount) => assume || (!isAlone && (await askToGoOn(invalidCount, terminal))),
  };
}

type Terminal = Parameters<typeof askYesOrNo>[1];

const askToKeep = (columns: readonly UnreadColumn[], terminal: Terminal): Promise<readonly string[]> =>
  askForSome(
    `${countOf(columns.length, 'column')} would not be migrated. Which do you want to keep as custom data? (space selects, Enter continues)`,
    columns.map(({ name, rows }) => ({
      value: name,
      label: truncate(oneLine(name), 40),
      hint: `${countOf(rows, 'row')} with a value`,
    })),
    terminal,
  );

/** Asks at the terminal whether to go on without rows that cannot be read. */
const askToGoOn = (invalidCount: number, terminal: Terminal): Promise<boolean> =>
  askYesOrNo({ message: `${countOf(invalidCount, 'row')} cannot be read. Go on without?`, isYes: false }, terminal);
