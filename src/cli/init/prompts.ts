import { setTimeout as sleep } from 'node:timers/promises';
import { parseValue } from '../../lib/settings.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { Host } from '../host.ts';

export interface Terminal {
  readonly host: Host;
  /** Aborted by Ctrl-C, which the terminal delivers as a key while it asks. */
  readonly stopping: AbortSignal;
}

/** Choices on the screen at once. */
export const shownMax = 12;

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

/** Asks for a text. @returns Undefined for none. */
export async function askForText(label: string, terminal: Terminal): Promise<unknown> {
  const { text } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = terminal.host;
  const message = `${oneLine(label)}:`;
  const given = await answered(terminal, text({ message, placeholder: 'Enter alone goes back', input, output }));
  return typeof given === 'string' && given.trim() !== '' ? parseValue(given) : undefined;
}

/** A signal to the own process arrives at once; this limit is for a machine that hangs. */
const signalMsMax = 10_000;

/** The answer; as Ctrl-C at any other moment, the command ends by its signal. */
export async function answered<Answer>(
  { host, stopping }: Terminal,
  asking: Promise<Answer | symbol>,
): Promise<Answer> {
  const { isCancel } = await import('@clack/prompts');
  const answer = await asking;
  if (!isCancel(answer)) return answer as Answer;
  host.interrupt();
  // Waiting for the signal alone would not keep the process alive until it comes.
  await sleep(signalMsMax, undefined, { signal: stopping }).catch(() => {});
  throw stopping.reason;
}
