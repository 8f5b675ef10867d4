import { describe, expect, it } from 'vitest';
import { createFleetMetrics, type FleetCheck } from '../../src/fleet/watch/metrics.ts';
import { parseMetrics, sampleOf } from '../sync/prometheus-text.ts';
import { manualClock } from '../delivery/manual-clock.ts';

const check: FleetCheck = {
  units: [
    { tenant: 'acme', state: 'running', count: 3 },
    { tenant: 'acme', state: 'dead', count: 1 },
    { tenant: 'birch', state: 'dead', count: 1 },
  ],
  addresses: [
    { address: 'https://app.example.com', used: 54, quota: 60 },
    { address: 'https://unknown.example.com', used: 54, quota: 0 },
  ],
};

const address = 'https://app.example.com';

describe('createFleetMetrics()', () => {
  it('writes metrics that a Prometheus parser reads, every family with help and type', async () => {
    const metrics = createFleetMetrics(manualClock(), async () => check);
    const families = parseMetrics(await metrics.render());
    expect(metrics.contentType).toContain('text/plain; version=0.0.4');
    expect(families.filter(({ help, type }) => help === '' || type === 'UNTYPED')).toEqual([]);
    const counters = families.filter(({ type }) => type === 'COUNTER').map(({ name }) => name);
    expect(counters.filter((name) => !name.endsWith('_total'))).toEqual([]);
  });

  it('shows the whole fleet as the database has it', async () => {
    const text = await createFleetMetrics(manualClock(), async () => check).render();
    expect(sampleOf(text, 'chatferry_fleet_units', { tenant: 'acme', state: 'running' })).toBe(3);
    expect(sampleOf(text, 'chatferry_fleet_dead')).toBe(2);
    expect(sampleOf(text, 'chatferry_fleet_slot_use', { address })).toBe(0.9);
    expect(text).not.toContain('unknown.example.com');
    expect(sampleOf(text, 'chatferry_fleet_database_up')).toBe(1);
  });

  it('forgets units and states that are gone', async () => {
    let current = check;
    const metrics = createFleetMetrics(manualClock(), async () => current);
    await metrics.render();
    current = { units: [{ tenant: 'acme', state: 'done', count: 4 }], addresses: [] };
    const text = await metrics.render();
    expect(text).not.toContain('birch');
    expect(sampleOf(text, 'chatferry_fleet_units', { tenant: 'acme', state: 'running' })).toBeUndefined();
    expect(sampleOf(text, 'chatferry_fleet_dead')).toBe(0);
  });

  it('leaves the whole fleet out while the database does not answer, and says so', async () => {
    let answer: () => Promise<FleetCheck> = async () => check;
    const clock = manualClock();
    const metrics = createFleetMetrics(clock, () => answer());
    await metrics.render();
    answer = () => Promise.reject(new Error('connection refused'));
    const refused = await metrics.render();
    expect(sampleOf(refused, 'chatferry_fleet_database_up')).toBe(0);
    expect(refused).not.toMatch(/^chatferry_fleet_(?:units|dead|slot_use)\b/m);
    answer = () => new Promise(() => {});
    const silent = metrics.render();
    await clock.advance(2_000);
    expect(sampleOf(await silent, 'chatferry_fleet_database_up')).toBe(0);
  });

  it('counts leases by what became of them, from 0', async () => {
    const metrics = createFleetMetrics(manualClock(), async () => check);
    const leases = async (outcome: string) =>
      sampleOf(await metrics.render(), 'chatferry_fleet_leases_total', { outcome });
    expect(await leases('failed')).toBe(0);
    metrics.leaseBegan('acme/slack', { isTakenOver: true });
    metrics.leaseBegan('birch/slack', { isTakenOver: false });
    metrics.leaseEnded('acme/slack', { outcome: 'failed', ms: 4_000 });
    const text = await metrics.render();
    expect(await leases('failed')).toBe(1);
    expect(sampleOf(text, 'chatferry_fleet_leases_running')).toBe(1);
    expect(sampleOf(text, 'chatferry_fleet_takeovers_total')).toBe(1);
    expect(text).toContain('chatferry_fleet_lease_seconds_sum 4\n');
  });

  it('shows what leases measure', async () => {
    const metrics = createFleetMetrics(manualClock(), async () => check);
    metrics.leaseBegan('acme/slack', { isTakenOver: false });
    metrics.measured({ kind: 'leave', ms: 6, address });
    metrics.measured({ kind: 'slot', ms: 1_500, address });
    metrics.measured({ kind: 'copy', ms: 900, bytes: 40_000_000, address });
    metrics.measured({ kind: 'uncopied', count: 412, unit: 'acme/slack' });
    metrics.measured({ kind: 'fenced', unit: 'acme/slack' });
    const text = await metrics.render();
    expect(text).toContain('chatferry_fleet_permit_seconds_sum 0.006\n');
    expect(text).toContain(`chatferry_fleet_slot_wait_seconds_sum{address="${address}"} 1.5\n`);
    expect(text).toContain('chatferry_fleet_copy_seconds_sum 0.9\n');
    expect(text).toContain('chatferry_fleet_copy_bytes_sum 40000000\n');
    expect(sampleOf(text, 'chatferry_fleet_intents_uncopied', { unit: 'acme/slack' })).toBe(412);
    expect(sampleOf(text, 'chatferry_fleet_fenced_total')).toBe(1);
    metrics.leaseEnded('acme/slack', { outcome: 'done', ms: 1 });
    expect(await metrics.render()).not.toContain('unit="acme/slack"');
  });

  it('counts how often the database lost commits', async () => {
    const metrics = createFleetMetrics(manualClock(), async () => check);
    metrics.lost();
    metrics.database(false);
    const text = await metrics.render();
    expect(sampleOf(text, 'chatferry_fleet_database_losses_total')).toBe(1);
    expect(sampleOf(text, 'chatferry_fleet_database_up')).toBe(0);
  });
});
