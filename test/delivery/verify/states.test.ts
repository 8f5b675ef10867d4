import { expect, it } from 'vitest';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { alter, importedScene, longest, type Scene } from './scene.ts';

const home = temporaryFolder();

/** Sets what the store says of one message. */
const say = ({ store }: Scene, muid: string, state: string) =>
  alter(store, (db) =>
    db
      .prepare('UPDATE delivery SET state = ? WHERE message = (SELECT seq FROM message WHERE muid = ?)')
      .run(state, muid),
  );
const remove = ({ data }: Scene, muid: string) =>
  alter(data, (db) => db.prepare('DELETE FROM message WHERE muid = ?').run(muid));
const respell = ({ data }: Scene, muid: string) =>
  alter(data, (db) =>
    db.prepare(`UPDATE message SET data = json_set(data, '$.text', 'something else') WHERE muid = ?`).run(muid),
  );
const muidsOf = ({ data }: Scene): string[] => alter(data, longest).map(({ muid }) => muid);

it('verify reports differences of messages that failed, are pending, or are in another conversation', async () => {
  const scene = await importedScene(home.make());
  const [refusedButThere, refusedAndOther, refusedAndGone, pendingButThere, elsewhere] = muidsOf(scene).slice(3, 8);
  say(scene, refusedButThere!, 'failed');
  say(scene, refusedAndOther!, 'failed');
  respell(scene, refusedAndOther!);
  say(scene, refusedAndGone!, 'failed');
  remove(scene, refusedAndGone!);
  say(scene, pendingButThere!, 'pending');
  alter(scene.data, (db) => {
    const other = db
      .prepare(
        'SELECT conversation FROM message WHERE conversation <> (SELECT conversation FROM message WHERE muid = ?)',
      )
      .pluck()
      .get(elsewhere);
    db.prepare('UPDATE message SET conversation = ? WHERE muid = ?').run(other, elsewhere);
  });

  const { report, exit } = await scene.verify();
  expect(exit).toBe(6);
  const found = report.differences.map(({ kind, muid, detail }) => [muid, kind, detail]).sort();
  expect(found).toEqual(
    [
      [refusedButThere, 'extra', expect.stringMatching(/^there as server id \d+, though the store says failed$/)],
      [refusedAndOther, 'different', 'differs in text'],
      [pendingButThere, 'extra', expect.stringMatching(/^there as server id \d+, though the store says pending$/)],
      [elsewhere, 'missing', 'sent, and not there any more'],
      [
        elsewhere,
        'extra',
        expect.stringMatching(/^belongs to another conversation in the store; there as server id \d+$/),
      ],
    ].sort((a, b) => (`${a[0]}${a[1]}` < `${b[0]}${b[1]}` ? -1 : 1)),
  );
});

it('verify reports unconfirmed messages as neither missing nor different, and ends resumable', async () => {
  const scene = await importedScene(home.make());
  const [there, gone] = muidsOf(scene).slice(3, 5);
  say(scene, there!, 'sent');
  say(scene, gone!, 'sent');
  remove(scene, gone!);
  const { report, exit } = await scene.verify();
  expect(exit).toBe(5);
  expect(report.stopped).toMatchObject({ code: 'unconfirmed', message: expect.stringContaining('2 messages') });
  expect(report.verify).toMatchObject({ same: scene.made.planned - 1, missing: 0, different: 0, extra: 0 });
});

it('verify finds messages by server id if a listing shows neither muid nor our key', async () => {
  const scene = await importedScene(home.make());
  const [bare] = muidsOf(scene).slice(3, 4);
  alter(scene.data, (db) =>
    db.prepare(`UPDATE message SET data = json_remove(data, '$.metadata') WHERE muid = ?`).run(bare),
  );
  scene.sandbox.plan = { listing: { muids: 'hidden' } };
  const { report } = await scene.verify();
  expect(report.differences).toMatchObject([{ kind: 'different', muid: bare, detail: 'differs in metadata' }]);
  expect(report.verify).toMatchObject({ same: scene.made.planned - 1, missing: 0, foreign: 0 });
});

it('verify reads conversations to which, as far as an old copy of the store knows, nothing was sent', async () => {
  const scene = await importedScene(home.make());
  const inside = alter(scene.data, longest).length;
  alter(scene.store, (db) => {
    const seqs = `(SELECT m.seq FROM message m WHERE m.conversation =
      (SELECT conversation FROM message WHERE verdict = 'planned' GROUP BY conversation ORDER BY count(*) DESC, conversation LIMIT 1))`;
    db.exec(`
      DELETE FROM conversation_delivery WHERE conversation IN (SELECT conversation FROM message WHERE seq IN ${seqs});
      DELETE FROM delivery WHERE message IN ${seqs}`);
  });
  const { report, exit } = await scene.verify();
  expect(exit).toBe(6);
  expect(report.verify).toMatchObject({ missing: 0, extra: inside, foreign: 0 });
});

it('verify stores its result for every conversation', async () => {
  const scene = await importedScene(home.make());
  await scene.verify();
  const checks = alter(scene.store, (db) =>
    db
      .prepare('SELECT sum(same) AS same, sum(missing) AS missing, count(*) AS conversations FROM conversation_check')
      .get(),
  );
  expect(checks).toEqual({ same: scene.made.planned, missing: 0, conversations: scene.made.conversations.size });
});

it('verify of a destination that cannot be read ends resumable, and calls nothing missing', async () => {
  const scene = await importedScene(home.make());
  const refusal = { answer: 'error', status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } as const;
  scene.sandbox.plan = { rules: [{ ...refusal, operations: ['listMessages'], skip: 1 }] };
  const { report, exit } = await scene.verify();
  expect(exit).toBe(8);
  expect(report).toMatchObject({ verify: null, stopped: { code: 'AUTH_ERR_APIKEY_NOT_FOUND' }, differences: [] });
});
