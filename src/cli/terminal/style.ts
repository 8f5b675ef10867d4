export { formatCount, formatDuration } from '../../report/render/format.ts';
export { type Format, paint } from '../../report/render/format.ts';

/**
 * Whether to colour what goes to this stream. `NO_COLOR` with any text says no (no-color.org), then `FORCE_COLOR`
 * with anything but `0` says yes; else terminals get colours unless they call themselves dumb.
 */
export function wantsColor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}
