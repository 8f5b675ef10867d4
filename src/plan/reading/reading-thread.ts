/** A thread that reads: `serveReading`. */
import { parentPort } from 'node:worker_threads';
import { serveReading } from './serve-reading.ts';

/** In bytes. Files of less than half of this share memory: making some for each takes longer than filling it (measured). */
Buffer.poolSize = 256 * 1024;

await serveReading(parentPort!);
