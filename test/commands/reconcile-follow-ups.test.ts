import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MessageRecord } from '../../src/model/records.ts';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { reconcileDestination, undoDestination } from '../../src/commands/repair.ts';
import { driftScene, first, removeFromSandbox, withChanged } from '../scenes/drift-scene.ts';
import { preparedFolder } from '../scenes/prepared-folder.ts';
import { change } from '../scenes/server-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { noonMs, says } from '../scenes/write-records.ts';
import type { ReconcileRequest } from '../../src/commands/requests.ts';

const home = temporaryFolder();

type Scene = ReturnType<typeof driftScene>;

const edited = (text: string, number = 1) =>
  withChanged(number, { text, edited: { atMs: noonMs + 99_000 + text.length } });

const storeOf = ({ folder }: Scene) => join(folder, 'chatferry.db');

function lose(scene: Scene): void {
  for (const end of ['', '-wal', '-shm', '.lock', '.lock-journal']) rmSync(`${storeOf(scene)}${end}`, { force: true });
}

async function reconcile(scene: Scene, changes: Parameters<Scene['request']>[0] = {}) {
  const request: ReconcileRequest = { ...(await scene.request(changes)), newMuids: false };
  return reconcileDestination(request);
}

/** Returns a sandbox that received each of these versions, one after the other. */
async function told(versions: readonly (readonly MessageRecord[])[], mapping?: string): Promise<Scene> {
  const key = JSON.stringify([versions, mapping]);
  if (!prepared.has(key))
    prepared.set(
      key,
      preparedFolder(home.make, async (folder) => {
        const scene = driftScene(folder);
        for (const messages of versions) {
          scene.write(messages);
          const { report } = await scene.import({ drift: 'send', ...(mapping !== undefined && { mapping }) });
          expect(report.verify).toMatchObject({ missing: 0, extra: 0, different: 0 });
        }
      }),
    );
  return driftScene(await prepared.get(key)!());
}

/** By versions and mapping. */
const prepared = new Map<string, () => Promise<string>>();

const totals = (scene: Scene) =>
  scene.rows(
    `SELECT m.follows IS NOT NULL, m.muid, d.state FROM delivery d JOIN message m ON m.seq = d.message ORDER BY m.muid`,
  );

/** Nothing is left to do or to say: plan, import and verify change nothing. */
async function expectAtRest(scene: Scene, same: number, mapping?: string): Promise<void> {
  const before = scene.texts();
  const changes = { drift: 'send', ...(mapping !== undefined && { mapping }) } as const;
  const { report, exit } = await scene.import(changes);
  expect(exit).toBe(exitCodes.done);
  expect(report.totals).toMatchObject({ pending: 0, failed: 0 });
  const verified = await scene.verify(mapping === undefined ? {} : { mapping });
  expect(verified.report.verify).toMatchObject({ same, missing: 0, extra: 0, different: 0, duplicated: 0 });
  expect(verified.exit).toBe(exitCodes.done);
  expect(scene.texts()).toEqual(before);
}

