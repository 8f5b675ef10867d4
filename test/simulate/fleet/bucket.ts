import type { Clock } from '../../../src/lib/flow/clock.ts';
import type { Dice } from '../dice.ts';
import type { CopyRow } from './model.ts';
import type { StoppableLife } from './process.ts';

/** A copy of a unit's store. */
export interface StoredCopy {
  readonly unit: string;
  readonly number: number;
  readonly image: Buffer;
  /** Uptime of the machine that made it, at that time. */
  readonly uptimeMs: number;
}

interface Stored extends Omit<StoredCopy, 'image'> {
  /** Undefined if it is damaged. */
  image: Buffer | undefined;
}

/** Where copies of stores lie. */
export class Bucket {
  readonly #world: Clock;
  readonly #dice: Dice;
  readonly #copies = new Map<string, Stored>();

  constructor(world: Clock, dice: Dice) {
    this.#world = world;
    this.#dice = dice;
  }

  /** Stores a copy. It may exist even if the caller never learns of it. */
  put(life: StoppableLife, copy: StoredCopy): Promise<string> {
    life.moment();
    if (life.isOver) return new Promise(() => {});
    const key = `${copy.unit}/${copy.number}-${this.#dice.next()}`;
    const stored = this.#world.sleep(this.#dice.between(10, 2000)).then(async () => {
      this.#copies.set(key, { ...copy });
      await this.#world.sleep(this.#dice.between(1, 1000));
      return key;
    });
    return life.through(stored);
  }

  remove(key: string): void {
    this.#copies.delete(key);
  }

  /** Returns the newest intact copy of those known; of all stored copies if the known ones are not given. */
  async newest(
    life: StoppableLife,
    unit: string,
    known: readonly CopyRow[] | undefined,
  ): Promise<(Pick<StoredCopy, 'image' | 'uptimeMs'> & { readonly key: string }) | undefined> {
    await life.through(this.#world.sleep(this.#dice.between(10, 2000)));
    const keys = known?.map(({ key }) => key) ?? this.#keysOf(unit);
    for (const key of keys) {
      const { image, uptimeMs = 0 } = this.#copies.get(key) ?? {};
      if (image) return { key, image, uptimeMs };
    }
    if (keys.length > 0) throw new Error(`no copy of ${unit} can be used`);
    return undefined;
  }

  greatest(unit: string): number {
    return Math.max(0, ...this.#keysOf(unit).map((key) => this.#copies.get(key)!.number));
  }

  /** The newest of these is gone, or its bytes are others; not the only one. */
  break(known: readonly CopyRow[], how: 'lost' | 'damaged'): void {
    const [key, ...others] = known.map((copy) => copy.key).filter((one) => this.#copies.get(one)?.image);
    if (key === undefined || others.length === 0) return;
    if (how === 'lost') this.#copies.delete(key);
    else this.#copies.get(key)!.image = undefined;
  }

  /** The newest first. */
  #keysOf(unit: string): string[] {
    const ours = [...this.#copies].filter(([, stored]) => stored.unit === unit);
    return ours.sort(([, a], [, b]) => b.number - a.number).map(([key]) => key);
  }
}
