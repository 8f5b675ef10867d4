import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../lib/flow/clock.ts';
import { addProcessMetrics } from '../../lib/process-metrics.ts';
import type { Measured } from '../lease/lease-request.ts';

/**
 * A worker's measurements of its leases, and the database's facts about the whole fleet, in the text format of
 * Prometheus. Never throws, never waits.
 */
export interface FleetMetrics {
  readonly contentType: string;
  /** Asks the database; where it does not answer within 2 s, the figures of the whole fleet are left out. */
  render(): Promise<string>;
  leaseBegan(unit: string, lease: { readonly isTakenOver: boolean }): void;
  leaseEnded(unit: string, end: { readonly outcome: LeaseOutcome; readonly ms: number }): void;
  measured(measured: Measured): void;
  database(isUp: boolean): void;
  lost(): void;
}

type LeaseOutcome = (typeof outcomes)[number];

/** The same at every worker. */
export interface FleetCheck {
  readonly units: readonly { readonly tenant: string; readonly state: string; readonly count: number }[];
  /** Requests of the last minute, and the number allowed per minute; 0 if unknown. */
  readonly addresses: readonly { readonly address: string; readonly used: number; readonly quota: number }[];
}

const outcomes = ['done', 'failed', 'lost', 'crashed'] as const;

/** A scrape has 10 s by default. */
const lookMs = 2_000;

/** @param check Asks the database. */
export function createFleetMetrics(clock: Clock, check: () => Promise<FleetCheck>): FleetMetrics {
  const registry = new Registry();
  const meters = metersIn(registry);
  addProcessMetrics(registry, clock);
  for (const outcome of outcomes) meters.leases.inc({ outcome }, 0);
  let isUp = true;
  let looking: Promise<FleetCheck | undefined> | undefined;
  const checkOnce = () => {
    looking ??= check()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    return within(lookMs, clock, looking);
  };
  return {
    contentType: registry.contentType,
    async render() {
      const seen = await checkOnce();
      showFleet(meters, seen);
      meters.databaseUp.set(seen !== undefined && isUp ? 1 : 0);
      return await registry.metrics();
    },
    leaseBegan(_, { isTakenOver }) {
      meters.running.inc();
      if (isTakenOver) meters.takeovers.inc();
    },
    leaseEnded(unit, { outcome, ms }) {
      meters.running.dec();
      meters.leases.inc({ outcome });
      meters.leaseSeconds.observe(ms / 1000);
      meters.uncopied.remove({ unit });
    },
    measured: (measured) => measure(meters, measured),
    database(isUpNow) {
      isUp = isUpNow;
    },
    lost: () => meters.losses.inc(),
  };
}

async function within<T>(ms: number, clock: Clock, work: Promise<T | undefined>): Promise<T | undefined> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).then(
    () => undefined,
    () => undefined,
  );
  return await Promise.race([work, late]).finally(() => over.abort());
}

function showFleet({ units, dead, slotUse }: Meters, seen: FleetCheck | undefined): void {
  for (const gauge of [units, dead, slotUse]) gauge.reset();
  if (!seen) dead.remove();
  else dead.set(seen.units.reduce((all, { state, count }) => all + (state === 'dead' ? count : 0), 0));
  for (const { tenant, state, count } of seen?.units ?? []) units.set({ tenant, state }, count);
  for (const { address, used, quota } of seen?.addresses ?? []) {
    if (quota > 0) slotUse.set({ address }, used / quota);
  }
}

function measure(meters: Meters, measured: Measured): void {
  if (measured.kind === 'leave') meters.leave.observe(measured.ms / 1000);
  if (measured.kind === 'slot') meters.slotWait.observe({ address: measured.address }, measured.ms / 1000);
  if (measured.kind === 'copy') {
    meters.copySeconds.observe(measured.ms / 1000);
    meters.copyBytes.observe(measured.bytes ?? 0);
  }
  if (measured.kind === 'uncopied') meters.uncopied.set({ unit: measured.unit }, measured.count);
  if (measured.kind === 'fenced') meters.fenced.inc();
}

/** From a claim that is lost at once to a lease of ten minutes and more. */
const leaseBuckets = [1, 5, 15, 60, 300, 600, 900, 1_800];
/** An alarm asks whether 99 % took less than a second. */
const permitBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const slotBuckets = [0.01, 0.1, 0.5, 1, 2, 5, 15, 60, 300];
const copyBuckets = [0.1, 0.5, 1, 2.5, 5, 15, 30, 60, 300];
/** 64 KiB to 4 GiB. */
const byteBuckets = [2 ** 16, 2 ** 20, 2 ** 24, 2 ** 26, 2 ** 28, 2 ** 30, 2 ** 32];

type Meters = ReturnType<typeof metersIn>;

function metersIn(registry: Registry) {
  const registers = [registry];
  const named = (name: string, help: string) => ({ name: `chatferry_fleet_${name}`, help, registers });
  const counter = (name: string, help: string) => new Counter(named(name, help));
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ ...named(name, help), labelNames });
  const histogram = (name: string, help: string, buckets: number[]) => new Histogram({ ...named(name, help), buckets });
  return {
    units: gauge('units', 'Units of the fleet, by tenant and state', 'tenant', 'state'),
    dead: gauge('dead', 'Units that were given up'),
    slotUse: gauge('slot_use', 'Requests of the last minute, of those that are allowed in one', 'address'),
    databaseUp: gauge('database_up', '1 while the database answers this worker'),
    losses: counter('database_losses_total', 'How often the database was seen to have lost commits'),
    running: gauge('leases_running', 'Leases that this worker runs'),
    leases: new Counter({
      ...named('leases_total', 'Leases that ended here, by what became of them'),
      labelNames: ['outcome'],
    }),
    leaseSeconds: histogram('lease_seconds', 'How long leases took', leaseBuckets),
    takeovers: counter('takeovers_total', 'Leases that another worker had lost'),
    fenced: counter('fenced_total', 'Requests and leases that were stopped because another worker has the unit'),
    uncopied: gauge('intents_uncopied', 'Requests since the last copy of the store of a unit', 'unit'),
    copySeconds: histogram('copy_seconds', 'How long copies of stores took', copyBuckets),
    copyBytes: histogram('copy_bytes', 'How large copies of stores were', byteBuckets),
    slotWait: new Histogram({
      ...named('slot_wait_seconds', 'How long requests waited for their slot'),
      labelNames: ['address'],
      buckets: slotBuckets,
    }),
    leave: histogram('permit_seconds', 'How long the database took to let a request leave', permitBuckets),
  };
}
