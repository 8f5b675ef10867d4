import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MessageRecord } from '../../src/model/records.ts';
import { driftScene, first, people, sentScenes, withChanged } from '../scenes/drift-scene.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { channel, noonMs, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolderInMemory();
const count = first.length;
const send = { drift: 'send' } as const;
/** The remains of deleted messages are sent. */
const keep = { ...send, mapping: 'messages: { deleted: keep }' };

const edit = { text: 'three, better', edited: { atMs: noonMs + 99_000 } };
const edited = withChanged(3, edit);
const deleted = withChanged(3, { text: '', isDeleted: true });
const gone = withChanged(3);
const reactions = [{ emoji: '👍', users: ['ann'], count: 1 }];
const file = { name: 'plan.pdf', url: 'https://files.example.com/plan.pdf' };

const toldDeleted = 'Deleted at the source: message of 2024-03-01 12:00 UTC';
const toldEdited = 'Edited (message of 2024-03-01 12:00 UTC): three, better';
const toldRestored = (text: string) => `Restored at the source (message of 2024-03-01 12:00 UTC): ${text}`;

const [sent, sentToKeep] = [sentScenes(home.make, send), sentScenes(home.make, keep)];

/** A scene whose six messages are in the sandbox. */
const sentWith = (changes: typeof send) => (changes === keep ? sentToKeep() : sent());

/** Returns the follow-ups about changes, after each of these exports was imported. */
async function toldOf(exports: readonly (readonly MessageRecord[])[], changes: typeof send = send) {
  const scene = await sentWith(changes);
  for (const messages of exports) {
    scene.write(messages);
    expect((await scene.import(changes)).exit).toBe(0);
  }
  const { kinds } = (await scene.plan(changes)).report.drift!;
  return { told: scene.texts().slice(count), kinds };
}

/** The same, of which only the first and the last are imported. */
async function toldAtLast(exports: readonly (readonly MessageRecord[])[], changes: typeof send = send) {
  const scene = await sentWith(changes);
  for (const messages of exports) {
    scene.write(messages);
    await scene.plan(changes);
  }
  expect((await scene.import(changes)).exit).toBe(0);
  return scene.texts().slice(count);
}

describe('a message that moved to another file', () => {
  /** A folder of files that people and conversations have one of. */
  function folderScene() {
    const folder = home.make();
    const path = join(folder, 'export');
    mkdirSync(path);
    writeRecords(join(path, 'about.ndjson'), [...people, channel('general', { members: ['ann', 'bob'] })]);
    const scene = driftScene(folder);
    return {
      ...scene,
      write: (name: string, messages: readonly MessageRecord[]) => void writeRecords(join(path, name), messages),
      remove: (name: string) => rmSync(join(path, name)),
      import: () => scene.import({ ...send, from: [path] }),
      told: () => scene.texts().slice(count),
    };
  }

  it.each(['all.ndjson', 'new.ndjson'])(
    'and was edited, then deleted, gets a follow-up as deleted: %s',
    async (name) => {
      const scene = folderScene();
      for (const messages of [first, edited]) {
        scene.write('day.ndjson', messages);
        await scene.import();
      }
      scene.remove('day.ndjson');
      scene.write(name, deleted);
      const { report } = await scene.import();
      expect(report.drift!.kinds).toEqual({ edited: 1, deleted: 1 });
      expect(scene.told()).toEqual([toldEdited, toldDeleted]);
      scene.write(name, [...deleted, says(9, 'general', 'ann', 'nine')]);
      await scene.import();
      expect(scene.told().slice(2)).toEqual(['nine']);
    },
  );

  it.each<[what: string, messages: readonly MessageRecord[], told: string[]]>([
    ['as it was', edited, []],
    ['as it was before', first, ['Edited (message of 2024-03-01 12:00 UTC): three']],
    ['without it', gone, [toldDeleted]],
  ])('gets a follow-up for its content there: %s', async (_, messages, told) => {
    const scene = folderScene();
    for (const [name, rows] of [
      ['day.ndjson', first],
      ['day.ndjson', edited],
      ['all.ndjson', messages],
    ] as const) {
      if (name === 'all.ndjson') scene.remove('day.ndjson');
      scene.write(name, rows);
      await scene.import();
    }
    expect(scene.told()).toEqual([toldEdited, ...told]);
  });
});

