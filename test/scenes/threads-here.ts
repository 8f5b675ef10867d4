import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { ReadingEnd, ReadingThreads } from '../../src/plan/reading/reading-worker.ts';
import { serveReading } from '../../src/plan/reading/serve-reading.ts';

/**
 * Threads that read, as a plan uses them however little there is to read: the code of theirs runs in this one, and everything
 * crosses as between threads. They read one file at a time in turn.
 */
export const threadsHere = (count: number): ReadingThreads => ({
  count,
  bytesMin: 0,
  filesPerTurn: 1,
  start: () => new EndHere(),
});

class EndHere extends EventEmitter implements ReadingEnd {
  readonly #port: MessageChannel['port1'];

  constructor() {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.emit('message', message));
    void serveReading(port2);
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  async terminate(): Promise<number> {
    this.#port.close();
    this.emit('exit', 0);
    return 0;
  }
}
