import { dialects } from './dialects.ts';
import { type Dialect, readLine } from './format.ts';

/** Lines of a file's beginning by which its dialect is chosen. */
export const triedLines = 1000;

/** How well a beginning fits a dialect. */
export interface Fit {
  readonly dialect: Dialect;
  /** Lines of the dialect, and those that are not. */
  readonly fits: number;
  readonly others: number;
  /** Lines that say what happened in words that the dialect is known for. */
  readonly events: number;
  /** Lines that people wrote. */
  readonly messages: number;
  /** A line says the day, or the file has the mark of its dialect. */
  readonly isCertain: boolean;
}

/**
 * How the dialects fit a beginning, the best first: the one with most lines, and of those with as many, the one with most events:
 * it has words for lines that are actions to the others.
 */
export function fittingDialects(path: string, lines: readonly string[]): readonly Fit[] {
  const text = lines.join('\n');
  return dialects
    .filter(({ mark, path: form }) => (mark?.test(text) ?? true) && (form?.test(path) ?? true))
    .map((dialect) => measureFit(dialect, lines))
    .sort((a, b) => b.fits - a.fits || b.events - a.events);
}

/** Used for a file whose beginning fits no dialect: each of its lines will be invalid. */
export const anyDialect = dialects[0]!;

function measureFit(dialect: Dialect, lines: readonly string[]): Fit {
  let [fits, events, messages, others] = [0, 0, 0, 0];
  let isCertain = dialect.mark !== undefined;
  for (const text of lines) {
    if (text.trim() === '') continue;
    const line = readLine(dialect, text);
    if (line === undefined) others += 1;
    else if (line.kind !== 'more' || !dialect.continuesNextDay) fits += 1;
    if (line?.kind === 'day') isCertain = true;
    if (line?.kind !== 'said') continue;
    if (line.said.kind !== 'event') messages += 1;
    else if (!line.said.isUnnamed) events += 1;
  }
  return { dialect, fits, others, events, messages, isCertain };
}
