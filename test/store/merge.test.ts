import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { versionOfRecord } from '../../src/model/record-digest.ts';
import { createMergeIndexes } from '../../src/store/base/message-indexes.ts';
import { RowAppender } from '../../src/store/messages/append.ts';
import type { StagedRow } from '../../src/model/staged-item.ts';
import { addCast, addDestination, addFiles, deliver, openTestStore, rowOf } from './fixture.ts';

/** Two archives, each with one file of rows. */
function opened() {
  const store = openTestStore();
  const db = databaseOf(store);
  const { people, conversations } = addCast(db);
  const [a] = addFiles(db, '/a', 'day.json') as [number];
  const [b] = addFiles(db, '/b', 'day.json') as [number];
  const home = (file: number) => ({ file, path: 'a.json', conversation: conversations.C1!, sender: people.U1! });
  const lane = { conversation: conversations.C1!, receiverType: 'group' };

  return {
    store,
    lane,
    files: { a, b },
    /** The first plan. */
    load(...read: readonly (readonly [file: number, ...rows: StagedRow[]])[]) {
      const writer = new RowAppender(db);
      for (const [file, ...rows] of read) for (const row of rows) writer.save(row, home(file));
      writer.flush();
      createMergeIndexes(db);
      store.messages.markRepeated();
    },
    /** A later plan that reads these files again. Answers what changed after it was sent, and files to read again. */
    merge(...read: readonly (readonly [file: number, ...rows: StagedRow[]])[]) {
      const changed: (string | null)[] = [];
      const writer = store.messages.merge({ onChangedAfterSending: ({ muid }) => changed.push(muid) });
      for (const [file, ...rows] of read) {
        writer.beginFile(file);
        for (const row of rows) writer.save(row, home(file));
        writer.flush();
      }
      return { changed, twins: store.messages.dropUnmet() };
    },
    /** Returns the staged rows: muid, verdict, file, text, vanished; in reading order. */
    staged: () =>
      db
        .prepare(
          `SELECT muid, verdict, file, payload ->> '$.data.text', vanished FROM message ORDER BY muid, verdict = 'duplicate', file`,
        )
        .raw()
        .all(),
  };
}

describe('merge()', () => {
  it('changes nothing when the same is read again, and keeps every seq', () => {
    const { load, merge, staged, store, files } = opened();
    load([files.a, rowOf(1), rowOf(2)]);
    const seqs = () => databaseOf(store).prepare('SELECT seq, muid FROM message ORDER BY seq').raw().all();
    const [before, seqsBefore] = [staged(), seqs()];
    expect(merge([files.a, rowOf(2), rowOf(1)])).toEqual({ changed: [], twins: [] });
    expect([staged(), seqs()]).toEqual([before, seqsBefore]);
  });

  it('adds new rows, replaces changed rows and drops missing rows', () => {
    const { load, merge, staged, files } = opened();
    load([files.a, rowOf(1), rowOf(2, 'old'), rowOf(3)]);
    merge([files.a, rowOf(1), rowOf(2, 'new'), rowOf(4)]);
    expect(staged()).toEqual([
      ['m11', 'planned', files.a, 'hello', 0],
      ['m12', 'planned', files.a, 'new', 0],
      ['m14', 'planned', files.a, 'hello', 0],
    ]);
  });

  it('leaves files alone that are not read again', () => {
    const { load, merge, staged, files } = opened();
    load([files.a, rowOf(1)], [files.b, rowOf(2)]);
    merge([files.a, rowOf(1, 'new')]);
    expect(staged()).toEqual([
      ['m11', 'planned', files.a, 'new', 0],
      ['m12', 'planned', files.b, 'hello', 0],
    ]);
  });

  it('takes over a changed verdict although neither message nor payload changed', () => {
    const { load, merge, store, files } = opened();
    const blank = (verdict: 'invalid' | 'skipped', reason: string) => rowOf(1, '', { verdict, reason, payload: null });
    load([files.a, blank('invalid', 'blank-text')]);
    merge([files.a, blank('skipped', 'empty message')]);
    expect(databaseOf(store).prepare('SELECT verdict, reason FROM message').raw().all()).toEqual([
      ['skipped', 'empty message'],
    ]);
  });

  it('keeps the order of reading and every column in a first plan, whatever rows have', () => {
    const { store, files } = opened();
    const db = databaseOf(store);
    const writer = new RowAppender(db);
    const home = { file: files.a, path: 'a.json', conversation: 1, sender: 1 };
    const rows = Array.from({ length: 30 }, (_, id) => rowOf(id));
    rows[3] = rowOf(3, 'edited', { editedAtMs: 5 });
    rows[14] = rowOf(14, '', { verdict: 'skipped', reason: 'empty message', payload: null });
    rows[15] = rowOf(15, '', { muid: null, verdict: 'invalid', reason: 'bad', detail: 'broken', payload: null });
    rows[16] = rowOf(16, 'head', { part: 1 });
    rows[27] = rowOf(27, 'reply', { rootMuid: 'm13', facts: '{"replies":1}' });
    for (const [id, row] of rows.entries()) writer.save(row, { ...home, reactions: id === 20 ? '[]' : null });
    writer.flush();
    const written = db.prepare('SELECT * FROM message ORDER BY seq').all();
    expect(written).toMatchObject(
      rows.map((row, id) => ({
        muid: row.muid,
        origin_id: row.originId,
        sent_at: row.sentAtMs,
        sort_key: row.sortKey,
        edited_at: row.editedAtMs,
        record_digest: row.recordDigest,
        verdict: row.verdict,
        reason: row.reason,
        detail: row.detail,
        payload: row.payload,
        root_muid: row.rootMuid,
        facts: row.facts,
        place: row.place,
        part: row.part ?? null,
        reactions: id === 20 ? '[]' : null,
        file: files.a,
        conversation: 1,
        sender: 1,
        stale: 0,
      })),
    );
  });

  it('counts rows without an identity once, however often their file is read', () => {
    const { load, merge, staged, files } = opened();
    const broken = rowOf(1, '', { muid: null, verdict: 'invalid', reason: 'bad-row', payload: null });
    load([files.a, broken]);
    merge([files.a, broken, broken]);
    expect(staged()).toHaveLength(2);
  });
});