describe('a log to which versions are appended', () => {
  const lines = (records: readonly MessageRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const [version, mark] = [edited[2]!, deleted[2]!];

  it('yields a follow-up for a message deleted after an edit', async () => {
    const scene = driftScene(home.make());
    scene.write();
    await scene.import(send);
    for (const record of [version, mark]) {
      appendFileSync(scene.path, lines([record]));
      await scene.import(send);
    }
    expect(scene.texts().slice(count)).toEqual([toldEdited, toldDeleted]);
    // It is read whole where its beginning is another.
    scene.write([...withChanged(1, { text: 'ONE' }), version, mark]);
    await scene.import(send);
    expect(scene.texts().slice(count + 2)).toEqual(['Edited (message of 2024-03-01 12:00 UTC): ONE']);
  });

  it('yields only the deletion if both come at once, and never sends a message deleted before it was sent', async () => {
    const scene = driftScene(home.make());
    scene.write();
    await scene.import(send);
    appendFileSync(scene.path, lines([version, mark]));
    await scene.import(send);
    expect(scene.texts().slice(count)).toEqual([toldDeleted]);
    const other = driftScene(home.make());
    other.write([...first, version, mark]);
    expect((await other.import()).report.totals).toMatchObject({ imported: count - 1, skipped: 1 });
    expect(other.texts()).not.toContain(version.text);
  });
});

describe('a message that was deleted', () => {
  it('and changes later gets no follow-up for that change', async () => {
    const later = { text: '(removed)', isDeleted: true, edited: { atMs: noonMs + 99_000 } };
    const { told, kinds } = await toldOf(
      [deleted, withChanged(3, later), withChanged(3, { ...later, reactions })],
      keep,
    );
    expect(told).toEqual([toldDeleted]);
    expect(kinds).toEqual({ deleted: 1, edited: 1, reactions: 1 });
  });

  it('and changes before its follow-up was sent gets a follow-up as deleted', async () => {
    const later = { text: '(removed)', isDeleted: true, edited: { atMs: noonMs + 99_000 } };
    expect(await toldAtLast([deleted, withChanged(3, later)], keep)).toEqual([toldDeleted]);
  });

  it('comes back with another text: that is said with it', async () => {
    expect((await toldOf([gone, edited])).told).toEqual([toldDeleted, toldRestored('three, better')]);
    expect((await toldOf([deleted, edited])).told).toEqual([toldDeleted, toldRestored('three, better')]);
  });

  it('in a file that could not be read to its end gets one follow-up once the file can be read', async () => {
    for (const messages of [first.slice(0, 2), [...first.slice(0, 2), ...deleted.slice(2, 3)]]) {
      const scene = driftScene(home.make());
      scene.write();
      await scene.import(send);
      scene.write(first.slice(0, 2));
      appendFileSync(scene.path, '{"kind":"message","origin":{"sou');
      expect((await scene.import(send)).report.followUps).toBeUndefined();
      for (const _ of [1, 2]) {
        scene.write([...messages, ...first.slice(3)]);
        const { report } = await scene.import(send);
        expect(report.drift!.kinds).toEqual({ deleted: 4, restored: 3 });
        expect(scene.texts().slice(count)).toEqual([toldDeleted]);
        expect((await scene.verify()).exit).toBe(0);
      }
    }
  });
});

describe('a change whose follow-up was not sent yet', () => {
  it.each<[name: string, change: Partial<MessageRecord>]>([
    ['a reaction', { reactions }],
    ['a pin', { isPinned: true }],
  ])('is, where something less is changed behind it: %s', async (_, change) => {
    expect(await toldAtLast([edited, withChanged(3, { ...edit, ...change })])).toEqual([toldEdited]);
  });

  it('keeps its data besides the text', async () => {
    const scene = driftScene(home.make());
    scene.write();
    await scene.import(send);
    for (const more of [{}, { reactions }]) {
      scene.write(withChanged(3, { attachments: [file], ...more }));
      await scene.plan(send);
    }
    await scene.import(send);
    expect(scene.texts().slice(count)).toEqual(['Changed (message of 2024-03-01 12:00 UTC): three']);
    expect(
      scene.rows(`SELECT payload ->> '$.data.attachments[0].name' FROM message WHERE follows IS NOT NULL`),
    ).toEqual(['plan.pdf']);
  });

  it('is sent even if a plan that only reports finds a smaller change', async () => {
    const scene = driftScene(home.make());
    scene.write();
    await scene.import(send);
    scene.write(edited);
    await scene.plan(send);
    scene.write(withChanged(3, { ...edit, reactions }));
    const { report } = await scene.import();
    expect(report.drift!.kinds).toEqual({ edited: 1, reactions: 1 });
    expect(scene.texts().slice(count)).toEqual([toldEdited]);
  });

  it('announces that a message is back if its destination was sent the deletion', async () => {
    const scene = driftScene(home.make());
    for (const messages of [first, gone]) {
      scene.write(messages);
      await scene.import(send);
    }
    for (const messages of [first, edited, withChanged(3, { ...edit, reactions })]) {
      scene.write(messages);
      await scene.plan(send);
    }
    await scene.import(send);
    expect(scene.texts().slice(count)).toEqual([toldDeleted, toldRestored('three, better')]);
  });

  it.each<[what: string, told: readonly MessageRecord[], other: readonly MessageRecord[], word: string]>([
    ['gone', gone, first, toldDeleted],
    ['gone, and then marked as deleted', gone, first, toldDeleted],
    ['edited', edited, withChanged(3, { text: 'drei' }), toldEdited],
  ])('is not sent if the message again equals the last version sent: %s', async (what, told, other, word) => {
    const scene = driftScene(home.make());
    for (const messages of [first, told]) {
      scene.write(messages);
      await scene.import(send);
    }
    scene.write(other);
    expect((await scene.plan(send)).report.followUps).toMatchObject({ pending: 1 });
    scene.write(what.endsWith('marked as deleted') ? deleted : told);
    await scene.import(send);
    expect(scene.texts().slice(count)).toEqual([word]);
  });
});
