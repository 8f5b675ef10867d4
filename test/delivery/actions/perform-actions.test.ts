import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../../src/mapping/filter.ts';
import { actionKinds } from '../../../src/model/action.ts';
import type { ChatRecord } from '../../../src/model/records.ts';
import { importExport } from '../../../src/commands/move.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { effectsIn, sceneEffects, sceneRecords } from '../../scenes/actions-scene.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../../scenes/write-records.ts';
import type { Outcome } from '../../../src/commands/results.ts';

const home = temporaryFolderInMemory();

type Changes = Parameters<typeof sessionRequest>[1];

/** A folder with an export, imported into the embedded sandbox next to it. */
class Place {
  readonly folder = home.make();

  async import(records: readonly ChatRecord[], changes: Changes = {}): Promise<Outcome> {
    const exports = [writeRecords(join(this.folder, 'export.ndjson'), records)];
    return importExport(await sessionRequest(this.folder, { from: exports, actions: actionKinds, ...changes }));
  }

  async plan(records: readonly ChatRecord[], changes: Changes = {}): Promise<Outcome> {
    const exports = [writeRecords(join(this.folder, 'export.ndjson'), records)];
    return planExport(await sessionRequest(this.folder, { from: exports, actions: actionKinds, ...changes }));
  }

  effects(): string[] {
    const db = new Database(join(this.folder, 'chatferry.sandbox.db'), { readonly: true });
    try {
      return effectsIn(db);
    } finally {
      db.close();
    }
  }
}

const none = { planned: 0, done: 0, existing: 0, failed: 0, pending: 0, unconfirmed: 0, withdrawn: 0 };

