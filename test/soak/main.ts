/**
 * `chatferry sync` for as long as it takes to trust it: `npm run soak -- [--minutes 20] [--seed N]`.
 *
 * The month of test/month passes within these minutes: two jobs run every five seconds, in a process that is killed again and
 * again, against a sandbox in another one that breaks requests and is gone for a while. Then what arrived is compared with what
 * was said. Prints one line a minute, and a table; exit 0 if every number behind the kills is zero.
 */
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const minutes = Number(values.minutes);
if (!(Number.isSafeInteger(seed) && minutes > 0))
  throw new Error('--seed is a whole number, --minutes a number above 0');

console.log(`npm run soak -- --minutes ${minutes} --seed ${seed}`);
const startedMs = performance.now();
const over = new AbortController();
const result = await soak({ minutes, seed, log: (line) => console.log(`${seconds().padStart(7)}  ${line}`) });
over.abort();

const { complaints, folder, ...counts } = result;
for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(12)} ${count}`);
console.log(`${'complaints'.padEnd(12)} ${complaints.length}`);
for (const complaint of complaints.slice(0, 50)) console.log(`  ${complaint}`);
if (complaints.length === 0) rmSync(folder, { recursive: true, force: true });
else console.log(`Everything is left in ${folder}`);
process.exitCode = complaints.length === 0 ? 0 : 1;
// Output that is still on its way.
await wait(100);

function seconds(): string {
  return `${Math.round((performance.now() - startedMs) / 1000)} s`;
}
