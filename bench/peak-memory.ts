/** Loaded into a measured program (`node --import`): when that ends, it writes down the most memory that it held. */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const path = process.env.PEAK_MEMORY_FILE;
// All threads share one figure, in KiB; the main thread is the last to end.
if (path && isMainThread) process.on('exit', () => writeFileSync(path, String(process.resourceUsage().maxRSS)));