describe('a message in two archives', () => {
  const early = rowOf(1, 'early', { editedAtMs: 1000, version: versionOfRecord({ edited: { atMs: 1000 } }) });
  const late = rowOf(1, 'late', { editedAtMs: 2000, version: versionOfRecord({ edited: { atMs: 2000 } }) });
  const gone = rowOf(1, 'gone', { facts: '{"deleted":1}', version: versionOfRecord({ isDeleted: true }) });
  const newer = rowOf(1, 'newer', { version: versionOfRecord({ version: { changedAtMs: 1 } }) });

  it.each([
    ['the later archive', rowOf(1, 'first'), rowOf(1, 'second'), 'second'],
    ['the later edit', late, early, 'late'],
    ['the later edit', early, late, 'late'],
    ['the deletion behind an edit', late, gone, 'gone'],
    ['the deletion before an edit', gone, late, 'gone'],
    ['the later update time', newer, late, 'newer'],
    ['the later update time', gone, newer, 'newer'],
  ])('has the version of %s, in a first plan and in every later one', (_, inA, inB, text) => {
    const { load, merge, staged, files } = opened();
    const winner = text === inA.payload?.match(/"text":"(\w+)"/)?.[1] ? files.a : files.b;
    const loser = winner === files.a ? files.b : files.a;
    const expected = [
      ['m11', 'planned', winner, text, 0],
      ['m11', 'duplicate', loser, null, 0],
    ];
    load([files.a, inA], [files.b, inB]);
    expect(staged()).toEqual(expected);
    for (const again of [[files.a], [files.b], [files.a, files.b]]) {
      merge(...again.map((file) => [file, file === files.a ? inA : inB] as const));
      expect(staged()).toEqual(expected);
    }
  });

  it('has the later version of one file, in a first plan and in every later one', () => {
    const { load, merge, staged, files } = opened();
    const expected = [
      ['m11', 'planned', files.a, 'second', 0],
      ['m11', 'duplicate', files.a, null, 0],
    ];
    load([files.a, rowOf(1, 'first'), rowOf(1, 'second')]);
    expect(staged()).toEqual(expected);
    merge([files.a, rowOf(1, 'first'), rowOf(1, 'second')]);
    expect(staged()).toEqual(expected);
  });

  it('comes back from the other archive when the first one no longer holds it', () => {
    const { load, merge, staged, files } = opened();
    load([files.a, rowOf(1, 'x')], [files.b, rowOf(1, 'x')]);
    expect(merge([files.b])).toEqual({ changed: [], twins: [files.a] });
    expect(merge([files.a, rowOf(1, 'x')]).twins).toEqual([]);
    expect(staged()).toEqual([['m11', 'planned', files.a, 'x', 0]]);
  });

  it('comes back from the other archive if it was sent, and has not vanished', async () => {
    const { load, merge, staged, files, store, lane } = opened();
    load([files.a, rowOf(1, 'x')], [files.b, rowOf(1, 'x')]);
    const seq = databaseOf(store).prepare(`SELECT seq FROM message WHERE verdict = 'planned'`).pluck().get() as number;
    await deliver(addDestination(store), lane, [seq], 'imported');
    expect(merge([files.b]).twins).toEqual([files.a]);
    merge([files.a, rowOf(1, 'x')]);
    expect(staged()).toEqual([['m11', 'planned', files.a, 'x', 0]]);
  });
});

