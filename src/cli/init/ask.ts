import { setTimeout as sleep } from 'node:timers/promises';
import { type Question, questionDecision, sayAnswer } from '../../decisions/question.ts';
import { parseValue } from '../../lib/settings.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { describeParts } from '../../rows/parts.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import type { Host } from '../host.ts';
import { print } from '../terminal/print.ts';
import { rowLines } from '../prepare/inspect.ts';

/** A terminal at which a person answers. */
export interface Terminal {
  readonly host: Host;
  /** Aborted by Ctrl-C, which the terminal delivers as a key while it asks. */
  readonly stopping: AbortSignal;
}

/** A decision that is asked at a terminal. */
export interface Asked {
  readonly question: Question;
  /** Rows and their messages under a value. */
  readonly look: (value: unknown) => Promise<readonly BeforeAfter[]>;
}

/** Choices on the screen at once. */
const shownMax = 12;
/** Characters of the evidence for a choice. */
const hintMax = 100;

/** Choices that are no option. */
const others = { own: {}, rows: {}, later: {} };

/** Asks which option is right. @returns The value and its key, or undefined if it is left open. */
export async function askDecision(
  asked: Asked,
  terminal: Terminal,
): Promise<{ readonly key: string; readonly value: unknown } | undefined> {
  const { key: own, readings } = asked.question;
  const { id, question, why, options, input } = questionDecision(asked.question);
  const askForOwn = async (message: string, key = own) => {
    const value = await askForText(message, terminal);
    return value === undefined ? undefined : { key, value };
  };
  if (options.length === 0) return await askForOwn(`${question} ${oneLine(why)}`);
  const { select } = await import('@clack/prompts');
  const { stdin, stdout } = terminal.host;
  for (;;) {
    const chosen = await answered(
      terminal,
      select<unknown>({
        message: `${oneLine(question)}\n${truncate(oneLine(why), (stdout.columns ?? 100) - 4)}`,
        options: [
          ...options.map((option, index) => ({
            value: index < readings.length ? readings[index]!.value : option,
            label: oneLine(option.does),
            hint: truncate(oneLine(option.because), hintMax),
          })),
          { value: others.own, label: input?.label ?? 'Something else' },
          { value: others.rows, label: 'Show me what rows become under each of these' },
          { value: others.later, label: 'Decide later, in the mapping', hint: id },
        ],
        // One group for all is never what a hasty Enter takes.
        initialValue: options[0]!.isLastResort ? others.later : readings[0]?.value,
        maxItems: shownMax,
        input: stdin,
        output: stdout,
      }),
    );
    const other = options.find((option) => option === chosen);
    if (chosen === others.rows) await showRows(asked, terminal.host);
    else if (chosen === others.own) return await askForOwn(`${input?.label ?? question}:`);
    else if (other && 'asks' in other.effect)
      return await askForOwn(`${other.does}:`, other.effect.asks.replace(/^source\./, ''));
    else return chosen === others.later ? undefined : { key: own, value: chosen };
  }
}

async function askForText(message: string, terminal: Terminal): Promise<unknown> {
  const { text } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = terminal.host;
  const placeholder = 'Nothing: decide later, in the mapping';
  const written = await answered(terminal, text({ message: oneLine(message), placeholder, input, output }));
  return typeof written === 'string' && written.trim() !== '' ? parseValue(written) : undefined;
}

/** Prints rows, each above the message that it becomes under each option. */
async function showRows({ question, look }: Asked, host: Host): Promise<void> {
  const width = (host.stdout.columns ?? 100) - 6;
  const rows = new Map<string, { readonly row: BeforeAfter['row']; readonly become: string[] }>();
  for (const { value } of question.readings) {
    const does = sayAnswer(question, value);
    for (const shown of await look(value)) {
      const known = rows.get(shown.place) ?? { row: shown.row, become: [] };
      const message = describeParts(shown).map(([part, text]) => `${part}: ${text}`);
      known.become.push(`    ${oneLine(does)}`, `      ${truncate(message.join('  '), width)}`);
      rows.set(shown.place, known);
    }
  }
  const lines = [...rows].flatMap(([place, { row, become }]) => [
    '',
    `  ${oneLine(place)}`,
    ...rowLines(row, width).map((line) => `    ${line}`),
    ...become,
  ]);
  print(host, lines.length > 0 ? lines.join('\n') : 'No row can be shown before another question is decided.');
}

/** @param question With what Enter alone says. */
export async function askYesOrNo(
  { message, isYes }: { readonly message: string; readonly isYes: boolean },
  terminal: Terminal,
): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = terminal.host;
  return (await answered(terminal, confirm({ message, initialValue: isYes, input, output }))) === true;
}

/** Asks for some of many; none if nothing is chosen. */
export async function askForSome(
  message: string,
  options: readonly { readonly value: string; readonly label: string; readonly hint: string }[],
  terminal: Terminal,
): Promise<readonly string[]> {
  const { multiselect } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = terminal.host;
  const asked = { message, options: [...options], required: false, maxItems: shownMax, input, output };
  const chosen = await answered(terminal, multiselect<string>(asked));
  return Array.isArray(chosen) ? chosen : [];
}

/** A signal to the own process arrives at once; this limit is for a machine that hangs. */
const signalMsMax = 10_000;

/** The answer; as Ctrl-C at any other moment, the command ends by its signal. */
async function answered<Answer>({ host, stopping }: Terminal, asking: Promise<Answer | symbol>): Promise<Answer> {
  const { isCancel } = await import('@clack/prompts');
  const answer = await asking;
  if (!isCancel(answer)) return answer as Answer;
  host.interrupt();
  // Waiting for the signal alone would not keep the process alive until it comes.
  await sleep(signalMsMax, undefined, { signal: stopping }).catch(() => {});
  throw stopping.reason;
}
