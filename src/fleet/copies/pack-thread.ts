/** A thread that makes one copy: `packHere`. */
import { parentPort, workerData } from 'node:worker_threads';
import { packHere } from './pack-here.ts';

parentPort!.postMessage(await packHere(workerData));
