import { compare } from '../../../src/selftest/steps/compare.ts';
import { type Destination, mostInAMinute } from './destinations.ts';
import type { Observer } from './observer.ts';
import type { ChaosUnit } from './units.ts';

/** Counts that are all zero if the guarantee held. */
export interface FleetCounts {
  readonly lost: number;
  readonly duplicated: number;
  readonly unexpected: number;
  readonly outOfOrder: number;
  /** Imports of a conversation while another one was there that had no answer yet. */
  readonly overlapping: number;
  /** Imports beyond the quota, in the fullest minute of any address. */
  readonly overQuota: number;
  readonly notDone: number;
  /** Messages that the units' totals do not count as arrived. */
  readonly unbooked: number;
}

export interface JudgeOptions {
  readonly units: readonly ChaosUnit[];
  readonly destinations: readonly Destination[];
  readonly observer: Observer;
  readonly perMinute: number;
}

/** Counts the messages at the destinations, and compares them with the submitted ones and with the fleet's own totals. */
export function judge(options: JudgeOptions): { readonly counts: FleetCounts; readonly problems: readonly string[] } {
  const { units, destinations, observer, perMinute } = options;
  const found = destinations.map((destination) => judgeDestination(destination, options));
  const sum = (of: (one: (typeof found)[number]) => number) => found.reduce((total, one) => total + of(one), 0);
  const unitOf = new Map(observer.units.map((unit) => [unit.id, unit]));
  const booked = (id: string) => {
    const totals = unitOf.get(id)?.totals;
    return totals ? totals.imported + totals.existing : 0;
  };
  const wrong = units.filter(({ id, expected }) => booked(id) !== expected.length);
  const counts: FleetCounts = {
    lost: sum(({ lost }) => lost),
    duplicated: sum(({ duplicated }) => duplicated),
    unexpected: sum(({ unexpected }) => unexpected),
    outOfOrder: sum(({ outOfOrder }) => outOfOrder),
    overlapping: sum(({ overlapping }) => overlapping.length),
    overQuota: sum(({ most }) => Math.max(0, most - perMinute)),
    notDone: units.filter(({ id }) => unitOf.get(id)?.state !== 'done').length,
    unbooked: wrong.reduce((total, { id, expected }) => total + Math.abs(expected.length - booked(id)), 0),
  };
  const problems = [
    ...found.flatMap(({ examples }) => examples),
    ...found.flatMap(({ overlapping }) =>
      overlapping.slice(0, 3).map((one) => `in flight together: ${JSON.stringify(one)}`),
    ),
    ...found.flatMap(({ most }) =>
      most > perMinute ? [`${most} imports in one minute, ${perMinute} are allowed`] : [],
    ),
    ...wrong
      .slice(0, 3)
      .map(({ id, expected }) => `the store of ${id} says ${booked(id)}, and ${expected.length} messages were made`),
    ...units
      .filter(({ id }) => unitOf.get(id)?.state !== 'done')
      .slice(0, 3)
      .map(({ id }) => `${id} is ${unitOf.get(id)?.state ?? 'not there'}`),
  ];
  return { counts, problems };
}

function judgeDestination(destination: Destination, { units }: JudgeOptions) {
  const expected = units.filter((unit) => unit.destination === destination).flatMap((unit) => unit.expected);
  const imports = destination.imports();
  return {
    // Nothing is ever late: what would be is an error here.
    ...compare(expected, destination.arrived(), new Set()),
    overlapping: imports.filter(({ overlapping }) => overlapping.length > 0),
    most: mostInAMinute(imports),
  };
}
