import type { SeenLease } from './observer.ts';
import type { ChaosUnit } from './units.ts';

/** A worker was killed, and had these units. */
export interface Kill {
  readonly atMs: number;
  readonly units: readonly string[];
}

export interface FleetFigures {
  readonly seconds: number;
  readonly kills: number;
  readonly stops: number;
  readonly units: number;
  readonly messages: number;
  readonly requests: number;
  readonly leases: number;
  readonly takeovers: number;
  /** Requests and leases that were stopped because another worker has the unit. */
  readonly fenced: number;
  /** From a kill to the next claim of a unit, and to its first request; in ms. */
  readonly claimMs: Spread;
  readonly requestMs: Spread;
}

interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export function figuresOf({
  kills,
  stops,
  fenced,
  units,
  leases,
}: {
  readonly kills: readonly Kill[];
  readonly stops: number;
  readonly fenced: number;
  readonly units: readonly ChaosUnit[];
  readonly leases: readonly SeenLease[];
}): Omit<FleetFigures, 'seconds'> {
  const requestsOf = requestTimes(units);
  const beganOf = Map.groupBy(leases, ({ unit }) => unit);
  const waits = kills.flatMap(({ atMs, units: held }) =>
    held.flatMap((unit) => {
      const after = (times: readonly number[]) => times.filter((ms) => ms > atMs).sort((a, b) => a - b)[0];
      const claimedMs = after((beganOf.get(unit) ?? []).map(({ beganMs }) => beganMs));
      if (claimedMs === undefined) return [];
      const sentMs = (requestsOf.get(unit) ?? []).find((ms) => ms > claimedMs);
      return [{ claimMs: claimedMs - atMs, requestMs: sentMs === undefined ? undefined : sentMs - atMs }];
    }),
  );
  return {
    kills: kills.length,
    stops,
    units: units.length,
    messages: units.reduce((sum, { expected }) => sum + expected.length, 0),
    requests: [...requestsOf.values()].reduce((sum, times) => sum + times.length, 0),
    leases: leases.length,
    takeovers: leases.filter(({ attempt }) => attempt > 0).length,
    fenced,
    claimMs: spreadOf(waits.map(({ claimMs }) => claimMs)),
    requestMs: spreadOf(waits.flatMap(({ requestMs }) => requestMs ?? [])),
  };
}

/** When imports of a unit arrived, the first one first. */
function requestTimes(units: readonly ChaosUnit[]): ReadonlyMap<string, readonly number[]> {
  const idOf = new Map(units.map(({ id, number }) => [number, id]));
  const destinations = new Set(units.map(({ destination }) => destination));
  const times = new Map<string, number[]>();
  for (const { atMs, lanes } of [...destinations].flatMap((destination) => destination.imports())) {
    const [, number] = /^(?:group_)?u(\d+)-/.exec(lanes[0] ?? '') ?? [];
    const id = idOf.get(Number(number))!;
    const known = times.get(id);
    if (known) known.push(atMs);
    else times.set(id, [atMs]);
  }
  return times;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
