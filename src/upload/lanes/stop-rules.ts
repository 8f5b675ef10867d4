import { DestinationError } from '../../lib/errors.ts';

/** How many of the latest answered messages are looked at. */
const windowSize = 200;

/**
 * Stops a run in which one refusal code has taken over: a wrong setting shows in the first messages, not after all of them.
 *
 * @param shareMax More than this part of the last 200 answered messages refused with one code stops; 1 never does.
 */
export class RefusalWatch {
  readonly #shareMax: number;
  /** Codes of the last answered messages; undefined for good ones. A ring. */
  readonly #codes: (string | undefined)[] = [];
  #next = 0;

  constructor(shareMax: number) {
    this.#shareMax = shareMax;
  }

  /** @throws DestinationError */
  note(code: string | undefined, detail: string): void {
    this.#codes[this.#next] = code;
    this.#next = (this.#next + 1) % windowSize;
    if (code === undefined || this.#shareMax >= 1 || this.#codes.length < windowSize) return;
    const share = this.#codes.filter((other) => other === code).length / windowSize;
    if (share <= this.#shareMax) return;
    throw new DestinationError(
      `Stopped: the destination refused ${Math.round(share * 100)} % of the last ${windowSize} messages with ${code}: ${detail}`,
      {
        code,
        hint: 'Look at the report, fix the cause, and run the same command again; --max-refused 100% never stops',
      },
    );
  }
}
