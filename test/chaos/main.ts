/**
 * The long proof: `npm run chaos`, less than an hour on two cores.
 *
 *     npm run chaos -- [--only sweep|kills|power|simulations] [--seed N] [--share 0.1]
 *
 * 60 migrations with 400 SIGKILLs; the disk broken at every write of a run of 200 messages; 300 power cuts; 20,000
 * simulations. Prints one table, and the seed, which begins the same again. Exit 0 if every number behind the requests is zero.
 * All run the program as the package has it. Parts run in processes of their own, two at a time: one that crashes is a failure, and the others go on.
 *
 *     npm run chaos -- --fleet [--files bucket] [--seed N] [--share 0.1]
 *
 * Half an hour more, alone: workers of a fleet, of which 100 are killed with their disks wiped and 20 stopped for longer than their heartbeat, while
 * PostgreSQL crashes five times and is put back to an older state twice, and ten copies are damaged. With a bucket, that refuses each twentieth request.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { describeFailure, tableHead, tableRow } from '../../src/cli/operate/selftest.ts';
import { addUp, type Failure, isClean } from '../../src/selftest/result.ts';
import builtProgram from '../proofs/built-program.ts';
import type { JobMessage } from './job.ts';
import { runFleet } from './fleet/run.ts';
import { type PartName, type PartResult, partNames } from './parts.ts';
import { scenarioNames } from '../../src/selftest/selftest.ts';

interface Job {
  readonly part: PartName;
  readonly seed: number;
  readonly half: 0 | 1;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    share: { type: 'string', default: '1' },
    fleet: { type: 'boolean', default: false },
    files: { type: 'string', default: 'folder' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const share = Number(values.share);
const only = values.only as PartName | undefined;
if (only !== undefined && !partNames.includes(only)) throw new Error(`--only is one of ${partNames.join(', ')}`);
const { files } = values;
if (files !== 'folder' && files !== 'bucket') throw new Error('--files is folder or bucket');
if (!(Number.isSafeInteger(seed) && share > 0 && share <= 1)) throw new Error('--seed is a number, --share 0 to 1');

/** The longest jobs first. The parts that take longest and use one core are two jobs. */
const jobs: readonly Job[] = partNames
  .flatMap((part): Job[] =>
    part === 'simulations' || part === 'sweep'
      ? [
          { part, seed, half: 0 },
          { part, seed, half: 1 },
        ]
      : [{ part, seed, half: 0 }],
  )
  .filter(({ part }) => only === undefined || part === only);

const startedMs = performance.now();
const elapsed = () => `${Math.round((performance.now() - startedMs) / 1000)} s`;
/** How often a job says how far it is, in ms. */
const progressEveryMs = 20_000;

function run({ part, seed: from, half }: Job): Promise<PartResult> {
  const child = fork(fileURLToPath(new URL('job.ts', import.meta.url)), [
    ...[part, String(from), String(share), String(half)],
  ]);
  let result: PartResult | undefined;
  let saidMs = Number.NEGATIVE_INFINITY;
  child.on('message', (message: JobMessage) => {
    if ('done' in message) result = message;
    else if (performance.now() - saidMs > progressEveryMs) {
      saidMs = performance.now();
      console.error(`${elapsed().padStart(7)}  ${part} ${half + 1}: ${message.progress}`);
    }
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      const words = result
        ? `done\n${tableHead()}\n${tableRow(result.result, isClean(result.result))}`
        : `ended with ${signal ?? code}`;
      console.error(`${elapsed().padStart(7)}  ${part}: ${words}`);
      const problems = [`the job ended with ${signal ?? code} and without a result`];
      resolve(
        result ?? { result: addUp(part, []), failures: [{ scenario: part, seed: from, problems, folder: null }] },
      );
    });
  });
}

/** A migration or a simulation alone; of the disk, the whole part. */
function againOf(part: PartName, { scenario, seed: from }: Failure): string | undefined {
  return scenarioNames.includes(scenario) ? undefined : `npm run chaos -- --only ${part} --seed ${from}`;
}

async function runParts(): Promise<boolean> {
  console.error(`npm run chaos -- --seed ${seed}`);
  const limit = pLimit(2);
  const done = await Promise.all(jobs.map((job) => limit(async () => ({ ...(await run(job)), part: job.part }))));
  console.log(`\nseed ${seed}, ${elapsed()}\n\n${tableHead()}`);
  for (const { result, failures } of done) console.log(tableRow(result, failures.length === 0 && isClean(result)));
  for (const { part, failures } of done) {
    for (const failure of failures) console.log(`\n${describeFailure(failure, againOf(part, failure))}`);
  }
  const isKept = done.every(({ result, failures }) => failures.length === 0 && isClean(result));
  console.log(isKept ? '\nNothing lost, nothing twice, nothing out of order.' : '\nFAILED');
  return isKept;
}

const removeProgram = await builtProgram();
process.exitCode = (await (values.fleet ? runFleet({ seed, share, files }) : runParts())) ? 0 : 1;
removeProgram();
