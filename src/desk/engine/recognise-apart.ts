import { Worker } from 'node:worker_threads';
import { compileCache } from '../../lib/compile-cache.ts';
import { threadModule } from '../../lib/package-files.ts';
import type { RecogniseRequest, RecogniseResult } from './recognise-here.ts';

/** A look at an export that goes on in a thread of its own. */
export interface Recognising {
  /** Rejects with an internal error alone, and if it is stopped. */
  readonly result: Promise<RecogniseResult>;
  stop(): Promise<unknown>;
}

export function recogniseApart({ exports, source }: RecogniseRequest): Recognising {
  const thread = new Worker(threadModule('desk/engine-thread'), {
    workerData: { exports, source } satisfies RecogniseRequest,
    env: { ...process.env, ...compileCache() },
  });
  const result = new Promise<RecogniseResult>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread that looks at the export has ended')));
  });
  return { result, stop: () => thread.terminate() };
}