describe('reconcile of a lost store whose destination has follow-ups', () => {
  it.each<[string, readonly (readonly MessageRecord[])[]]>([
    ['an edit', [first, edited('better')]],
    [
      'edits of one message, the last of them back to what it was',
      [first, edited('b'), edited('best'), edited('b'), first],
    ],
    ['edits of several messages', [first, edited('better'), edited('two, better', 2).with(0, edited('better')[0]!)]],
    ['messages after an edit', [first, edited('better'), [...edited('better'), says(9, 'general', 'bob', 'nine')]]],
    ['other reactions', [first, withChanged(2, { reactions: [] })]],
    ['a message that is marked as deleted', [first, withChanged(3, { isDeleted: true, text: '' })]],
    ['a message that was deleted and is there again', [first, withChanged(3), first]],
  ])('records the follow-ups that it finds, and leaves nothing to do: %s', async (_, versions) => {
    const scene = await told(versions);
    const there = scene.texts().length;
    const before = totals(scene).map((row) => (row as unknown[]).slice(0, 2));
    const drift = `SELECT kind, digest, m.muid FROM drift JOIN message m ON m.seq = follow_up ORDER BY drift.id`;
    const latest = (scene.rows(drift) as unknown[]).at(-1);
    lose(scene);
    const { exit, found, report } = await reconcile(scene);
    expect({ exit, found }).toMatchObject({
      exit: exitCodes.done,
      found: { found: there, confirmed: 0, failed: 0, extra: 0, different: 0, putBack: 0, unsent: 0 },
    });
    expect(report.followUps).toMatchObject({
      planned: there - totals(scene).filter((row) => (row as number[])[0] === 0).length,
    });
    expect(totals(scene).map((row) => (row as unknown[]).slice(0, 2))).toEqual(before);
    expect((scene.rows(drift) as unknown[]).at(-1)).toEqual(latest);
    await expectAtRest(scene, there);
    expect(await reconcile(scene)).toMatchObject({ exit: exitCodes.done, found: { found: 0, confirmed: there } });
  });

  it('sends the next change once, under its own muid', async () => {
    const scene = await told([first, edited('better')]);
    lose(scene);
    await reconcile(scene);
    for (const messages of [edited('best'), edited('better')]) {
      scene.write(messages);
      expect((await scene.import({ drift: 'send' })).report.followUps).toMatchObject({ pending: 0, failed: 0 });
    }
    expect(
      scene
        .texts()
        .slice(6)
        .map((text) => text.replace(/^.*: /, '')),
    ).toEqual(['better', 'best', 'better']);
    expect(new Set(scene.metadata().map(({ key }) => key)).size).toBe(9);
    await expectAtRest(scene, 9);
  });

  it.each([
    ['text', edited('best'), { edited: 1 }, 'Edited (message of 2024-03-01 12:00 UTC): best'],
    [
      'nothing but reactions',
      edited('better').with(0, { ...edited('better')[0]!, reactions: [{ emoji: '🎉', users: ['bob'], count: 1 }] }),
      { reactions: 1 },
      'Reactions to the message of 2024-03-01 12:00 UTC: 🎉 1',
    ],
  ])('notices what has changed since the latest of them: %s', async (_, messages, kinds, text) => {
    const scene = await told([first, edited('better')]);
    lose(scene);
    scene.write(messages);
    const { report, exit } = await reconcile(scene, { drift: 'send' });
    expect({ exit, noticed: report.drift!.noticed, followUps: report.followUps }).toMatchObject({
      exit: exitCodes.done,
      noticed: 'edited' in kinds ? { edited: 2 } : { edited: 1, ...kinds },
      followUps: { existing: 1, pending: 1 },
    });
    await scene.import({ drift: 'send' });
    expect(scene.texts().slice(-1)).toEqual([text]);
    await expectAtRest(scene, 8);
  });

  it('only reports what has changed since where nothing else was asked for', async () => {
    const scene = await told([first, edited('better')]);
    lose(scene);
    scene.write(edited('best'));
    const { report } = await reconcile(scene);
    expect(report).toMatchObject({ drift: { kinds: { edited: 2 } }, followUps: { existing: 1, pending: 0 } });
    await expectAtRest(scene, 7);
  });

  it('knows the parts of a version that was longer, and sends none of one that has become longer', async () => {
    const mapping = 'messages: { textCharsMax: 200, overlong: split }\n';
    const long = (word: string, count: number) => `${word} `.repeat(count);
    const versions = [
      [says(1, 'general', 'ann', long('word', 100)), says(2, 'general', 'ann', 'short')],
      [says(1, 'general', 'ann', long('other', 50)), says(2, 'general', 'ann', long('more', 100))],
    ];
    const scene = await told(versions, mapping);
    const there = scene.texts();
    lose(scene);
    const { found, exit } = await reconcile(scene, { mapping });
    expect({ exit, found }).toMatchObject({ exit: 0, found: { found: there.length, extra: 0, failed: 0 } });
    await scene.import({ mapping, drift: 'send' });
    expect(scene.texts()).toEqual(there);
    expect((await scene.verify({ mapping })).report.verify).toMatchObject({ same: there.length, missing: 0, extra: 0 });
  });

  it('finds them where everything was rolled back before and sent again', async () => {
    const scene = await told([first]);
    await undoDestination({ ...(await scene.request({})), confirm: async () => true });
    await scene.import();
    scene.write(edited('better'));
    await scene.import({ drift: 'send' });
    lose(scene);
    expect(await reconcile(scene)).toMatchObject({ exit: exitCodes.done, found: { found: 7, extra: 0, failed: 0 } });
    await expectAtRest(scene, 7);
  });

  it('records a follow-up whose message is missing, and the message is sent', async () => {
    const scene = await told([first, edited('better')]);
    removeFromSandbox(scene.folder, 'one');
    lose(scene);
    expect(await reconcile(scene)).toMatchObject({ exit: exitCodes.done, found: { found: 6, unsent: 1, extra: 0 } });
    await scene.import({ drift: 'send' });
    expect(scene.texts()).toHaveLength(7);
    await expectAtRest(scene, 7);
  });

  it('counts as extra what follows nothing of this export', async () => {
    const scene = await told([first, edited('better')]);
    lose(scene);
    scene.write([...edited('better').slice(1), says(9, 'general', 'bob', 'nine')]);
    expect(await reconcile(scene)).toMatchObject({ exit: exitCodes.differences, found: { extra: 2 } });
  });

  it('writes one down once that is there twice, and says so', async () => {
    const scene = await told([first, edited('better')]);
    change(
      join(scene.folder, 'chatferry.sandbox.db'),
      `CREATE TEMP TABLE copy AS SELECT * FROM message WHERE id = 7; UPDATE copy SET id = 8; INSERT INTO message SELECT * FROM copy`,
    );
    lose(scene);
    const { exit, found } = await reconcile(scene);
    expect({ exit, found }).toMatchObject({
      exit: exitCodes.differences,
      found: { found: 7, duplicated: 1, extra: 0 },
    });
    expect(scene.rows('SELECT count(*) FROM message WHERE follows IS NOT NULL')).toEqual([1]);
  });

  it('ignores what other people claim: a follow-up by another person proves nothing', async () => {
    const scene = await told([first, edited('better')]);
    change(join(scene.folder, 'chatferry.sandbox.db'), `UPDATE message SET sender = 'bob' WHERE id = 7`);
    lose(scene);
    const { found, report } = await reconcile(scene);
    expect(found).toMatchObject({ extra: 1, failed: 1, found: 5 });
    expect(report.failed).toMatchObject([{ code: 'different-content', count: 1 }]);
  });
});

describe('reconcile of an old copy of a store', () => {
  it.each(['report', 'send'] as const)('adds the follow-ups that it does not know, with --drift %s', async (drift) => {
    const scene = await told([first, edited('b')]);
    copyFileSync(storeOf(scene), `${storeOf(scene)}.old`);
    for (const text of ['c', 'd']) {
      scene.write(edited(text));
      await scene.import({ drift: 'send' });
    }
    lose(scene);
    copyFileSync(`${storeOf(scene)}.old`, storeOf(scene));
    const { exit, found, report } = await reconcile(scene, { drift });
    expect({ exit, found }).toMatchObject({
      exit: exitCodes.done,
      found: { found: 2, confirmed: 7, extra: 0, different: 0 },
    });
    expect(report.followUps).toMatchObject({ planned: 3, pending: 0 });
    await expectAtRest(scene, 9);
  });
});
