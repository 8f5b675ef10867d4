import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Transport } from '../../service/transport.ts';
import type { Sandbox } from './app.ts';
import type { FaultySandbox } from '../faults/faults.ts';
import { deliver } from '../faults/delivery.ts';
import { receive } from '../faults/in-process.ts';

/**
 * Carries requests into a sandbox of this process. Each takes a turn of the event loop first, as a socket would: otherwise a
 * long import would keep timers and signals waiting to its end.
 *
 * Of a faulty sandbox it sees what the HTTP transport would see. Closing the transport leaves the sandbox open.
 */
export function createInProcessTransport(sandbox: Sandbox | FaultySandbox, clock: Clock = systemClock): Transport {
  return {
    async send(request, signal) {
      await setImmediate();
      signal.throwIfAborted();
      return receive(deliver(sandbox, request), clock, signal);
    },
    async close() {},
  };
}
