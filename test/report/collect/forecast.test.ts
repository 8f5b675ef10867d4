import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/lib/sqlite.ts';
import { type ForecastInput, buildForecast } from '../../../src/report/collect/forecast.ts';
import { importExport } from '../../../src/commands/move.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { profiles } from '../../../src/service/profiles.ts';
import { makeExport } from '../../scenes/make-export.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

const nowMs = Date.parse('2026-11-21T22:00:00Z');
const input: ForecastInput = {
  pending: 1_000_000,
  payloadBytes: 150_000_000,
  conversations: 1200,
  profile: profiles.hosted,
  nowMs,
  storeBytes: 600_000_000,
  freeBytes: 5_000_000_000,
};

describe('buildForecast()', () => {
  it('says how long a million messages take at 60 requests a minute, and at more', () => {
    const forecast = buildForecast(input);
    expect(forecast.requests).toBe(20_000);
    expect(forecast.minutes).toBeCloseTo(333.3, 1);
    expect(new Date(forecast.endAtMs!).toISOString()).toBe('2026-11-22T03:33:20.000Z');
    expect(forecast.faster.map(({ ratePerMinute, minutes }) => [ratePerMinute, Math.round(minutes)])).toEqual([
      [120, 167],
      [300, 67],
      [600, 33],
    ]);
  });

  it('counts by bytes where messages are large', () => {
    expect(buildForecast({ ...input, pending: 100, payloadBytes: 1_000_000 }).requests).toBe(2);
    expect(buildForecast({ ...input, pending: 100, payloadBytes: 2_000_000 }).requests).toBe(4);
  });

  it('counts requests for people, groups and members in the same rate, each kind by itself', () => {
    const arrivals = [100_000, 51, 1].map((count) => ({ count, bytes: 150 * count }));
    const forecast = buildForecast({ ...input, arrivals });
    expect(forecast.requests).toBe(20_000 + 2_000 + 2 + 1);
    expect(forecast.minutes).toBeCloseTo(22_003 / 60, 1);
    const alone = buildForecast({ ...input, pending: 0, payloadBytes: 0, conversations: 0, arrivals });
    expect(alone).toMatchObject({ requests: 2_003, reads: 0, faster: [{ ratePerMinute: 120 }, {}, {}] });
    // Each group whose members come is read back once.
    expect(buildForecast({ ...input, arrivals, groups: 40 }).reads).toBe(forecast.reads + 40);
  });

  it('estimates times only for usual rates if the rate is unknown, and needs no requests if nothing is pending', () => {
    expect(buildForecast({ ...input, profile: profiles.spec })).toMatchObject({
      minutes: null,
      endAtMs: null,
      faster: [
        { ratePerMinute: 60, minutes: buildForecast(input).requests / 60 },
        { ratePerMinute: 120 },
        { ratePerMinute: 300 },
      ],
    });
    expect(buildForecast({ ...input, pending: 0, payloadBytes: 0 })).toMatchObject({
      requests: 0,
      reads: 0,
      minutes: 0,
    });
  });

  it('is never faster with more to send', () => {
    const more = buildForecast({ ...input, pending: 1_000_001 });
    expect(more.minutes!).toBeGreaterThanOrEqual(buildForecast(input).minutes!);
    expect(more.storeBytesAfter).toBeGreaterThan(buildForecast(input).storeBytesAfter);
  });
});

describe('a forecast', () => {
  it('comes true: requests exactly, bytes and the size of the store within a twentieth', async () => {
    const folder = home.make();
    makeExport(join(folder, 'export'), { seed: 7, messages: 4000 });
    const request = await sessionRequest(folder);
    const { forecast } = (await planExport(request)).report;
    const { report } = await importExport(request);
    expect(report.requests.import).toBe(forecast.requests);
    const db = openDatabase(request.store, { readonly: true });
    const sentBytes = db.prepare('SELECT sum(bytes) FROM batch').pluck().get() as number;
    const storeBytes = db
      .prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
      .pluck()
      .get();
    db.close();
    expect(Math.abs(forecast.bytes / sentBytes - 1)).toBeLessThan(0.05);
    expect(Math.abs(forecast.storeBytesAfter / (storeBytes as number) - 1)).toBeLessThan(0.05);
  });
});
