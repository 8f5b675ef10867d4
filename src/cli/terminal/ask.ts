import { UsageError } from '../../lib/errors.ts';
import { readingLines } from '../../report/terminal.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import { describeBriefly } from '../../rows/parts.ts';
import type { Host } from '../host.ts';

export interface Question {
  /** The action that needs consent: "send 12 messages to https://…". */
  readonly what: string;
  show(): void;
  /** "Send 12 messages to https://…?" */
  readonly question: string;
  /** Advice if no one can answer. Default: --yes, or a terminal. */
  readonly hint?: string;
  /** Set if the caller itself reports that nothing was done. */
  readonly saysNo?: true;
  /** Aborted by Ctrl-C. */
  readonly stopping: AbortSignal;
}

/**
 * Asks on the terminal. Any answer but yes is no, and a message says so; Ctrl-C and Ctrl-D are no too.
 *
 * @throws UsageError if there is no terminal, so that no one can answer.
 */
export async function ask(host: Host, { what, show, question, stopping, hint, saysNo }: Question): Promise<boolean> {
  const { stdin, stdout } = host;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new UsageError(`Cannot ${what} without being asked to`, {
      hint: hint ?? 'Pass --yes, or run it on a terminal to be asked',
    });
  }
  show();
  const answer = await line(host, `${question} [y/N] `, stopping);
  if (answer === undefined) return false;
  const isYes = /^y(es)?$/i.test(answer);
  if (!isYes && !saysNo) stdout.write(`Nothing was done: the answer was not "y", so Chatferry did not ${what}.\n`);
  return isYes;
}

/**
 * Asks whether a reading is right, after its picture and some rows with their messages. Enter alone says yes.
 *
 * @returns `false` too if no one can answer.
 */
export async function askReading(
  { host, stopping }: AskedBy,
  reading: Shown | undefined,
  rows: readonly BeforeAfter[] = [],
): Promise<boolean> {
  const { stdin, stdout } = host;
  if (reading === undefined || !stdin.isTTY || !stdout.isTTY) return false;
  const pairs = rows.flatMap((row) => describeBriefly(row, stdout.columns ?? 100));
  stdout.write(`${['', ...readingLines(reading), '', ...pairs].join('\n')}\n`);
  const answer = await line(host, 'Is this your data, and does each row become the right message? [Y/n] ', stopping);
  const isRight = answer !== undefined && /^(?:y(?:es)?)?$/i.test(answer);
  if (!isRight) stdout.write('Not confirmed: nothing is sent before it is.\n');
  return isRight;
}

type Shown = Parameters<typeof readingLines>[0];

interface AskedBy {
  readonly host: Host;
  readonly stopping: AbortSignal;
}

/** Asks for one of several words; its first letter is enough. @returns Undefined if no one can answer, or the answer is none of them. */
export async function askWhich<Word extends string>(
  host: Host,
  {
    question,
    words,
    stopping,
  }: { readonly question: string; readonly words: readonly Word[]; readonly stopping: AbortSignal },
): Promise<Word | undefined> {
  const { stdin, stdout } = host;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  const answer = (await line(host, `${question} [${words.join('/')}] `, stopping))?.toLowerCase();
  return answer ? words.find((word) => word.startsWith(answer)) : undefined;
}

/** Returns the line that was typed; undefined after Ctrl-C and Ctrl-D. */
async function line(
  { stdin, stdout, interrupt }: Host,
  question: string,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: stdin, output: stdout });
  // While it asks, the terminal hands Ctrl-C over as a key.
  asking.on('SIGINT', interrupt);
  try {
    return (await asking.question(question, { signal: stopping })).trim();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  } finally {
    asking.close();
  }
}
