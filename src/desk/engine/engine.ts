import { once } from 'node:events';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { compileCache } from '../../lib/compile-cache.ts';
import { ChatferryError } from '../../lib/errors.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import { entryModule } from '../../lib/package-files.ts';
import type { DeskState } from '../shapes.ts';
import type { CallAnswer, CallName, CallRequest, FromThread, ToThread } from './calls.ts';
import { endOfThread } from './call-context.ts';

/** Words that the page shows while a call takes a while. */
const words: Readonly<Record<CallName, string>> = {
  recognise: 'Looking at the export',
  copyForRehearsal: 'Copying the plan',
  writeReading: 'Writing the mapping',
  lookAtStores: 'Looking at the store',
  cards: 'Looking for decisions',
  preview: 'Reading rows',
  answer: 'Writing the answer',
  schema: 'Looking at the tables',
  table: 'Looking at a table',
  people: 'Reading the people',
  duplicates: 'Reading the people',
  peopleCsv: 'Writing the people',
  setUid: 'Writing the people',
  importPeople: 'Reading the table of uids',
  mergePeople: 'Writing the mapping',
  choices: 'Reading the mapping',
  choose: 'Writing the mapping',
  conversationRules: 'Reading the mapping',
  setConversations: 'Writing the mapping',
  isPlanOfMapping: 'Reading the mapping',
  reportWithDecisions: 'Reading the decisions',
  reportPage: 'Writing the report',
  noteSignOff: 'Writing the report',
};

/** The thread as its client sees it. */
export interface EngineThread {
  post(message: ToThread): void;
  stop(): Promise<unknown>;
}

export interface ThreadListener {
  readonly onMessage: (message: FromThread) => void;
  /** Called once, when it has ended by itself. */
  readonly onEnd: (fault: unknown) => void;
}

export interface EngineOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly startThread: (listener: ThreadListener) => EngineThread;
}

/** The desk has ended, and this call with it. */
export class Closed extends Error {}

interface Waiting {
  readonly name: CallName;
  readonly request: unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (reason: unknown) => void;
}

interface Running extends Waiting {
  readonly sinceMs: number;
  done: number | null;
  total: number | null;
}

/** Work that is shorter is not shown, in ms. */
const shownAfterMs = 100;

/**
 * Asks the thread, one call after another. A thread that dies takes the call that ran with it; the next call begins another thread. It is
 * started by the first call.
 */
export class Engine {
  readonly #options: EngineOptions;
  #thread: EngineThread | undefined;
  readonly #waiting: Waiting[] = [];
  #running: Running | undefined;
  #isClosed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The call that takes a while at this moment. */
  get asking(): DeskState['asking'] {
    if (this.#running === undefined) return null;
    const { name, sinceMs, done, total } = this.#running;
    const ms = this.#options.clock.now() - sinceMs;
    return ms < shownAfterMs ? null : { what: words[name], ms, done, total };
  }

  /** @throws ChatferryError with the words of the call; Closed; an internal error. */
  call<Name extends CallName>(name: Name, request: CallRequest<Name>): Promise<CallAnswer<Name>> {
    if (this.#isClosed) return Promise.reject(new Closed());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, request, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.reject(new Closed());
    for (const { reject } of this.#waiting.splice(0)) reject(new Closed());
    await this.#thread?.stop();
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    this.#running = { ...waiting, sinceMs: this.#options.clock.now(), done: null, total: null };
    this.#thread ??= this.#options.startThread({
      onMessage: (message) => this.#take(message),
      onEnd: (fault) => this.#end(fault),
    });
    this.#thread.post({ name: waiting.name, request: waiting.request });
  }

  #take(message: FromThread): void {
    const running = this.#running;
    if (running === undefined) return;
    if ('done' in message) {
      running.done = message.done;
      running.total = message.total;
      return;
    }
    this.#running = undefined;
    if ('answer' in message) running.resolve(message.answer as never);
    else if ('refused' in message) running.reject(new ChatferryError(message.refused.message, message.refused));
    else running.reject(message.fault);
    this.#next();
  }

  #end(fault: unknown): void {
    this.#thread = undefined;
    this.#running?.reject(fault);
    this.#running = undefined;
    if (!this.#isClosed) this.#next();
  }
}

/** The real thread. It has the environment of this process: a password that is set here is known there. */
export function startEngineThread({ onMessage, onEnd }: ThreadListener): EngineThread {
  Object.assign(process.env, compileCache());
  const thread = new Worker(entryModule('desk/engine-thread'), { env: SHARE_ENV });
  let fault: unknown = new Error('The thread that looks at the export has ended');
  thread.on('message', onMessage);
  thread.once('error', (error) => {
    fault = error;
  });
  thread.once('exit', () => onEnd(fault));
  return { post: (message) => thread.postMessage(message), stop: () => endThread(thread) };
}

/** Time for the thread to end by itself, in ms. */
const patienceMs = 1000;

/** A thread that is terminated while it loads a library of SQLite takes the process with it: it is asked to end between two steps. */
async function endThread(thread: Worker): Promise<void> {
  // It has ended already.
  if (thread.threadId === -1) return;
  const ended = once(thread, 'exit');
  thread.postMessage(endOfThread);
  const timer = setTimeout(() => void thread.terminate(), patienceMs);
  await ended;
  clearTimeout(timer);
}
