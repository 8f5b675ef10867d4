/**
 * Loaded into a measured program (`node --import`): when that ends, it writes down what it used, as JSON (`Usage` of `measure.ts`).
 * Plain JavaScript: Node's loader for TypeScript would add 17 MiB and 40 ms to every program.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const path = process.env.USAGE_FILE;
// Both figures are those of the whole process; the main thread is the last to end.
if (path && isMainThread) process.on('exit', () => writeFileSync(path, JSON.stringify(usage())));

function usage() {
  const all = process.cpuUsage();
  return {
    peakRssBytes: peakRssBytes(),
    cpuMs: (all.user + all.system) / 1000,
  };
}

/** Reads /proc if there is one: `maxRSS` begins with the memory that the parent held when it started this process. */
function peakRssBytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(kibibytes) * 1024;
}
