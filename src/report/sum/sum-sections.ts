import type { ActionsData, DriftData, MediaData, ReportData } from '../report-data.ts';
import { addCount, given, mergeBy, mostFirst, sumByKind, sumCounts, sumOf, sumOrNull } from './sum-lists.ts';

type Forecast = ReportData['forecast'];

/** All parts share the rate of one destination: one is sent after the other, as far as time goes. */
export function sumForecasts(forecasts: readonly Forecast[]): Forecast {
  const [first] = forecasts as readonly [Forecast, ...Forecast[]];
  const sum = (of: (forecast: Forecast) => number) => sumOf(forecasts.map(of));
  const minutes = sumOrNull(forecasts.map((forecast) => forecast.minutes));
  const startAtMs = Math.min(...forecasts.map((forecast) => forecast.startAtMs));
  const free = given(forecasts.map(({ freeBytes }) => freeBytes));
  return {
    requests: sum(({ requests }) => requests),
    reads: sum(({ reads }) => reads),
    bytes: sum(({ bytes }) => bytes),
    ratePerMinute: first.ratePerMinute,
    minutes,
    startAtMs,
    endAtMs: minutes === null ? null : startAtMs + Math.round(minutes * 60_000),
    faster: mergeBy(
      forecasts.map(({ faster }) => faster),
      ({ ratePerMinute }) => String(ratePerMinute),
      (one, other) => ({ ...one, minutes: one.minutes + other.minutes }),
    ),
    storeBytes: sum(({ storeBytes }) => storeBytes),
    storeBytesAfter: sum(({ storeBytesAfter }) => storeBytesAfter),
    freeBytes: free.length === 0 ? null : Math.min(...free),
  };
}

const changesMax = 3;

export const sumDrift = (all: readonly DriftData[]): DriftData => ({
  kinds: sumCounts(all.map(({ kinds }) => kinds)),
  noticed: sumCounts(all.map(({ noticed }) => noticed)),
  changes: mostFirst(
    mergeBy(
      all.map(({ changes }) => changes),
      ({ kind, policy }) => `${kind} ${policy}`,
      (sum, change) => ({
        ...addCount(sum, change),
        examples: [...sum.examples, ...change.examples].slice(0, changesMax),
      }),
    ),
  ),
});

export const sumActions = (all: readonly ActionsData[]): ActionsData => ({
  kinds: sumByKind(all.map(({ kinds }) => kinds)),
  refused: mostFirst(
    mergeBy(
      all.map(({ refused }) => refused),
      ({ kind, code }) => `${kind} ${code}`,
      addCount,
    ),
  ),
  forecast: {
    requests: sumOf(all.map(({ forecast }) => forecast.requests)),
    minutes: sumOrNull(all.map(({ forecast }) => forecast.minutes)),
  },
});

const hostsMax = 20;
const faultsMax = 100;

/** A file that several parts have is copied once, and counted by each. */
export function sumMedia(all: readonly MediaData[]): MediaData {
  const [first] = all as readonly [MediaData, ...MediaData[]];
  const lefts = all.map(({ left }) => left);
  const hosts = mergeBy(
    all.map((media) => media.hosts),
    ({ host }) => host ?? '',
    (sum, { host: _, ...counts }) => ({ ...sum, ...sumCounts([countsOf(sum), counts]) }),
  );
  const firstAtMs = given(lefts.map(({ expiring }) => expiring.firstAtMs));
  return {
    ...sumCounts(all.map(countsOf)),
    location: first.location,
    left: {
      ...sumCounts(lefts.map(({ files, bytes, unsized }) => ({ files, bytes, unsized }))),
      bandwidth: first.left.bandwidth,
      ms: sumOrNull(lefts.map(({ ms }) => ms)),
      expiring: {
        ...sumCounts(lefts.map(({ expiring: { expired, day, week, later } }) => ({ expired, day, week, later }))),
        firstAtMs: firstAtMs.length === 0 ? null : Math.min(...firstAtMs),
      },
    },
    hosts: hosts.toSorted((a, b) => b.files - a.files).slice(0, hostsMax),
    hostCount: Math.max(hosts.length, ...all.map(({ hostCount }) => hostCount)),
    faults: all.flatMap(({ faults }) => faults).slice(0, faultsMax),
    settled: [...new Set(all.flatMap(({ settled }) => settled))],
  };
}

type CountsOf<Fields> = { readonly [Name in keyof Fields as Fields[Name] extends number ? Name : never]: number };

/** The fields that are numbers. */
const countsOf = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'number')) as CountsOf<Fields>;

/** Nothing where a part was not verified: then the whole was not. */
export function sumVerified(all: readonly ReportData['verify'][]): ReportData['verify'] {
  const results = given(all);
  if (results.length < all.length) return null;
  const [{ only, sample }] = results as [NonNullable<ReportData['verify']>];
  const actions = given(results.map((result) => result.actions));
  return {
    ...sumCounts(results.map(countsOf)),
    ...(actions.length > 0 && { actions: sumByKind(actions) }),
    ...(only !== undefined && { only }),
    ...(sample !== undefined && { sample }),
  };
}
