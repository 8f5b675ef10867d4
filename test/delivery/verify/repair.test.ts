import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { importExport } from '../../../src/commands/move.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { alter, importedScene, longest, type Scene } from './scene.ts';

const home = temporaryFolder();
const repair = { sendProfiles: 'first', maxFailureShare: 1 } as const;

const removeAt = ({ data }: Scene, ...places: readonly number[]): string[] =>
  alter(data, (db) => {
    const rows = longest(db);
    const removed = places.map((place) => rows.at(place)!);
    for (const { id } of removed) db.prepare('DELETE FROM message WHERE id = ?').run(id);
    return removed.map(({ muid }) => muid);
  });
const arrivals = ({ data }: Scene): string[] =>
  alter(data, (db) => db.prepare<[], string>('SELECT muid FROM message ORDER BY id').pluck().all());

it('verify --repair sends missing messages once, reports them as late, and leaves other pending messages unchanged', async () => {
  const scene = await importedScene(home.make());
  const removed = removeAt(scene, 4, 9, -1);
  const [waiting] = alter(scene.store, (db) => {
    const rows = db
      .prepare<[], { seq: number; muid: string }>(
        `SELECT m.seq, m.muid FROM message m JOIN delivery d ON d.message = m.seq WHERE m.muid NOT IN ('${removed.join("', '")}') ORDER BY m.seq DESC LIMIT 1`,
      )
      .all();
    db.prepare('DELETE FROM delivery WHERE message = ?').run(rows[0]!.seq);
    return rows.map(({ muid }) => muid);
  });
  alter(scene.data, (db) => db.prepare('DELETE FROM message WHERE muid = ?').run(waiting));

  const { report, exit } = await scene.verify({ repair });
  expect(exit).toBe(0);
  const planned = scene.made.planned;
  expect(report.verify).toEqual({
    same: planned - 1,
    missing: 0,
    extra: 0,
    different: 0,
    duplicated: 0,
    foreign: 0,
    repaired: 3,
  });
  expect(report.differences).toEqual([]);
  expect(report.totals).toMatchObject({ imported: planned - 1, pending: 1, late: 2 });
  expect(arrivals(scene).slice(-3).sort()).toEqual([...removed].sort());
  expect(new Set(arrivals(scene)).size).toBe(planned - 1);
  expect((await importExport(scene.request)).report.totals).toMatchObject({ imported: planned, pending: 0 });
});

it('verify --repair sends a whole conversation again that is gone', async () => {
  const scene = await importedScene(home.make());
  const gone = alter(scene.data, (db) => {
    const rows = longest(db);
    db.prepare('DELETE FROM message WHERE conversation = ?').run(rows[0]!.conversation);
    return rows.map(({ muid }) => muid);
  });
  const { report, exit } = await scene.verify({ repair });
  expect(exit).toBe(0);
  expect(report.verify).toMatchObject({ same: scene.made.planned, missing: 0, repaired: gone.length });
  expect(arrivals(scene).slice(-gone.length)).toEqual(gone);
});

it('verify --repair asks with the number of missing messages, and a no sends nothing', async () => {
  const scene = await importedScene(home.make());
  removeAt(scene, 4, 9);
  const asked: number[] = [];
  const confirm = async (missing: number) => {
    asked.push(missing);
    return false;
  };
  const before = arrivals(scene);
  const { report, exit } = await scene.verify({ repair: { ...repair, confirm } });
  expect(exit).toBe(6);
  expect(asked).toEqual([2]);
  expect(report.verify).toMatchObject({ missing: 2, repaired: 0 });
  expect(arrivals(scene)).toEqual(before);
});

it('verify --repair changes nothing about other differences, and still names them', async () => {
  const scene = await importedScene(home.make());
  const [gone] = removeAt(scene, 4);
  const respelled = alter(scene.data, (db) => {
    const [other] = db
      .prepare<[string], { id: number; muid: string }>(
        'SELECT id, muid FROM message WHERE conversation <> (SELECT conversation FROM message ORDER BY id LIMIT 1) AND muid <> ? LIMIT 1',
      )
      .all(gone!);
    db.prepare(`UPDATE message SET data = json_set(data, '$.text', 'other') WHERE id = ?`).run(other!.id);
    return other!.muid;
  });
  const { report, exit } = await scene.verify({ repair });
  expect(exit).toBe(6);
  expect(report.verify).toMatchObject({ missing: 0, different: 1, repaired: 1 });
  expect(report.differences).toMatchObject([{ kind: 'different', muid: respelled }]);
});

it('verify --repair settles unconfirmed messages before it sends missing ones', async () => {
  const scene = await importedScene(home.make());
  const [gone] = removeAt(scene, 4);
  alter(scene.store, (db) => {
    db.prepare(
      `UPDATE delivery SET state = 'sent' WHERE message = (SELECT min(seq) FROM message WHERE verdict = 'planned' AND muid <> ?)`,
    ).run(gone);
    db.exec(`UPDATE batch SET state = 'open' WHERE id IN (SELECT batch FROM delivery WHERE state = 'sent')`);
  });
  const before = arrivals(scene);
  const { report, exit } = await scene.verify({ repair });
  expect({ exit, stopped: report.stopped }).toEqual({ exit: 0, stopped: null });
  expect(report.totals).toMatchObject({ imported: scene.made.planned, unconfirmed: 0, pending: 0 });
  expect(arrivals(scene)).toEqual([...before, gone]);
});

it('verify does not end with 0 after a repair that was cut off before it sent anything', async () => {
  const scene = await importedScene(home.make());
  const [gone] = removeAt(scene, 4);
  const db = new Database(scene.store);
  db.prepare(`UPDATE delivery SET state = 'pending' WHERE message = (SELECT seq FROM message WHERE muid = ?)`).run(
    gone,
  );
  db.close();
  const { report, exit } = await scene.verify();
  expect({ exit, stopped: report.stopped }).toMatchObject({ exit: 5, stopped: { code: 'put-back' } });
  expect(await scene.verify({ repair })).toMatchObject({ exit: 0, report: { verify: { repaired: 1 } } });
  expect((await scene.verify()).exit).toBe(0);
});

it('verify --repair sends nothing to a destination that shows nothing of ours', async () => {
  const scene = await importedScene(home.make());
  alter(scene.data, (db) => db.exec('DELETE FROM message'));
  const { report, exit } = await scene.verify({ repair });
  expect(exit).toBe(5);
  expect(report.stopped).toMatchObject({ code: 'nothing-shown', hint: expect.stringContaining('chatferry reconcile') });
  expect(arrivals(scene)).toEqual([]);
});
