import { displayWidth, oneLine, truncate } from '../../lib/text/plain-text.ts';
import { yamlLine } from '../../lib/settings.ts';
import type { Finding } from '../../sources/table-source.ts';

interface TerminalStyle {
  readonly columns: number;
  /** Whether to say how each decision was made. */
  readonly explain: boolean;
}

/** Describes each finding that nobody has to decide in one line: the key, the value, a dash if there is none, and the evidence. */
export function describeFindings(findings: readonly Finding[], { columns, explain }: TerminalStyle): string {
  const decided = findings.filter(
    ({ value, alternatives, isRequired }) => alternatives.length === 0 && (value !== undefined || !isRequired),
  );
  const shown = ({ value }: Finding) => (value === undefined ? '-' : truncate(oneLine(yamlLine(value)), 40));
  const keyWidth = widest(decided.map(({ key }) => oneLine(key)));
  const valueWidth = widest(decided.map(shown));
  return decided
    .flatMap((finding) => {
      const { key, because, explained = [] } = finding;
      const line = `  ${padded(oneLine(key), keyWidth)}  ${padded(shown(finding), valueWidth)}  ${oneLine(because)}`;
      return [line.trimEnd(), ...(explain ? explained.map((reason) => `    ${oneLine(reason)}`) : [])];
    })
    .map((line) => truncate(line, columns))
    .join('\n');
}

/** Columns that line up; those that are much wider than most do not. */
export const widest = (texts: readonly string[]): number => Math.min(60, Math.max(0, ...texts.map(displayWidth)));

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
