/**
 * Shows that the tests notice faults: puts each fault of `faults.ts` into a copy of the tree, runs the tests that it concerns, and
 * prints which of them failed. Nothing is changed in place.
 *
 *     npm run mutation                            all of them, less than an hour
 *     npm run mutation -- --sample 10 --seed 7    ten that the seed chooses
 *     npm run mutation -- --only undo             those with this word in their harm or file
 *     npm run mutation -- --minutes 10            begins no further fault after ten minutes
 *
 * Ends with 1 where fewer than 95 % are caught (of a sample, one may be missed), or where a text is not found any more.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import { type Fault, faults } from './faults.ts';
import { type Place, Tree } from './tree.ts';

const caughtShareMin = 0.95;

interface Verdict {
  readonly isCaught: boolean;
  readonly words: string;
}

/** Verdict for a fault whose text is in no file any more. */
const missing: Verdict = { isCaught: false, words: 'its text was not found' };

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const chosen = choose(values);
const tree = new Tree();
try {
  process.exitCode = await main();
} finally {
  tree.remove();
}

async function main(): Promise<number> {
  const places = chosen.map((fault) => tree.placeOf(fault));
  for (const [index, place] of places.entries()) explain(chosen[index]!, place);
  const endsAtMs = performance.now() + Number(values.minutes) * 60_000;
  let caughtCount = 0;
  let triedCount = 0;
  for (const [index, fault] of chosen.entries()) {
    const startedMs = performance.now();
    if (startedMs > endsAtMs) break;
    const place = places[index]!;
    const { isCaught, words } = 'notFound' in place ? missing : await judge(fault, place.path);
    triedCount++;
    if (isCaught) caughtCount++;
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    console.log(`${isCaught ? 'caught' : 'MISSED'}  ${String(seconds).padStart(4)} s  ${fault.harm}`);
    console.log(`               ${words}`);
  }
  if (triedCount < chosen.length) console.log(`The time is over: ${chosen.length - triedCount} were not tried`);
  console.log(`${caughtCount} of ${triedCount} caught`);
  const enough = values.sample === undefined ? Math.ceil(triedCount * caughtShareMin) : triedCount - 1;
  return caughtCount >= enough && !places.some((place) => 'notFound' in place) ? 0 : 1;
}

/** A test that fails without the fault as well has not caught it. */
async function judge(fault: Fault, path: string): Promise<Verdict> {
  const run = await tree.withFault(path, fault, () => tree.test(fault.tests));
  if (run.is === 'broken') return { isCaught: false, words: `nothing can be said: ${run.why}` };
  if (run.is === 'passed') return { isCaught: false, words: `${path}: ${fault.text}` };
  const without = await tree.test([run.file], run.test);
  if (without.is === 'passed') return { isCaught: true, words: `${run.file} > ${run.test}` };
  return { isCaught: false, words: `fails without the fault as well: ${run.file} > ${run.test}` };
}

function explain({ file, text }: Fault, place: Place): void {
  if ('notFound' in place)
    console.log(`Not found: ${JSON.stringify(text)} of ${file} stands ${place.notFound}; mend test/mutation/faults.ts`);
  else if (place.moved)
    console.log(`Moved: ${JSON.stringify(text)} of ${file} stands in ${place.path} now; mend test/mutation/faults.ts`);
}

function choose({ sample, seed, only }: typeof values): readonly Fault[] {
  const wanted = faults.filter(({ harm, file }) => only === undefined || `${harm} ${file}`.includes(only));
  if (sample === undefined) return wanted;
  const random = seededRandom(Number(seed));
  const shuffled = wanted.map((fault) => ({ fault, place: random() })).sort((a, b) => a.place - b.place);
  return shuffled.slice(0, Number(sample)).map(({ fault }) => fault);
}
