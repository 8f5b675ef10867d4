import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { actionKinds } from '../../../src/model/action.ts';
import { explainId, verifyDestination } from '../../../src/commands/check.ts';
import { importExport } from '../../../src/commands/move.ts';
import { undoDestination } from '../../../src/commands/repair.ts';
import { effectsIn, sceneEffects, sceneRecords } from '../../scenes/actions-scene.ts';
import { never } from '../../scenes/bench.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { writeRecords } from '../../scenes/write-records.ts';

const home = temporaryFolderInMemory();

/** An import with the actions of these kinds. */
async function imported(actions: Parameters<typeof sessionRequest>[1] = {}) {
  const folder = home.make();
  const exports = [writeRecords(join(folder, 'export.ndjson'), sceneRecords)];
  const request = await sessionRequest(folder, { from: exports, actions: actionKinds, ...actions });
  await importExport(request);
  return { request, data: join(folder, 'chatferry.sandbox.db') };
}

/** Changes the destination behind the back of the store. */
function change(data: string, sql: string): void {
  const db = new Database(data);
  db.exec(sql);
  db.close();
}

function effectsOf(data: string): string[] {
  const db = new Database(data, { readonly: true });
  try {
    return effectsIn(db);
  } finally {
    db.close();
  }
}

describe('verify', () => {
  it('counts reactions and deactivations that are there', async () => {
    const { request } = await imported();
    const { report, exit } = await verifyDestination(request);
    expect(report.verify?.actions).toEqual({
      reactions: { same: 5, missing: 0, notShown: 0 },
      deactivations: { same: 1, missing: 0, notShown: 0 },
    });
    expect(exit).toBe(0);
  });

  it('finds a reaction and a deactivation that are gone', async () => {
    const { request, data } = await imported();
    change(data, `DELETE FROM reaction WHERE uid = 'bob'; UPDATE user SET deactivated_at = NULL`);
    const { report, exit } = await verifyDestination(request);
    expect(report.verify?.actions).toEqual({
      reactions: { same: 3, missing: 2, notShown: 0 },
      deactivations: { same: 0, missing: 1, notShown: 0 },
    });
    expect(exit).toBe(6);
  });

  it('does not mind what others did', async () => {
    const { request, data } = await imported();
    change(data, `INSERT INTO reaction (message, reaction, uid) SELECT id, '❤️', 'dov' FROM message`);
    const { report, exit } = await verifyDestination(request);
    expect([report.verify?.actions?.reactions, exit]).toEqual([{ same: 5, missing: 0, notShown: 0 }, 0]);
  });

  it('reports that a destination shows no reactions if it shows none at all', async () => {
    const { request, data } = await imported();
    change(data, 'DELETE FROM reaction');
    const { report, exit } = await verifyDestination(request);
    expect([report.verify?.actions?.reactions, exit]).toEqual([{ same: 0, missing: 0, notShown: 5 }, 0]);
  });
});

describe('undo', () => {
  const undo = (request: Awaited<ReturnType<typeof imported>>['request']) =>
    undoDestination({ ...request, confirm: async () => true });

  it('takes reactions back with their messages, and the next import gives them again; the rest stays', async () => {
    const { request, data } = await imported({ actions: ['friends', 'reactions', 'blocks'] });
    const { result, exit } = await undo(request);
    expect([result.left, result.staying, exit]).toEqual([[], { friends: 2, blocks: 1 }, 0]);
    const staying = sceneEffects.filter((effect) => /friends|blocks/.test(effect));
    expect(effectsOf(data)).toEqual(staying);
    const { report } = await importExport(request);
    expect(effectsOf(data)).toEqual(sceneEffects.filter((effect) => !effect.includes('deactivated')));
    expect(report.actions?.kinds.reactions).toMatchObject({ planned: 5, done: 5, pending: 0 });
  });

  it('keeps a conversation with a reaction from another person', async () => {
    const { request, data } = await imported({ actions: ['reactions'] });
    change(
      data,
      `INSERT INTO reaction (message, reaction, uid) SELECT id, '👍', 'dov' FROM message WHERE sender = 'cleo'`,
    );
    const { result } = await undo(request);
    expect(result.left).toMatchObject([{ reason: 'reacted', calls: 1 }]);
  });
});

describe('explain', () => {
  it('shows the reactions of a message with what became of each', async () => {
    const { request } = await imported();
    const [found] = await explainId(request.store, 'm1', never);
    expect(found?.reactions.map(({ uid, reaction, state }) => `${uid} ${reaction} ${state}`)).toEqual([
      'bob 👍 done',
      'cleo 👍 done',
      'ann :ship: done',
    ]);
  });
});
