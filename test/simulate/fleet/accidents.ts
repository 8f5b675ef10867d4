import type { Dice } from '../dice.ts';

/** `silent`: the worker stops, and the process of its lease goes on. */
const kinds = [
  ...['killed', 'killed', 'stopped', 'silent', 'silent', 'cut-off', 'database-down'],
  ...['failover', 'copy-lost', 'copy-damaged'],
] as const;

/** An accident of a fleet, with its time. */
export interface Accident {
  readonly kind: (typeof kinds)[number];
  /** After the beginning. */
  readonly atMs: number;
  readonly worker: number;
  readonly unit: number;
  /** How long it lasts; of a failover, how much of what was committed is lost. */
  readonly forMs: number;
}

/** Most come while there is something to do. */
export function accidentsOf(dice: Dice, workers: number): Accident[] {
  const spanMs = dice.magnitude(30_000, 400_000);
  return Array.from({ length: dice.between(1, 10) }, () => {
    const kind = dice.pick(kinds);
    return {
      kind,
      atMs: dice.between(0, spanMs),
      worker: dice.between(0, workers - 1),
      unit: dice.between(0, 1),
      forMs: kind === 'failover' ? dice.magnitude(100, 60_000) : dice.magnitude(5000, 150_000),
    };
  });
}
