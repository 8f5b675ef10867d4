import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { actionKinds } from '../../src/model/action.ts';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import { explainId, verifyDestination } from '../../src/commands/check.ts';
import { purge, undoDestination } from '../../src/commands/repair.ts';
import { importExport } from '../../src/commands/move.ts';
import { effectsIn, sceneEffects, sceneRecords } from '../scenes/actions-scene.ts';
import { never } from '../scenes/bench.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();
type Changes = Parameters<typeof sessionRequest>[1];

/** Found nowhere else in a store: no check has anything to say about them. */
const given = ['👍', '🚀', '🎉'];
const reactionsOf: Readonly<Record<string, MessageRecord['reactions']>> = {
  m1: [
    { emoji: '👍', users: ['bob', 'cleo'], count: 2 },
    { emoji: '🚀', users: ['ann'], count: 1 },
  ],
  m3: [{ emoji: '👍', users: ['ann'], count: 1 }],
  m5: [{ emoji: '🎉', users: ['bob'], count: 1 }],
};
const records = sceneRecords.map((record) =>
  record.kind === 'message' ? { ...record, reactions: reactionsOf[record.origin.id] } : record,
);
const effects = sceneEffects.map((line) => line.replace(':ship:', '🚀'));

function placeOf(folder: string) {
  const request = async (changes: Changes = {}) =>
    sessionRequest(folder, { from: [join(folder, 'export.ndjson')], actions: actionKinds, ...changes });
  const sandbox = join(folder, 'chatferry.sandbox.db');
  return {
    request,
    async import(records: readonly ChatRecord[], changes: Changes = {}) {
      writeRecords(join(folder, 'export.ndjson'), records);
      return importExport(await request(changes));
    },
    verify: async () => verifyDestination(await request()),
    async forget() {
      const { store, clock, progress } = await request();
      return purge({ store, clock, progress, stopping: never, confirm: async () => true });
    },
    /** Returns the reactions that are in the files of the store. */
    kept: (): string[] =>
      given.filter((reaction) =>
        readdirSync(folder).some(
          (name) => name.startsWith('chatferry.db') && readFileSync(join(folder, name)).includes(reaction),
        ),
      ),
    effects(): string[] {
      const db = new Database(sandbox, { readonly: true });
      try {
        return effectsIn(db);
      } finally {
        db.close();
      }
    },
    atDestination(sql: string): void {
      const db = new Database(sandbox);
      db.exec(sql);
      db.close();
    },
  };
}

async function purged() {
  const place = placeOf(home.make());
  const before = await place.import(records);
  expect(place.effects()).toEqual(effects);
  expect(place.kept()).toEqual(given);
  await place.verify();
  expect(await place.forget()).toMatchObject({ exit: 0, purged: 5 });
  return { ...place, before: before.report.actions };
}

const allShown = { reactions: { same: 5, missing: 0, notShown: 0 } };

describe('purge and reactions', () => {
  it('purges which were given once all are, and keeps their totals', async () => {
    const { kept, verify, request, before, import: bring, effects: there } = await purged();
    expect(kept()).toEqual([]);
    expect((await verify()).report.verify).toMatchObject({ same: 5, different: 0, actions: allShown });
    const [story] = await explainId((await request()).store, 'm1', never);
    expect(story!.reactions).toMatchObject([
      { uid: 'bob', reaction: '(purged)', state: 'done' },
      { uid: 'cleo', reaction: '(purged)', state: 'done' },
      { uid: 'ann', reaction: '(purged)', state: 'done' },
    ]);
    const { report, exit } = await bring(records);
    expect(exit).toBe(0);
    expect(report.actions).toEqual(before);
    expect(there()).toEqual(effects);
  });

  it('restores nothing, and adds no reaction twice, if the export is read again', async () => {
    const { kept, import: bring, effects: there, before, atDestination } = await purged();
    // A further message cannot name a deactivated user.
    atDestination('UPDATE user SET deactivated_at = NULL');
    const grown = [...records.slice(0, -1), says(4.5, 'room', 'ann', 'more'), ...records.slice(-1)];
    const { report, exit } = await bring(grown);
    expect({ exit, actions: report.actions }).toEqual({ exit: 0, actions: before });
    expect(kept()).toEqual([]);
    expect(there().filter((line) => line.includes('reacts'))).toEqual(
      effects.filter((line) => line.includes('reacts')),
    );
  });

  it('lets verify find one that is gone', async () => {
    const { verify, atDestination } = await purged();
    atDestination(`DELETE FROM reaction WHERE reaction = '🚀'`);
    expect((await verify()).report.verify).toMatchObject({
      actions: { reactions: { same: 4, missing: 1, notShown: 0 } },
    });
  });

  it('adds the reactions of the source to a message whose reactions changed since', async () => {
    const { import: bring, verify, effects: there, atDestination } = await purged();
    atDestination('UPDATE user SET deactivated_at = NULL');
    const changed = records.map((record) =>
      record.kind === 'message' && record.origin.id === 'm3'
        ? {
            ...record,
            reactions: [
              { emoji: '👍', users: ['ann'], count: 1 },
              { emoji: '💡', users: ['dov'], count: 1 },
            ],
          }
        : record,
    );
    const { report } = await bring(changed);
    expect(report.actions!.kinds.reactions).toMatchObject({ planned: 6, failed: 0, pending: 0, withdrawn: 0 });
    expect(there()).toContain('dov reacts to "three" with 💡');
    expect((await verify()).report.verify).toMatchObject({
      actions: { reactions: { same: 6, missing: 0, notShown: 0 } },
    });
  });

  it('keeps all reactions of a message while one is still pending', async () => {
    const place = placeOf(home.make());
    await place.import(records);
    await place.verify();
    const store = new Database((await place.request()).store);
    store.exec(
      `UPDATE action_delivery SET state = 'pending' WHERE action = (SELECT id FROM action WHERE reaction = '🚀')`,
    );
    store.close();
    await place.forget();
    // All of the message with the rocket.
    expect(place.kept()).toEqual(['👍', '🚀']);
    const { report } = await place.import(records);
    expect(report.actions!.kinds.reactions).toMatchObject({ planned: 5, pending: 0 });
    await place.verify();
    await place.forget();
    expect(place.kept()).toEqual([]);
  });

  it('lets undo recognise them as its own, and one more as foreign', async () => {
    const { request, atDestination } = await purged();
    atDestination(`UPDATE user SET deactivated_at = NULL;
      INSERT INTO reaction (message, reaction, uid) SELECT message, '💥', 'dov' FROM reaction WHERE reaction = '🎉'`);
    const undone = await undoDestination({ ...(await request()), confirm: async () => true });
    expect(undone.result.left).toMatchObject([{ reason: 'reacted', calls: 1 }]);
    expect(undone.result.done.group.messages).toBe(4);
  });
});
