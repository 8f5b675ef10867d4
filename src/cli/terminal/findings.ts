import { displayWidth, oneLine, truncate } from '../../lib/text/plain-text.ts';
import { yamlLine } from '../../lib/settings.ts';
import { listReadings } from '../../decisions/proposal.ts';
import type { Finding } from '../../sources/table-source.ts';

interface TerminalStyle {
  /** Width of the terminal. */
  readonly columns: number;
  /** Whether to say how each decision was made. */
  readonly explain: boolean;
}

/** Describes each finding in one line: the finding and its evidence; `?` if a person has to decide. */
export function describeFindings(findings: readonly Finding[], { columns, explain }: TerminalStyle): string {
  const keyWidth = widest(findings.map(({ key }) => oneLine(key)));
  const valueWidth = widest(findings.map((finding) => shownReadings(finding)));
  return findings
    .flatMap((finding) => {
      const start = `${pickMark(finding)} ${padded(oneLine(finding.key), keyWidth)}  ${padded(shownReadings(finding), valueWidth)}`;
      const explained = explain ? (finding.explained ?? []) : [];
      return [`${start}  ${oneLine(finding.because)}`.trimEnd(), ...explained.map((line) => `    ${oneLine(line)}`)];
    })
    .map((line) => truncate(line, columns))
    .join('\n');
}

const pickMark = ({ alternatives, value, isRequired }: Finding): string =>
  alternatives.length > 0 || (value === undefined && isRequired) ? '?' : ' ';

/** The first readings of a finding; a dash for what is there to be known only. */
function shownReadings(finding: Finding): string {
  const readings = listReadings(finding);
  if (readings.length === 0) return finding.isRequired ? '' : '-';
  const shown = readings.slice(0, 3).map(({ value }) => truncate(oneLine(yamlLine(value)), 40));
  return `${shown.join(' or ')}${readings.length > shown.length ? ' or …' : ''}`;
}

/** Columns that line up; those that are much wider than most do not. */
export const widest = (texts: readonly string[]): number => Math.min(60, Math.max(0, ...texts.map(displayWidth)));

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
