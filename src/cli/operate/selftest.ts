import { randomInt } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Options } from '../../config/options.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { silent } from '../../lib/flow/progress.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { formatCount } from '../../report/format.ts';
import type { Failure, ScenarioResult } from '../../selftest/result.ts';
import { type Host, programName } from '../host.ts';
import { addOptions, parseNumberFlag } from '../options/flags.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { print } from '../terminal/print.ts';
import { docsLink } from '../../lib/docs-link.ts';

interface OwnFlags {
  readonly minutes?: string;
  readonly seed?: string;
  readonly scenario?: string;
}

const minutesMax = 7 * 24 * 60;

export function addSelftest(program: Command, host: Host): void {
  const command = program
    .command('selftest')
    .description(
      `Imports made-up exports into the sandbox, breaks answers, kills processes, and compares what arrived: ${docsLink('guides/selftest')}.\n` +
        'Sends nothing anywhere, and writes into a temporary folder. Exit 0 if every number behind the requests is zero.',
    )
    .addOption(new Option('--minutes <N>', 'how long, about (default: 1; with --scenario: one migration)'))
    .addOption(new Option('--seed <N>', 'begin with this seed instead of a random one: repeats a run'))
    .addOption(new Option('--scenario <NAME>', `only this one; ${docsLink('guides/selftest')} lists them`));
  addOptions(command, ['json', 'quiet', 'progress']);
  addAction(command, host, (options, around) => prove(command.opts<OwnFlags>(), options, around));
}

async function prove(flags: OwnFlags, { json, progress }: Options, around: CommandContext): Promise<number> {
  const { host } = around;
  const minutes = parseMinutes(flags);
  const seed = flags.seed === undefined ? randomInt(1_000_000) : parseNumberFlag('seed', flags.seed, 0, 0x7fff_ffff);
  // Loaded on demand, because it contains everything.
  const { selftest } = await import('../../selftest/selftest.ts');
  const startedMs = around.clock.monotonic();
  if (!json) print(host, `Selftest with seed ${seed}${minutes > 0 ? `, about ${minutes} min` : ''}\n\n${tableHead()}`);
  const { scenarios, failures } = await selftest({
    minutes,
    seed,
    scenario: flags.scenario,
    clock: around.clock,
    // On a terminal the lines of the table are the progress.
    progress: progress === undefined ? silent : around.progress,
    signal: around.stopping,
    onResult: (result, isKept) => {
      if (!json) print(host, tableRow(result, isKept));
    },
  });
  const exit = failures.length === 0 ? exitCodes.done : exitCodes.fault;
  const elapsedMs = Math.round(around.clock.monotonic() - startedMs);
  if (json) print(host, JSON.stringify({ command: 'selftest', seed, minutes, scenarios, failures, elapsedMs, exit }));
  else if (failures.length === 0) print(host, '\nNothing lost, nothing twice, nothing out of order.');
  else print(host, `\n${failures.map((failure) => describeFailure(failure)).join('\n')}`);
  return exit;
}

/** A failure is run again with its seed and its scenario, and then once. */
function parseMinutes({ minutes, scenario }: OwnFlags): number {
  if (minutes !== undefined) return parseNumberFlag('minutes', minutes, 1, minutesMax);
  return scenario === undefined ? 1 : 0;
}

const columns: readonly [title: string, countIn: (result: ScenarioResult) => number][] = [
  ['runs', ({ runs }) => runs],
  ['kills', ({ kills }) => kills],
  ['requests', ({ requests }) => requests],
  ['lost', ({ lost }) => lost],
  ['duplicated', ({ duplicated }) => duplicated],
  ['unexpected', ({ unexpected }) => unexpected],
  ['out of order', ({ outOfOrder }) => outOfOrder],
  ['unconfirmed', ({ unconfirmed }) => unconfirmed],
];

const nameWidth = 22;

export const tableHead = (): string =>
  `${'scenario'.padEnd(nameWidth)}${columns.map(([title]) => title.padStart(widthOf(title))).join('')}`;

/** One scenario under them. @param isKept the promise; zeros alone do not say so where something else went wrong. */
export function tableRow(result: ScenarioResult, isKept: boolean): string {
  const cells = columns.map(([title, countIn]) => formatCount(countIn(result)).padStart(widthOf(title)));
  return `${result.scenario.padEnd(nameWidth)}${cells.join('')}${isKept ? '' : '  FAILED'}`;
}

const widthOf = (title: string): number => Math.max(title.length, 7) + 2;

export const describeFailure = (
  { scenario, seed, problems, folder }: Failure,
  again = `${programName} selftest --seed ${seed} --scenario ${scenario}`,
): string =>
  [
    `FAILED: ${scenario} with seed ${seed}`,
    ...problems.map((problem) => `  ${oneLine(problem)}`),
    ...(folder === null ? [] : [`  kept: ${oneLine(folder)}`]),
    `  again: ${again}`,
  ].join('\n');
