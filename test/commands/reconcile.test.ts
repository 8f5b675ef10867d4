import { copyFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { reconcileDestination, undoDestination } from '../../src/commands/repair.ts';
import { importExport } from '../../src/commands/move.ts';
import { readStatus } from '../../src/commands/check.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { firstOf, isNightly } from '../tier.ts';
import { seeded } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { change, column, expectAllThere, type ServerScene, serverScene } from '../scenes/server-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { ReconcileRequest } from '../../src/commands/requests.ts';

const home = temporaryFolder();

const reconcile = (scene: ServerScene, changes: Partial<ReconcileRequest> = {}) =>
  reconcileDestination({ ...scene.request, newMuids: false, ...changes });

const undo = (scene: ServerScene) => undoDestination({ ...scene.request, confirm: async () => true });

function lose({ request: { store } }: ServerScene): void {
  for (const end of ['', '-wal', '-shm', '.lock', '.lock-journal']) rmSync(`${store}${end}`, { force: true });
}

/** Import requests that the server has seen. */
const imports = ({ sandbox }: ServerScene) => sandbox.book.summary().operations.importMessages?.requests ?? 0;
const removals = ({ sandbox }: ServerScene) => {
  const { operations } = sandbox.book.summary();
  return (operations.deleteGroup?.requests ?? 0) + (operations.deleteConversation?.requests ?? 0);
};

describe.each(['refused', 'stored'] as const)('reconcile where duplicates are %s', (duplicates) => {
  it('rebuilds a lost store, so that the next import sends nothing', async () => {
    const scene = await serverScene(home.make(), { duplicates });
    await importExport(scene.request);
    lose(scene);
    const before = imports(scene);
    const { report, exit, found } = await reconcile(scene);
    expect(exit).toBe(exitCodes.done);
    expect(found).toMatchObject({ found: scene.made.planned, putBack: 0, foreign: 0, extra: 0 });
    expect(report.totals).toMatchObject({ planned: scene.made.planned, existing: scene.made.planned, pending: 0 });
    await expectAllThere(scene);
    expect(imports(scene)).toBe(before);
  });

  it.each(firstOf(1, [1, 2, 3]))('lets an import go on that lost its store again and again, seed %i', async (seed) => {
    const scene = await serverScene(home.make(), { duplicates, seed });
    const random = seeded(seed);
    let losses = 0;
    for (; losses < (isNightly ? 6 : 3); losses++) {
      const killed = new AbortController();
      let requests = 2 + Math.floor(random() * 14);
      scene.sandbox.onRequest = () => {
        if (--requests === 0) killed.abort(new Error('killed'));
      };
      scene.sandbox.plan = {
        seed,
        rules: [{ answer: 'closed', applied: 'first-part', probability: 0.3, operations: ['importMessages'] }],
      };
      await importExport({
        ...scene.request,
        overrides: { ...scene.request.overrides, batchItemsMax: 7 },
        signal: killed.signal,
      });
      scene.sandbox.onRequest = () => {};
      scene.sandbox.plan = {};
      if (random() < 0.8) lose(scene);
      const there = [...sandboxContents(scene.data).values()].flat().length;
      const { report, exit } = await reconcile(scene);
      expect(exit, `seed ${seed}`).toBe(exitCodes.done);
      expect(report.totals).toMatchObject({ unconfirmed: 0, failed: 0, pending: scene.made.planned - there });
    }
    await expectAllThere(scene);
    expect(sandboxContents(scene.data)).toSatisfy(
      (contents: Map<string, string[]>) => contents.size === scene.made.conversations.size,
    );
    const { applied } = scene.sandbox.book.summary();
    expect(applied).toMatchObject({ messages: scene.made.planned, moreThanOnce: [] });
  });
});

describe('reconcile', () => {
  it('sends nothing and removes nothing', async () => {
    const scene = await serverScene(home.make());
    await importExport({ ...scene.request, overrides: {} });
    change(scene.data, `DELETE FROM message WHERE receiver = 'c00000001'`);
    const before = [imports(scene), removals(scene)];
    expect((await reconcile(scene)).found.putBack).toBeGreaterThan(0);
    expect([imports(scene), removals(scene)]).toEqual(before);
  });

  it('takes nothing for absent before the grace is over: what an earlier process sent may still arrive', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    const underway = `FROM message WHERE receiver = 'c00000001'`;
    change(scene.data, `CREATE TABLE underway AS SELECT * ${underway}; DELETE ${underway}`);
    const waits: number[] = [];
    const sleep = async (ms: number) => {
      waits.push(ms);
      change(scene.data, 'INSERT INTO message SELECT * FROM underway; DROP TABLE underway');
    };
    const { found, report } = await reconcile(scene, {
      clock: { ...systemClock, sleep },
      overrides: { graceLongMs: 60_000 },
    });
    expect(found).toMatchObject({ putBack: 0, unsent: 0 });
    expect(report.totals).toMatchObject({ imported: scene.made.planned, pending: 0 });
    expect(waits).toEqual([expect.toSatisfy((ms: number) => ms > 30_000 && ms <= 60_000)]);
  });

  it('brings an old copy of the store up to date', async () => {
    const scene = await serverScene(home.make());
    const killed = new AbortController();
    let requests = 12;
    scene.sandbox.onRequest = () => void (--requests === 0 && killed.abort(new Error('killed')));
    await importExport({
      ...scene.request,
      overrides: { ...scene.request.overrides, batchItemsMax: 5 },
      signal: killed.signal,
    });
    scene.sandbox.onRequest = () => {};
    copyFileSync(scene.request.store, `${scene.request.store}.old`);
    await importExport(scene.request);
    lose(scene);
    copyFileSync(`${scene.request.store}.old`, scene.request.store);
    const { report } = await reconcile(scene);
    expect(report.totals).toMatchObject({ pending: 0, unconfirmed: 0, failed: 0 });
    expect(report.totals.imported + report.totals.existing).toBe(scene.made.planned);
    await expectAllThere(scene);
  });

  it('helps if the last message of a conversation is gone: the import continues', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    change(scene.data, `DELETE FROM message WHERE receiver = 'c00000001'`);
    const { exit, found } = await reconcile(scene);
    expect(exit).toBe(exitCodes.done);
    expect(found.putBack).toBe(scene.made.conversations.get('group_c00000001')!.length);
    expect(readStatus({ store: scene.request.store, clock: systemClock }, 'status').totals.pending).toBe(found.putBack);
    await expectAllThere(scene);
  });

  it('with --new-muids restores deleted messages at a service that never accepts a muid twice', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    await scene.client.deleteGroup({ guid: 'c00000001' });
    await reconcile(scene);
    const { report } = await importExport(scene.request);
    expect(report.totals.failed).toBe(scene.made.conversations.get('group_c00000001')!.length);
    expect((await reconcile(scene, { newMuids: true })).report.totals).toMatchObject({ failed: 0 });
    await expectAllThere(scene);
  });

  it('reports messages with other content and messages from other programs', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    const id = `(SELECT min(id) FROM message WHERE receiver = 'c00000001')`;
    change(scene.data, `UPDATE message SET data = json_set(data, '$.text', 'other') WHERE id = ${id}`);
    await scene.client.sendMessage({
      body: {
        receiver: 'c00000002',
        receiverType: 'group',
        category: 'message',
        type: 'text',
        data: { text: 'hello' },
      },
    });
    expect(await reconcile(scene)).toMatchObject({ exit: exitCodes.differences, found: { different: 1, foreign: 1 } });
    lose(scene);
    const { found, exit, report } = await reconcile(scene);
    expect(found).toMatchObject({ failed: 1, foreign: 1, found: scene.made.planned - 1 });
    expect(report.failed).toMatchObject([{ code: 'different-content', count: 1 }]);
    expect(exit).toBe(exitCodes.someFailed);
  });

  it('finds messages of a later generation if the store that recorded the undo is lost', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    await undo(scene);
    const killed = new AbortController();
    let requests = 26;
    scene.sandbox.onRequest = () => void (--requests === 0 && killed.abort(new Error('killed')));
    await importExport({
      ...scene.request,
      overrides: { ...scene.request.overrides, batchItemsMax: 5 },
      signal: killed.signal,
    });
    scene.sandbox.onRequest = () => {};
    const there = [...sandboxContents(scene.data).values()].flat().length;
    expect(there).toBeGreaterThan(0);
    lose(scene);
    const { found, exit } = await reconcile(scene);
    expect(exit).toBe(exitCodes.done);
    expect(found).toMatchObject({ found: there, extra: 0, foreign: 0 });
    // Conversations of which nothing was sent again look as if nothing ever was there.
    await importExport(scene.request);
    await reconcile(scene, { newMuids: true });
    await expectAllThere(scene);
  });

  it('leaves to undo only what this store has sent', async () => {
    const scene = await serverScene(home.make());
    await importExport(scene.request);
    lose(scene);
    await reconcile(scene);
    const { result } = await undo(scene);
    expect(result.left).toMatchObject([{ reason: 'existing' }]);
    expect(byName(sandboxContents(scene.data))).toEqual(byName(scene.made.conversations));
    expect(column(scene.data, 'SELECT muid FROM message')).toHaveLength(scene.made.planned);
  });
});
