import { expect, it } from 'vitest';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { alter, importedScene, longest } from './scene.ts';

const home = temporaryFolder();

it('verify --sample checks the given number of messages, spread over the conversations, and reports it', async () => {
  const scene = await importedScene(home.make());
  const { report, exit } = await scene.verify({ sample: { size: 10, seed: 'a' } });
  expect(exit).toBe(0);
  const of = scene.made.planned;
  expect(report.verify).toEqual({
    same: 10,
    missing: 0,
    extra: 0,
    different: 0,
    duplicated: 0,
    foreign: 0,
    sample: { messages: 10, of, conversations: scene.made.conversations.size, seed: 'a' },
  });
  expect(report.requests.list).toBeLessThanOrEqual(10);
});

it('verify --sample chooses the same messages for the same seed, and others for another', async () => {
  const scene = await importedScene(home.make());
  // Everything is altered: what is found is what was looked at.
  alter(scene.data, (db) => db.exec(`UPDATE message SET data = json_set(data, '$.text', 'other')`));
  const chosen = async (seed?: string) => {
    const { report, exit } = await scene.verify({ sample: { size: 20, seed } });
    expect(exit).toBe(6);
    expect(report.differences).toHaveLength(20);
    return { muids: report.differences.map(({ muid }) => muid).sort(), seed: report.verify!.sample!.seed };
  };
  const first = await chosen('a');
  expect(await chosen('a')).toEqual(first);
  expect((await chosen('b')).muids).not.toEqual(first.muids);
  const unnamed = await chosen();
  expect(await chosen(unnamed.seed)).toEqual(unnamed);
});

it('verify --sample with more messages than there are finds missing, duplicated and out-of-order ones', async () => {
  const scene = await importedScene(home.make());
  const [gone, first, second, twice] = alter(scene.data, (db) => {
    const rows = longest(db);
    const [one, two, three, four] = [rows[3]!, rows[6]!, rows[7]!, rows[10]!];
    db.prepare('DELETE FROM message WHERE id = ?').run(one.id);
    for (const [to, from] of [
      [-1, two.id],
      [two.id, three.id],
      [three.id, -1],
    ])
      db.prepare('UPDATE message SET id = ? WHERE id = ?').run(to, from);
    const columns = 'muid, data, conversation, sender, receiver, receiver_type, category, type, tags, sent_at';
    db.prepare(`INSERT INTO message (${columns}) SELECT ${columns} FROM message WHERE id = ?`).run(four.id);
    return [one.muid, two.muid, three.muid, four.muid];
  });
  const { report } = await scene.verify({ sample: { size: 1_000_000, seed: 'a' } });
  const kinds = new Map(report.differences.map(({ kind, muid }) => [muid, kind]));
  expect(kinds.get(gone!)).toBe('missing');
  expect(kinds.get(twice!)).toBe('duplicated');
  expect([kinds.get(first!), kinds.get(second!)].filter(Boolean)).toEqual(['different']);
  expect(report.verify?.sample).toMatchObject({ messages: scene.made.planned, of: scene.made.planned });
});

it('verify --sample leaves nothing marked as verified', async () => {
  const scene = await importedScene(home.make(), {}, { verify: false });
  await scene.verify({ sample: { size: 10 } });
  const count = (table: string) =>
    alter(scene.store, (db) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  expect(count('conversation_check')).toBe(0);
});

it('verify --sample cannot repair', async () => {
  const scene = await importedScene(home.make());
  const repair = { sendProfiles: 'first', maxFailureShare: 1 } as const;
  await expect(scene.verify({ sample: { size: 1 }, repair })).rejects.toThrow('Cannot repair from a sample');
});
