import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../src/store/base/group-commit.ts';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { storePath } from './fixture.ts';

function openCommits() {
  const path = storePath();
  const db = openDatabase(path);
  db.exec('CREATE TABLE a (b INTEGER CHECK (b < 100))');
  const insert = db.prepare('INSERT INTO a VALUES (?)');
  const put = (value: number) => () => void insert.run(value);
  /** Returns the data on disk, as another process would find it. */
  const onDisk = () => {
    const other = new Database(path, { readonly: true });
    const values = other.prepare('SELECT b FROM a ORDER BY rowid').pluck().all();
    other.close();
    return values;
  };
  return { db, commits: new GroupCommit(db), put, onDisk };
}

/** A disk that is full until the reserve is spent; `room` says for how many commits there is room then. */
function openOnFullDisk({ room }: { readonly room: number }) {
  const { db, put, onDisk } = openCommits();
  const disk = { isFull: false, left: room, isHeld: false, spent: 0 };
  const commits = new GroupCommit(db, {
    hold() {
      if (disk.spent > 0) throw new Error('There is no room to hold any more');
      disk.isHeld = true;
    },
    spend() {
      if (!disk.isHeld) return false;
      disk.isHeld = false;
      disk.spent++;
      return true;
    },
  });
  /** A write as a full disk would meet it. */
  const write = (value: number) => () => {
    const hasRoom = !disk.isFull || (disk.spent > 0 && disk.left-- > 0);
    if (!hasRoom) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    put(value)();
  };
  return { disk, commits, write, onDisk };
}

const isFullError = { name: 'StoreError', message: expect.stringContaining('the disk is full') };

describe('GroupCommit', () => {
  it('resolves in the order of the calls, once the writes are on disk', async () => {
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

  it('commits concurrent calls together', async () => {
    const { db, commits, put, onDisk } = openCommits();
    const whileWriting: unknown[] = [];
    const look = () => {
      whileWriting.push(db.inTransaction, onDisk());
    };
    await Promise.all([commits.commit(put(1)), commits.commit(look)]);
    expect(whileWriting).toEqual([true, []]);
    expect(onDisk()).toEqual([1]);
  });

  it('writes queued work before any later commit resolves', async () => {
    const { commits, put, onDisk } = openCommits();
    commits.queue(put(1));
    await commits.commit(put(2));
    expect(onDisk()).toEqual([1, 2]);
  });

  it('writes nothing of a group if one write fails, and rejects the whole group and all later commits', async () => {
    const { commits, put, onDisk } = openCommits();
    await commits.commit(put(1));
    const turn = await Promise.allSettled([commits.commit(put(2)), commits.commit(put(100)), commits.commit(put(3))]);
    expect(turn.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(commits.commit(put(4))).rejects.toThrow('CHECK constraint failed');
    expect(onDisk()).toEqual([1]);
  });

  it('rejects queued writes that no caller awaits', async () => {
    const { commits, put, onDisk } = openCommits();
    commits.queue(put(100));
    await expect(commits.commit(put(1))).rejects.toThrow('CHECK constraint failed');
    expect(onDisk()).toEqual([]);
  });
});

describe('GroupCommit on a full disk', () => {
  it('frees the reserve, writes the answers and rejects new intents', async () => {
    const { disk, commits, write, onDisk } = openOnFullDisk({ room: 100 });
    await commits.commit(write(1), 'intent');
    expect(disk).toMatchObject({ isHeld: true, spent: 0 });
    disk.isFull = true;
    const receipt = commits.commit(write(2));
    const intent = commits.commit(write(3), 'intent');
    await expect(intent).rejects.toMatchObject(isFullError);
    await receipt;
    await commits.commit(write(4));
    await expect(commits.commit(write(5), 'intent')).rejects.toMatchObject(isFullError);
    expect(onDisk()).toEqual([1, 2, 4]);
    expect(commits.isSound).toBe(true);
    expect(disk.spent).toBe(1);
  });

  it('fails for good when the reserve is used up as well', async () => {
    const { disk, commits, write, onDisk } = openOnFullDisk({ room: 1 });
    await commits.commit(write(1), 'intent');
    disk.isFull = true;
    await commits.commit(write(2));
    await expect(commits.commit(write(3))).rejects.toMatchObject(isFullError);
    disk.isFull = false;
    await expect(commits.commit(write(4))).rejects.toMatchObject(isFullError);
    expect(onDisk()).toEqual([1, 2]);
    expect(commits.isSound).toBe(false);
  });

  it('does not try anything again after another fault of the disk', async () => {
    const { commits, write, onDisk, disk } = openOnFullDisk({ room: 1 });
    await commits.commit(write(1), 'intent');
    let tries = 0;
    const broken = () => {
      tries++;
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    };
    await expect(commits.commit(broken)).rejects.toMatchObject({
      message: expect.stringContaining('SQLITE_IOERR_FSYNC'),
    });
    await expect(commits.commit(write(2))).rejects.toMatchObject({ name: 'StoreError' });
    expect({ tries, spent: disk.spent, onDisk: onDisk() }).toEqual({ tries: 1, spent: 0, onDisk: [1] });
  });

  it('sends nothing if there is no room for a reserve', async () => {
    const { db, put, onDisk } = openCommits();
    const hold = () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    const commits = new GroupCommit(db, { hold, spend: () => false });
    await expect(commits.commit(put(1), 'intent')).rejects.toMatchObject(isFullError);
    expect(onDisk()).toEqual([]);
  });
});
