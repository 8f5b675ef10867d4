import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../src/checkpoint/group-commit.ts';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { storePath } from './fixture.ts';

function openCommits() {
  const path = storePath();
  const db = openDatabase(path);
  db.exec('CREATE TABLE a (b INTEGER CHECK (b < 100))');
  const insert = db.prepare('INSERT INTO a VALUES (?)');
  const put = (value: number) => () => void insert.run(value);
  /** What is on disk, as another process would find it. */
  const onDisk = () => {
    const other = new Database(path, { readonly: true });
    const values = other.prepare('SELECT b FROM a ORDER BY rowid').pluck().all();
    other.close();
    return values;
  };
  return { db, commits: new GroupCommit(db), put, onDisk };
}

describe('GroupCommit', () => {
  it('resolves when what was written is on disk, in the order of asking', async () => {
    const { commits, put, onDisk } = openCommits();
    const seen: unknown[][] = [];
    const first = commits.commit(put(1)).then(() => seen.push(onDisk()));
    const second = commits.commit(put(2)).then(() => seen.push(onDisk()));
    expect(onDisk()).toEqual([]);
    await Promise.all([first, second]);
    expect(seen).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('commits together what is asked for together', async () => {
    const { db, commits, put, onDisk } = openCommits();
    const whileWriting: unknown[] = [];
    const look = () => {
      whileWriting.push(db.inTransaction, onDisk());
    };
    await Promise.all([commits.commit(put(1)), commits.commit(look)]);
    expect(whileWriting).toEqual([true, []]);
    expect(onDisk()).toEqual([1]);
  });

  it('writes what is queued before any later commit resolves', async () => {
    const { commits, put, onDisk } = openCommits();
    commits.queue(put(1));
    await commits.commit(put(2));
    expect(onDisk()).toEqual([1, 2]);
  });

  it('writes nothing of a turn in which one write fails, and rejects all of it and everything after', async () => {
    const { commits, put, onDisk } = openCommits();
    await commits.commit(put(1));
    const turn = await Promise.allSettled([commits.commit(put(2)), commits.commit(put(100)), commits.commit(put(3))]);
    expect(turn.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(commits.commit(put(4))).rejects.toThrow('CHECK constraint failed');
    expect(onDisk()).toEqual([1]);
  });

  it('fails with what was queued, although nobody waited for that', async () => {
    const { commits, put, onDisk } = openCommits();
    commits.queue(put(100));
    await expect(commits.commit(put(1))).rejects.toThrow('CHECK constraint failed');
    expect(onDisk()).toEqual([]);
  });
});
