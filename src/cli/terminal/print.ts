import type { Written } from '../../io/output.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { Host, Output } from '../host.ts';

/** Writes to standard output; a reader that went away (`| head`) is not an error. */
export function print({ stdout }: Pick<Host, 'stdout'>, text: string): void {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints the result of a command, for programs or in words. @returns Its exit code. */
export function printResult<Result extends { readonly command: string; readonly exit: number }>(
  host: Pick<Host, 'stdout'>,
  { json }: { readonly json: boolean },
  result: Result,
  words: string,
): number {
  print(host, json ? JSON.stringify(result) : words);
  return result.exit;
}

/** The same for a command that writes a file. If that goes to standard output, nothing else may. */
export const printWritten = <
  Result extends { readonly command: string; readonly out: string | undefined; readonly exit: number },
>(
  { stdout, stderr }: Pick<Host, 'stdout' | 'stderr'>,
  options: { readonly json: boolean },
  result: Result,
  words: string,
): number => printResult({ stdout: result.out === '-' ? stderr : stdout }, options, result, words);

/** Describes where the text of a command went that writes a file, or `-`. */
export function writtenTo(out: string, { existed }: Pick<Written, 'existed'>): string {
  if (out === '-') return 'standard output';
  return `${oneLine(out)}${existed ? ', which said exactly this already' : ''}`;
}

/** Width and colours of standard output. */
export const terminalStyle = ({ stdout, env }: Pick<Host, 'stdout' | 'env'>) => ({
  columns: stdout.columns ?? 100,
  color: wantsColor(stdout, env),
});

/**
 * Whether to colour what goes to this stream. `NO_COLOR` with any text says no (no-color.org), then `FORCE_COLOR`
 * with anything but `0` says yes; else terminals get colours unless they call themselves dumb.
 */
export function wantsColor(stream: Pick<Output, 'isTTY'>, env: Host['env']): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}
