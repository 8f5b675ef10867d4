import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addUp, type Failure, type ScenarioResult } from '../../src/selftest/result.ts';
import { runMigration } from '../../src/selftest/selftest.ts';
import { scenarios } from '../../src/selftest/steps/scenarios.ts';
import { runSimulations } from '../simulate/simulations.ts';
import { program } from '../program.ts';
import { stracePath } from '../requirements.ts';
import type { DiskLedger } from './disk/ledger.ts';
import { powerLoss } from './disk/power-loss.ts';
import { sweep } from './disk/sweep.ts';

export const partNames = ['sweep', 'kills', 'power', 'simulations'] as const;
export type PartName = (typeof partNames)[number];

export interface PartOptions {
  readonly seed: number;
  /** Which half of a part that two processes share. */
  readonly half: 0 | 1;
  /** 1 is everything; 0.1 a tenth of it. */
  readonly share: number;
  /** Called after each step with the number of steps done, and the total if it is known. */
  readonly onProgress: (words: string) => void;
}

/** A line of the table, and what went wrong. */
export interface PartResult {
  readonly result: ScenarioResult;
  readonly failures: readonly Failure[];
}

export const parts: Readonly<Record<PartName, (options: PartOptions) => Promise<PartResult>>> = {
  kills,
  sweep: (options) =>
    onDisk(options, (strace, progress) => sweep({ strace, half: options.half, ...pointsOf(options), ...progress })),
  power: (options) =>
    onDisk(options, (strace, progress) => powerLoss({ strace, images: scaled(imagesWanted, options), ...progress })),
  simulations,
};

/** Calls of a run that can be broken, times ways to break them: measured. */
const pointsAbout = 1_400;
const imagesWanted = 300;
/** For one of the two halves. */
const simulationsWanted = 10_000;
const migrationsWanted = 60;
const killsWanted = 400;
/** For one migration. Some end before all of their kills. */
const killsMax = 8;
/** Migrations at a time, in addition to the write sweep, which takes a core. */
const sideBySide = 2;
/** So many failures are enough to look at. */
const failuresMax = 5;

const never = new AbortController().signal;

const scaled = (count: number, { share }: PartOptions): number => Math.max(1, Math.ceil(count * share));

/** Points of the write sweep: all of them, unless it is shortened. */
const pointsOf = (options: PartOptions): { points?: number } =>
  options.share < 1 ? { points: scaled(pointsAbout, options) } : {};

/** Real processes that are killed, all scenarios in turn: 60 migrations, and more until there were 400 kills. */
async function kills(options: PartOptions): Promise<PartResult> {
  const parent = mkdtempSync(join(tmpdir(), 'chatferry-chaos-'));
  let sum = addUp('kills', []);
  const failures: Failure[] = [];
  let begun = 0;
  let done = 0;
  const isEnough = () =>
    failures.length >= failuresMax ||
    (begun >= scaled(migrationsWanted, options) && sum.kills >= scaled(killsWanted, options));
  const oneAfterTheOther = async (): Promise<void> => {
    while (!isEnough()) {
      const scenario = scenarios[begun % scenarios.length]!;
      const seed = options.seed + begun++;
      const one = await runMigration({ scenario, seed, killsMax, parent, program, signal: never });
      if (one.failure) failures.push(one.failure);
      sum = addUp('kills', [sum, one.result]);
      options.onProgress(`${++done} migrations, ${sum.kills} kills, ${failures.length} failed`);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, oneAfterTheOther));
  if (failures.length === 0) rmdirSync(parent);
  return { result: addUp(`kills, ${done} migrations`, [sum]), failures };
}

async function simulations(options: PartOptions): Promise<PartResult> {
  const wanted = scaled(simulationsWanted, options);
  const goesOn = (done: number) => {
    if (done % 100 === 0) options.onProgress(`${done} of ${wanted}`);
    return done < wanted;
  };
  // Seeds of their own.
  const seed = options.seed + options.half * 1_000_000;
  const { result, failures } = await runSimulations({ seed, goesOn, signal: never });
  return { result: addUp(`simulations, ${wanted}`, [result]), failures };
}

async function onDisk(
  { seed, onProgress }: PartOptions,
  run: (
    strace: string,
    options: { readonly seed: number; readonly onProgress: (done: number, total: number) => void },
  ) => Promise<DiskLedger>,
): Promise<PartResult> {
  const strace = stracePath();
  if (strace === null) throw new Error('Cannot trace processes: no strace on the PATH');
  const progress = { seed, onProgress: (done: number, total: number) => onProgress(`${done} of ${total}`) };
  const { problems, ...result } = await run(strace, progress);
  const failure = { scenario: result.scenario, seed, problems: problems.slice(0, failuresMax), folder: null };
  return { result, failures: problems.length > 0 ? [failure] : [] };
}
