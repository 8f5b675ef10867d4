import { Table } from './queries.ts';

/** Friends and blocks. A friendship holds both ways, a block one way. */
export class Relations extends Table {
  areFriends(uid: string, other: string): boolean {
    return this.db.has('SELECT 1 FROM friend WHERE uid = ? AND friend = ?', uid, other);
  }

  friendCount(uid: string): number {
    return this.db.value<number>('SELECT count(*) FROM friend WHERE uid = ?', uid) ?? 0;
  }

  befriend(uid: string, other: string, nowSeconds: number): void {
    const add = 'INSERT INTO friend (uid, friend, created_at) VALUES (?, ?, ?), (?, ?, ?)';
    this.db.run(add, uid, other, nowSeconds, other, uid, nowSeconds);
  }

  unfriend(uid: string, other: string): void {
    this.db.run('DELETE FROM friend WHERE (uid, friend) IN (VALUES (?, ?), (?, ?))', uid, other, other, uid);
  }

  hasBlocked(uid: string, other: string): boolean {
    return this.db.has('SELECT 1 FROM block WHERE uid = ? AND blocked = ?', uid, other);
  }

  block(uid: string, other: string, nowSeconds: number): void {
    this.db.run('INSERT OR IGNORE INTO block (uid, blocked, created_at) VALUES (?, ?, ?)', uid, other, nowSeconds);
  }

  /** @returns whether there was a block. */
  unblock(uid: string, other: string): boolean {
    return this.db.run('DELETE FROM block WHERE uid = ? AND blocked = ?', uid, other).changes > 0;
  }
}
