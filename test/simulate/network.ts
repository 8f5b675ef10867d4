import type { Clock } from '../../src/lib/flow/clock.ts';
import type { FaultySandbox } from '../../src/sandbox/faults.ts';
import { receive } from '../../src/sandbox/in-process.ts';
import {
  assertMayStart,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from '../../src/service/transport.ts';
import type { Dice } from './dice.ts';
import type { Life } from './life.ts';

export interface NetworkOptions {
  readonly sandbox: FaultySandbox;
  readonly world: Clock;
  readonly dice: Dice;
  /** The longest that a way to the service or back can take; most are quick, so that a slow one is overtaken. */
  readonly latencyMaxMs: number;
  /** The client takes no longer listing. Default: any. */
  readonly answerBytesMax?: number;
  /** Called for each request that arrives. */
  readonly onRequest: (request: TransportRequest, what: string) => void;
  /** Called for each request that is sent. Its result is called when the request has arrived, or never will. */
  readonly onLeft?: ((request: TransportRequest) => () => void) | undefined;
}

/** The network between a client and the sandbox: requests in flight arrive, even if the client has died by then. */
export class Network {
  readonly #options: NetworkOptions;
  #isDown = false;
  #isHalted = false;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** Restarts the service: during the restart, connections are refused, and answers in progress are cut. It loses nothing. */
  async restart(ms: number): Promise<void> {
    this.#isDown = true;
    await this.#options.world.sleep(ms);
    this.#isDown = false;
  }

  /** No request arrives any more, and none is answered. */
  halt(): void {
    this.#isHalted = true;
  }

  /** How a client of this life sends. */
  transport(life: Life): Transport {
    return {
      send: (request, signal) => {
        life.moment();
        if (life.isOver) return new Promise(() => {});
        if (signal.aborted) return Promise.reject(signal.reason);
        if (request.mayStart) return this.#connected(request, signal, life);
        const answer = this.#exchange(request);
        life.moment();
        return life.through(orAborted(answer, signal));
      },
      async close() {},
    };
  }

  /** Sends a request that has a time limit: connects, which takes a while, and then checks the limit. */
  async #connected(request: TransportRequest, signal: AbortSignal, life: Life): Promise<TransportAnswer> {
    const { world, dice } = this.#options;
    await life.through(world.sleep(dice.chance(0.05) ? dice.between(1, 3000) : dice.next()));
    if (signal.aborted) throw signal.reason;
    assertMayStart(request.mayStart);
    return await life.through(orAborted(this.#exchange(request), signal));
  }

  async #exchange(request: TransportRequest): Promise<TransportAnswer> {
    const { sandbox, world, answerBytesMax = Infinity, onRequest, onLeft } = this.#options;
    const arrived = onLeft?.(request);
    await this.#travel();
    arrived?.();
    if (this.#isHalted) return new Promise(() => {});
    if (this.#isDown) {
      onRequest(request, 'refused');
      throw fault('ECONNREFUSED', 'connect');
    }
    const delivery = sandbox.deliver(request);
    onRequest(
      request,
      delivery.kind === 'answered' ? `${delivery.answer.status} ${delivery.transfer.way}` : delivery.how,
    );
    const answer = await receive(delivery, world, never);
    if (this.#isDown) throw fault('ECONNRESET', 'read');
    if (request.method === 'GET' && answer.body.length > answerBytesMax)
      throw fault('UND_ERR_RES_EXCEEDED_MAX_SIZE', 'read');
    await this.#travel();
    return answer;
  }

  #travel(): Promise<void> {
    const { world, dice, latencyMaxMs } = this.#options;
    return world.sleep(dice.next() * (dice.chance(slowShare) ? latencyMaxMs : Math.min(latencyMaxMs, usualMs)));
  }
}

const slowShare = 0.2;
const usualMs = 20;

const never = new AbortController().signal;

const fault = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** As a client sees it that hangs up: at once, whatever becomes of the request. */
function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
