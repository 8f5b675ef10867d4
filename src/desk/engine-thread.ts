/** The thread that looks at an export and answers questions about it, one after another: each may take a while, and the page is answered meanwhile. */
import { parentPort } from 'node:worker_threads';
import { ChatferryError } from '../lib/errors.ts';
import { type CallContext, endOfThread } from './engine/call-context.ts';
import { calls, type FromThread, type ToThread } from './engine/calls.ts';
import { OpenedExports } from './engine/opened.ts';
import { PeopleMap } from './engine/people-map.ts';

const port = parentPort!;
const opened = new OpenedExports();
const people = new PeopleMap();
/** Never aborted: at the end of the desk the thread is stopped as a whole. */
const { signal } = new AbortController();

const say = (message: FromThread): void => port.postMessage(message);

port.on('message', (message: ToThread | typeof endOfThread) => {
  // In a thread, this ends the thread alone.
  if (message === endOfThread) process.exit();
  void answer(message);
});

async function answer({ name, request }: ToThread): Promise<void> {
  const context: CallContext = {
    opened,
    people,
    signal,
    progress: (done, total) => say({ done, total }),
  };
  try {
    // The client knows which request belongs to which name.
    const call = calls[name] as (request: unknown, context: CallContext) => unknown;
    say({ answer: await call(request, context) });
  } catch (error) {
    // An error would lose its hint between threads.
    if (error instanceof ChatferryError)
      say({ refused: { message: error.message, hint: error.hint, wants: error.wants } });
    else say({ fault: error });
  }
}
