import { setImmediate } from 'node:timers/promises';
import type { Transport } from '../service/transport.ts';
import type { Sandbox } from './app.ts';

/**
 * Carries requests into a sandbox of this process. Each takes a turn of the event loop first, as a socket would: otherwise a
 * long import would keep timers and signals waiting to its end.
 *
 * Closing the transport leaves the sandbox open.
 */
export function createInProcessTransport(sandbox: Sandbox): Transport {
  return {
    async send(request, signal) {
      await setImmediate();
      signal.throwIfAborted();
      return sandbox.handle(request);
    },
    async close() {},
  };
}