describe('actions', () => {
  it('are planned, done after the messages, counted, and each is there once', async () => {
    const place = new Place();
    const { report, exit } = await place.import(sceneRecords);
    expect(place.effects()).toEqual(sceneEffects);
    expect(report.actions).toEqual({
      kinds: {
        friends: { ...none, planned: 2, done: 2 },
        reactions: { ...none, planned: 5, done: 5 },
        blocks: { ...none, planned: 1, done: 1 },
        deactivations: { ...none, planned: 1, done: 1 },
      },
      failed: [],
      forecast: { requests: 0, minutes: null },
    });
    expect([report.requests.action, exit]).toEqual([9, 0]);
    expect(report.verify?.actions).toEqual({
      reactions: { same: 5, missing: 0, notShown: 0 },
      deactivations: { same: 1, missing: 0, notShown: 0 },
    });
  });

  it('are not done unless you ask for them', async () => {
    const place = new Place();
    const { report, exit } = await place.import(sceneRecords, { actions: [] });
    expect([place.effects(), report.actions, report.requests.action, exit]).toEqual([[], undefined, undefined, 0]);
    expect(report.losses.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['reactions', 'friends', 'blocks', 'deactivated people']),
    );
  });

  it.each(actionKinds)('are done of the kind alone that is asked for: %s', async (kind) => {
    const place = new Place();
    await place.import(sceneRecords, { actions: [kind] });
    const words = { friends: 'are friends', reactions: 'reacts', blocks: 'blocks', deactivations: 'is deactivated' };
    expect(place.effects()).toEqual(sceneEffects.filter((effect) => effect.includes(words[kind])));
  });

  it('are asked for once: a second run has nothing to do', async () => {
    const place = new Place();
    await place.import(sceneRecords);
    const { report, exit } = await place.import(sceneRecords);
    expect([report.requests.action, exit]).toEqual([undefined, 0]);
    expect(place.effects()).toEqual(sceneEffects);
  });

  it('are staged by a plan, which sends nothing and reports the pending ones', async () => {
    const place = new Place();
    const { report, exit } = await place.plan(sceneRecords);
    expect(report.actions?.kinds.reactions).toEqual({ ...none, planned: 5, pending: 5 });
    expect(report.actions?.forecast).toEqual({ requests: 9, minutes: null });
    expect(exit).toBe(0);
    const done = await importExport(await sessionRequest(place.folder, { from: [] }));
    expect(place.effects()).toEqual(sceneEffects);
    expect(done.exit).toBe(0);
  });

  it('follow an export that grows: new actions are done, removed ones are only counted', async () => {
    const place = new Place();
    const grown = sceneRecords.map((record) =>
      record.kind === 'message' && record.text === 'two'
        ? { ...record, reactions: [{ emoji: '👀', users: ['ann'], count: 1 }] }
        : record,
    );
    await place.import(sceneRecords);
    const without = grown.filter(({ kind }) => kind !== 'relation');
    const { report } = await place.import(without);
    expect(place.effects()).toEqual(['ann reacts to "two" with 👀', ...sceneEffects].sort());
    expect(report.actions?.kinds).toMatchObject({
      friends: { planned: 0, withdrawn: 2 },
      blocks: { planned: 0, withdrawn: 1 },
      reactions: { planned: 6, done: 6 },
    });
    const again = await place.import(sceneRecords);
    expect(again.report.actions?.kinds).toMatchObject({
      friends: { planned: 2, done: 2, withdrawn: 0 },
      reactions: { planned: 5, done: 5, withdrawn: 1 },
    });
  });

  it('leave metadata to the mapping: with "replay", reactions are only at the message', async () => {
    const place = new Place();
    const mapping = 'messages: { reactions: replay }';
    await place.import(sceneRecords, { actions: [], mapping });
    expect(place.effects()).toEqual(sceneEffects.filter((effect) => effect.includes('reacts')));
    const db = new Database(join(place.folder, 'chatferry.sandbox.db'), { readonly: true });
    expect(db.prepare(`SELECT count(*) FROM message WHERE data LIKE '%"reactions"%'`).pluck().get()).toBe(0);
    db.close();
  });

  it('are rejected by name if a person is no member or is missing, and all others continue', async () => {
    const place = new Place();
    const { report, exit } = await place.import([
      ...[person('ann'), person('bob'), person('lurker'), channel('room'), channel('other')],
      says(1, 'room', 'ann', 'one', { reactions: [{ emoji: '👍', users: ['lurker', 'bob', 'ann'], count: 3 }] }),
      says(2, 'other', 'bob', 'two'),
    ]);
    expect(place.effects()).toEqual(['ann reacts to "one" with 👍']);
    expect(report.actions?.kinds.reactions).toEqual({ ...none, planned: 3, done: 1, failed: 2 });
    expect(report.actions?.failed.map(({ code, count }) => [code, count])).toEqual([
      ['ERR_MESSAGE_NO_ACCESS', 1],
      ['ERR_UID_NOT_FOUND', 1],
    ]);
    expect(exit).toBe(3);
  });

  it('are distinguished from existing ones: another store finds friends, and its reactions change nothing', async () => {
    const place = new Place();
    await place.import(sceneRecords, { actions: ['friends', 'reactions'] });
    for (const end of ['', '-wal', '-shm']) rmSync(join(place.folder, `chatferry.db${end}`), { force: true });
    const { report, exit } = await place.import(sceneRecords, { actions: ['friends', 'reactions'] });
    expect(report.actions?.kinds).toMatchObject({ friends: { done: 0, existing: 2 }, reactions: { done: 5 } });
    expect(place.effects()).toEqual(sceneEffects.filter((effect) => /friends|reacts/.test(effect)));
    expect(exit).toBe(0);
  });

  it('follow the filter: a pilot befriends and blocks only people whom it includes', async () => {
    const place = new Place();
    const { report } = await place.import(sceneRecords, { only: parseFilter('from:ann') });
    expect(place.effects()).toEqual([
      'ann and bob are friends',
      'ann reacts to "one" with :ship:',
      'bob reacts to "five" with 🎉',
    ]);
    // Who has not written in the room yet is no member of it.
    expect(report.actions?.kinds.reactions).toMatchObject({ planned: 4, done: 2, failed: 2 });
    expect(report.losses).toContainEqual(
      expect.objectContaining({ name: 'reactions of people who only read', count: 2 }),
    );
    // With the rest of the messages everybody has come, and what was refused is asked for again.
    const wide = await place.import(sceneRecords);
    expect([place.effects(), wide.exit]).toEqual([sceneEffects, 0]);
  });

  it('come in the order in which a service takes them: reactions before blocks, deactivations last', () => {
    expect(actionKinds).toEqual(['friends', 'reactions', 'blocks', 'deactivations']);
  });
});
