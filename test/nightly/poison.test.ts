import { describe, expect, it } from 'vitest';
import { type Poison, importWithPoison } from '../scenes/import-with-poison.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import { plannedStore } from '../delivery/altering-service.ts';
import { furtherMax, harms, sendTo } from '../delivery/service-with-poison.ts';

const home = temporaryFolder();

describe('a message that no request can deliver', () => {
  it.each(harms)('costs some further requests at most, at every place of its batch: the service %s', async (harm) => {
    const { store, muids } = await plannedStore([600]);
    let most = 0;
    for (const [place, poison] of muids.slice(0, 50).entries()) {
      const [{ imports, report, stopped }] = await sendTo(store, (muid) => (muid === poison ? harm : undefined));
      expect(stopped, `place ${place}`).toBeUndefined();
      expect(report.totals, `place ${place}`).toMatchObject({ failed: 1, imported: 599, pending: 0, unconfirmed: 0 });
      most = Math.max(most, imports - 12);
    }
    console.log(`The service ${harm}: ${most} further requests at most`);
    expect(most).toBeLessThanOrEqual(furtherMax[harm]);
  });

  it('fails, 1 % of 10,000 times, and everything else arrives', async () => {
    const random = seededRandom(5);
    const sizes = [...Array.from({ length: 9 }, () => 1000), ...Array.from({ length: 100 }, () => 10)];
    const { store, muids } = await plannedStore(sizes);
    const isPoison = () => random() < 0.01;
    const harmful = new Map(muids.filter(isPoison).map((muid) => [muid, harms[Math.floor(random() * 3)]!]));
    const options = { concurrency: 8 };
    const [first, { imports, report, stopped }] = await sendTo(store, (muid) => harmful.get(muid), { options });
    console.log(`${harmful.size} of ${muids.length} messages cost ${imports - 200} further requests`);
    expect(stopped).toBeUndefined();
    expect(muids).toHaveLength(10_000);
    expect(harmful.size).toBeGreaterThan(80);
    const others = 10_000 - harmful.size;
    expect(first.report.totals).toMatchObject({ imported: others, unconfirmed: 0 });
    expect(report.totals).toMatchObject({ failed: harmful.size, imported: others, pending: 0, unconfirmed: 0 });
    expect(imports).toBeLessThanOrEqual(200 + furtherMax['hangs up'] * harmful.size);
  });
});

describe('an import of 2,934 messages, 27 % of which no request can deliver', () => {
  const poisons = ([400, 500] as const).flatMap((status) =>
    (['stored', 'not stored'] as const).map((others): Poison => ({ status, others, share: 0.27 })),
  );

  it.each(poisons)(
    'ends in one run if the service names them, otherwise once the user decides: status $status, the others are $others',
    async (poison) => {
      const { json, code, first, ...found } = await importWithPoison(
        home.make(),
        { messages: 2934, conversations: 40 },
        poison,
      );
      const { poisoned } = found;
      const { import: imports, list } = json.requests;
      console.log(`${JSON.stringify(poison)}: ${poisoned} refused, ${imports} imports and ${list} reads`);
      expect(found).toEqual({ poisoned, lost: poisoned, duplicated: 0, outOfOrder: 0, late: 0, blamedWrongly: 0 });
      expect(first).toMatchObject({ imported: 2934 - poisoned, unconfirmed: 0 });
      expect(json).toMatchObject({ imported: 2934 - poisoned, failed: poisoned, pending: 0, unconfirmed: 0 });
      expect(code).toBe(3);
    },
  );
});

describe('200,000 messages, 2 % of which the service does not store', () => {
  it('cost at most 1.3 times the requests that they need, and the bad ones fail', async () => {
    const { store, muids } = await plannedStore(Array.from({ length: 400 }, () => 500));
    const random = seededRandom(7);
    const bad = new Set(muids.filter(() => random() < 0.02));
    const harmOf = (muid: string) => (bad.has(muid) ? ('breaks after the others' as const) : undefined);
    const [{ imports, report, stopped }] = await sendTo(store, harmOf, { profile: { duplicates: 'refused' } });
    console.log(
      `${muids.length} messages, ${bad.size} of them bad: ${imports} requests, ${muids.length / 50} at least`,
    );
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ imported: muids.length - bad.size, failed: bad.size, pending: 0 });
    expect(imports).toBeLessThan((1.3 * muids.length) / 50);
  });
});
