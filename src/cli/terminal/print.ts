import type { Written } from '../../io/output.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { Host, Output } from '../host.ts';

/** Writes to standard output; a reader that went away (`| head`) is not an error. */
export function print({ stdout }: Pick<Host, 'stdout'>, text: string): void {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

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
