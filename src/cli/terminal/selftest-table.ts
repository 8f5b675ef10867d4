import { programName } from '../host.ts';
import { oneLine } from '../../lib/plain-text.ts';
import type { Failure, ScenarioResult } from '../../selftest/result.ts';
import { formatCount } from '../../report/render/format.ts';

const columns: readonly [title: string, countIn: (result: ScenarioResult) => number][] = [
  ['runs', ({ runs }) => runs],
  ['kills', ({ kills }) => kills],
  ['requests', ({ requests }) => requests],
  ['lost', ({ lost }) => lost],
  ['duplicated', ({ duplicated }) => duplicated],
  ['unexpected', ({ unexpected }) => unexpected],
  ['out of order', ({ outOfOrder }) => outOfOrder],
  ['in doubt', ({ inDoubt }) => inDoubt],
];

const nameWidth = 22;

/** The titles of the columns. */
export const tableHead = (): string =>
  `${'scenario'.padEnd(nameWidth)}${columns.map(([title]) => title.padStart(widthOf(title))).join('')}`;

/** One scenario under them. @param isKept the promise; zeros alone do not say so where something else went wrong. */
export function tableRow(result: ScenarioResult, isKept: boolean): string {
  const cells = columns.map(([title, countIn]) => formatCount(countIn(result)).padStart(widthOf(title)));
  return `${result.scenario.padEnd(nameWidth)}${cells.join('')}${isKept ? '' : '  FAILED'}`;
}

const widthOf = (title: string): number => Math.max(title.length, 7) + 2;

/** What went wrong, where to look, and how to see it again. */
export function describeFailure(
  { scenario, seed, problems, folder }: Failure,
  again = `${programName} selftest --seed ${seed} --scenario ${scenario}`,
): string {
  return [
    `FAILED: ${scenario} with seed ${seed}`,
    ...problems.map((problem) => `  ${oneLine(problem)}`),
    ...(folder === null ? [] : [`  kept: ${oneLine(folder)}`]),
    `  again: ${again}`,
  ].join('\n');
}
