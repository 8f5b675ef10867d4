/** A thread that looks at an export: many files take a while, and the page is answered meanwhile. */
import { parentPort, workerData } from 'node:worker_threads';
import { recogniseHere } from './engine/recognise-here.ts';

parentPort!.postMessage(await recogniseHere(workerData));
