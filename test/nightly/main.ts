/**
 * Everything that `npm test` and `.ci/run` leave out, with fresh seeds: `npm run nightly`. At most 90 minutes on two cores with nothing else on
 * the machine.
 *
 *     npm run nightly -- --seed 7                   begins with this seed
 *     npm run nightly -- --only test/sources/kit    the tests of these paths, and no bench
 *
 * Ends with a table: proof, seed, result, duration, tests and figures. A seed that fails is written to `test/regression-seeds.json`, and
 * `npm test` repeats it from then on. Exit code 0 if every proof passed; a proof that was skipped for want of a program counts as failed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readFailedSeeds } from '../regression-seeds.ts';
import { type Proof, proofsTable } from './proof.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const { seed, only } = values;
const folder = mkdtempSync(join(tmpdir(), 'chatferry-nightly-'));
const startedMs = performance.now();
const secondsSince = (ms: number) => (performance.now() - ms) / 1000;

const knownSeeds = readFailedSeeds().length;
const proofs = [...(await runTests()), ...(only.length === 0 ? [await runBench()] : [])];
console.log(`\nseed ${seed}, ${Math.round(secondsSince(startedMs) / 60)} min\n\n${proofsTable(proofs)}`);
const addedSeeds = readFailedSeeds().slice(knownSeeds);
for (const { file, test, seed } of addedSeeds)
  console.log(`\nWritten to test/regression-seeds.json: ${file} > ${test}, seed ${seed}`);
const failed = proofs.filter(({ result }) => result !== 'passed');
console.log(
  failed.length === 0 ? `\n${proofs.length} proofs passed` : `\n${failed.length} of ${proofs.length} proofs FAILED`,
);
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed.length === 0 ? 0 : 1;

async function runTests(): Promise<readonly Proof[]> {
  const proofsPath = join(folder, 'proofs.json');
  const began = performance.now();
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/nightly/vitest.config.ts', ...only];
  const code = await run(args, { CHATFERRY_NIGHTLY_PROOFS: proofsPath, CHATFERRY_TEST_SEED: seed });
  try {
    const all = JSON.parse(readFileSync(proofsPath, 'utf8')) as Proof[];
    // An error outside of any test.
    const isUnexplained = code !== 0 && all.every(({ result }) => result !== 'FAILED');
    return [...mergeProperties(all), ...(isUnexplained ? [proofOf('tests', code, secondsSince(began))] : [])];
  } catch {
    // The run broke off before its end.
    return [proofOf('tests', code === 0 ? 1 : code, secondsSince(began))];
  }
}

/** The hundred files that `npm test` runs too are one line, and each that failed is one of its own. */
function mergeProperties(all: readonly Proof[]): readonly Proof[] {
  const isSmall = ({ name, result }: Proof) => result === 'passed' && !/^test\/(nightly|proofs)\//.test(name);
  const small = all.filter(isSmall);
  const sum = (numberOf: (proof: Proof) => number) => small.reduce((total, proof) => total + numberOf(proof), 0);
  const merged: Proof = {
    name: 'properties and cases that npm test leaves out',
    seed,
    result: 'passed',
    seconds: sum((proof) => proof.seconds),
    tests: { passed: sum((proof) => proof.tests.passed), failed: 0, skipped: sum((proof) => proof.tests.skipped) },
    figures: { files: small.length },
  };
  return [...all.filter((proof) => !isSmall(proof)), ...(small.length > 0 ? [merged] : [])];
}

/** Measures rates, memory and request counts, next to the floor, with nothing else running. Its tables are printed unchanged. */
async function runBench(): Promise<Proof> {
  const began = performance.now();
  const code = await run(['bench/main.ts', '--megabytes', '50'], {});
  return proofOf('bench', code, secondsSince(began));
}

function proofOf(name: string, code: number | null, seconds: number): Proof {
  return {
    ...{ name, seed: null, seconds, figures: {} },
    result: code === 0 ? 'passed' : 'FAILED',
    tests: { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 },
  };
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number | null> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, CI: 'true', ...env },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('close', resolve));
}
