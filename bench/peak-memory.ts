/** Loaded into a measured program (`node --import`): when that ends, it writes down the most memory that it held, in bytes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const path = process.env.PEAK_MEMORY_FILE;
// All threads share one figure; the main thread is the last to end.
if (path && isMainThread) process.on('exit', () => writeFileSync(path, String(peakRssBytes())));

/** From /proc where there is one: `maxRSS` begins with what the parent held when it started this process. */
function peakRssBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))!;
  return Number(kibibytes) * 1024;
}
