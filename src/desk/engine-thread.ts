/** The thread that looks at an export and answers questions about it, one after another: each may take a while, and the page is answered meanwhile. */
import { parentPort } from 'node:worker_threads';
import { answerCalls } from './engine/answer-calls.ts';
import { endOfThread } from './engine/call-context.ts';
import type { ToThread } from './engine/calls.ts';

const port = parentPort!;
const { answer } = answerCalls((message) => port.postMessage(message));

port.on('message', (message: ToThread | typeof endOfThread) => {
  // In a thread, this ends the thread alone.
  if (message === endOfThread) process.exit();
  void answer(message);
});
