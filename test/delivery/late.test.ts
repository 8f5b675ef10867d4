import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outOfOrderPolicies } from '../../src/model/change.ts';
import { retryRefused } from '../../src/commands/repair.ts';
import { driftScene, first, removeFromSandbox } from '../scenes/drift-scene.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { noonMs, says } from '../scenes/write-records.ts';

const home = temporaryFolderInMemory();

/** Between the second and the third message of the scene. */
const early = says(2.5, 'general', 'ann', 'two and a half', { sentAtMs: noonMs + 2_500, sortKey: '000002.5' });
const next = says(7, 'general', 'bob', 'seven');
const grown = [...first.slice(0, 2), early, ...first.slice(2), next];
const count = first.length;

async function sent() {
  const scene = driftScene(home.make());
  scene.write();
  await scene.import();
  scene.write(grown);
  return scene;
}

const whenSent = [...first.map(({ text }) => text), 'two and a half', 'seven'];

describe('a new message that is older than existing ones', () => {
  it.each([
    ['warn', { imported: count + 2, late: 1, failed: 0 }, whenSent, 0],
    ['allow', { imported: count + 2, late: 0, failed: 0 }, whenSent, 0],
    ['reject', { imported: count + 1, late: 0, failed: 1 }, whenSent.filter((text) => text !== early.text), 3],
  ] as const)('--out-of-order %s', async (late, totals, texts, exit) => {
    const scene = await sent();
    for (const time of ['at once', 'and again']) {
      const outcome = await scene.import({ outOfOrder: late });
      expect([time, outcome.exit]).toEqual([time, exit]);
      expect(outcome.report.totals).toMatchObject({ read: count + 2, planned: count + 2, pending: 0, ...totals });
      expect(scene.texts()).toEqual(texts);
    }
    const { report, exit: verified } = await scene.verify();
    const there = totals.imported;
    expect(report.verify).toEqual({ same: there, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 });
    expect(verified).toBe(0);
  });

  it.each(outOfOrderPolicies)('is none at a destination where nothing is yet: --out-of-order %s', async (late) => {
    const scene = driftScene(home.make());
    scene.write(grown);
    const { report, exit } = await scene.import({ outOfOrder: late });
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ imported: count + 2, late: 0, failed: 0 });
  });

  it('is explained if it fails, and is sent when it is retried', async () => {
    const scene = await sent();
    const { report } = await scene.import({ outOfOrder: 'reject' });
    expect(report.failed).toMatchObject([
      {
        code: 'too-late',
        count: 1,
        title: expect.stringContaining('older than those at the destination'),
        remedy: expect.stringContaining('chatferry retry --code too-late'),
        examples: [{ location: expect.stringMatching(/^export\.ndjson:\d+$/) }],
      },
    ]);
    const request = { ...(await scene.request({ outOfOrder: 'reject' })), ids: [], code: 'too-late' };
    const retried = await retryRefused({ ...request, confirm: async () => true });
    expect(retried.report.totals).toMatchObject({ imported: count + 2, failed: 0, late: 1 });
    expect(scene.texts()).toContain(early.text);
  });

  it('fails before anything is sent; messages left pending by an interrupted run are not late', async () => {
    const scene = driftScene(home.make());
    scene.write();
    await scene.import();
    scene.write([...first, next]);
    await scene.plan();
    // A request for it was sent and certainly changed nothing, and by now a younger message was found there.
    scene.change(`INSERT INTO delivery (destination, message, state, batch)
      SELECT 1, seq, 'pending', 1 FROM message WHERE payload LIKE '%"seven"%'`);
    scene.write([...first, next, says(8, 'general', 'ann', 'eight')]);
    expect((await scene.import({ outOfOrder: 'reject' })).report.totals).toMatchObject({
      imported: count + 2,
      failed: 0,
    });
  });

  it.each([
    ['reject', { failed: 1, late: 0, imported: 1 }],
    ['warn', { failed: 0, late: 1, imported: 2 }],
  ] as const)(
    'is noticed if an old copy of the store first learns about existing messages: --out-of-order %s',
    async (late, totals) => {
      const scene = driftScene(home.make());
      scene.write(first.slice(0, 2));
      await scene.import();
      const store = join(scene.folder, 'chatferry.db');
      copyFileSync(store, `${store}.old`);
      scene.write();
      await scene.import();
      for (const end of ['', '-wal', '-shm']) rmSync(`${store}${end}`, { force: true });
      copyFileSync(`${store}.old`, store);
      scene.write(grown);
      const { report } = await scene.import({ outOfOrder: late });
      expect(report.totals).toMatchObject({
        planned: count + 2,
        pending: 0,
        late: totals.late,
        failed: totals.failed,
      });
      expect(scene.texts()).toHaveLength(count + totals.imported);
      expect(scene.texts().includes(early.text)).toBe(late === 'warn');
      expect((await scene.verify()).report.verify).toMatchObject({
        same: count + totals.imported,
        missing: 0,
        extra: 0,
      });
    },
  );

  it('is noticed behind what an interrupted run left unconfirmed; what turns out to be absent of that is sent', async () => {
    const scene = driftScene(home.make());
    scene.write(first.slice(0, 2));
    await scene.import();
    scene.write();
    await scene.import();
    scene.change(`UPDATE delivery SET state = 'sent', server_id = NULL WHERE batch = 2;
      UPDATE conversation_delivery SET last_server_id = '2'; UPDATE batch SET state = 'open' WHERE id = 2`);
    removeFromSandbox(scene.folder, 'four for @Ann');
    scene.write(grown);
    const { report } = await scene.import({ outOfOrder: 'reject', overrides: { graceLongMs: 0 } });
    expect(report.totals).toMatchObject({ imported: count + 1, failed: 1, late: 1, pending: 0, unconfirmed: 0 });
    expect(report.failed).toMatchObject([{ code: 'too-late', count: 1 }]);
    expect(scene.texts()).toEqual(['one', 'two', 'three', 'five', 'six', 'four for @Ann', 'seven']);
  });
});
