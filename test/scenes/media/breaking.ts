/** Fault of a request: an error, a requested pause, a body that is cut, is announced too long, or comes slowly. */
type Way = 'error' | 'busy' | 'cut' | 'long' | 'slow';

const ways: readonly Way[] = ['error', 'busy', 'cut', 'long', 'slow'];

/** In a row, of the same request: tries are counted, and what is proved must not depend on luck. */
const inRowMax = 2;

/** Chooses one request in ten, by its random numbers, and result. */
export class Breaking {
  asked = 0;
  broken = 0;
  /** Called for every request. */
  onAsked: () => void = () => {};
  readonly #random: () => number;
  readonly #inRow = new Map<string, number>();

  constructor(random: () => number) {
    this.#random = random;
  }

  next(asked: string): Way | undefined {
    this.asked++;
    this.onAsked();
    const inRow = this.#inRow.get(asked) ?? 0;
    const isBroken = this.#random() < 0.1 && inRow < inRowMax;
    this.#inRow.set(asked, isBroken ? inRow + 1 : 0);
    if (!isBroken) return undefined;
    this.broken++;
    return ways[Math.floor(this.#random() * ways.length)]!;
  }
}