describe('a message that was sent', () => {
  it('stays when its file no longer holds it, marked as vanished, and comes back with it', async () => {
    const { load, merge, staged, files, store, lane } = opened();
    load([files.a, rowOf(1), rowOf(2)]);
    await deliver(addDestination(store), lane, [1], 'imported');
    merge([files.a]);
    expect(staged()).toEqual([['m11', 'planned', files.a, 'hello', 1]]);
    merge([files.a, rowOf(1)]);
    expect(staged()).toEqual([['m11', 'planned', files.a, 'hello', 0]]);
  });

  it('leaves when it surely never arrived anywhere', async () => {
    const { load, merge, staged, files, store, lane } = opened();
    load([files.a, rowOf(1)]);
    await deliver(addDestination(store), lane, [1], 'pending');
    expect(merge([files.a, rowOf(1, 'changed')]).changed).toEqual([]);
    merge([files.a]);
    expect([staged(), databaseOf(store).prepare('SELECT count(*) FROM delivery').pluck().get()]).toEqual([[], 0]);
  });

  it('keeps the sent payload if the source changes it, at every destination that has it, and is named', async () => {
    const { load, merge, files, store, lane } = opened();
    load([files.a, rowOf(1, 'sent')]);
    const [first, second, third] = ['https://one', 'https://two', 'https://three'].map((address) =>
      addDestination(store, address),
    );
    await deliver(first!, lane, [1], 'imported');
    await deliver(second!, lane, [1], 'sent');
    await deliver(third!, lane, [1], 'pending');
    expect(merge([files.a, rowOf(1, 'changed')]).changed).toEqual(['m11']);
    const payloads = [first, second, third].map(({ id } = { id: 0, run: 0, journal: undefined as never }) => {
      const row = store.lanes.openRowsByMuid(id).find('m11')!;
      return JSON.parse(row.payload) as Record<string, unknown>;
    });
    const frozen = { sender: 'u1', receiver: 'c1', receiverType: 'group', data: { text: 'sent' } };
    expect(payloads).toMatchObject([frozen, frozen, { data: { text: 'changed' } }]);
  });

  it('is not named when only the mapping changed', async () => {
    const { load, merge, files, store, lane } = opened();
    load([files.a, rowOf(1, 'sent')]);
    await deliver(addDestination(store), lane, [1], 'imported');
    const remapped = rowOf(1, 'sent', { payload: '{"data":{"text":"mapped otherwise"}}' });
    expect(merge([files.a, remapped]).changed).toEqual([]);
  });

  it('is compared with its new version once that was sent', async () => {
    const { load, merge, files, store, lane } = opened();
    load([files.a, rowOf(1, 'old')]);
    const destination = addDestination(store);
    await deliver(destination, lane, [1], 'sent');
    merge([files.a, rowOf(1, 'new')]);
    const textThere = () => JSON.parse(store.lanes.openRowsByMuid(destination.id).find('m11')!.payload).data.text;
    expect(textThere()).toBe('old');
    // Absent after the grace, and sent as it is by then.
    await destination.journal.record(undefined, [{ seq: 1, state: 'pending' }], { closes: false });
    await deliver(destination, lane, [1], 'imported');
    expect(textThere()).toBe('new');
  });
});
