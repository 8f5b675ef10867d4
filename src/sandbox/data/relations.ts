import type { Database, Statement } from 'better-sqlite3';

/** Friends and blocks. A friendship holds both ways, a block one way. */
export class Relations {
  readonly #isFriend: Statement<[string, string], number>;
  readonly #friendCount: Statement<[string], number>;
  readonly #addFriend: Statement<[string, string, number]>;
  readonly #removeFriend: Statement<[string, string]>;
  readonly #isBlocked: Statement<[string, string], number>;
  readonly #block: Statement<[string, string, number]>;
  readonly #unblock: Statement<[string, string]>;

  constructor(db: Database) {
    this.#isFriend = db.prepare<[string, string], number>('SELECT 1 FROM friend WHERE uid = ? AND friend = ?').pluck();
    this.#friendCount = db.prepare<[string], number>('SELECT count(*) FROM friend WHERE uid = ?').pluck();
    this.#addFriend = db.prepare('INSERT INTO friend (uid, friend, created_at) VALUES (?, ?, ?)');
    this.#removeFriend = db.prepare('DELETE FROM friend WHERE uid = ? AND friend = ?');
    this.#isBlocked = db.prepare<[string, string], number>('SELECT 1 FROM block WHERE uid = ? AND blocked = ?').pluck();
    this.#block = db.prepare('INSERT OR IGNORE INTO block (uid, blocked, created_at) VALUES (?, ?, ?)');
    this.#unblock = db.prepare('DELETE FROM block WHERE uid = ? AND blocked = ?');
  }

  areFriends(uid: string, other: string): boolean {
    return this.#isFriend.get(uid, other) !== undefined;
  }

  friendCount(uid: string): number {
    return this.#friendCount.get(uid) ?? 0;
  }

  befriend(uid: string, other: string, nowSeconds: number): void {
    this.#addFriend.run(uid, other, nowSeconds);
    this.#addFriend.run(other, uid, nowSeconds);
  }

  unfriend(uid: string, other: string): void {
    this.#removeFriend.run(uid, other);
    this.#removeFriend.run(other, uid);
  }

  hasBlocked(uid: string, other: string): boolean {
    return this.#isBlocked.get(uid, other) !== undefined;
  }

  block(uid: string, other: string, nowSeconds: number): void {
    this.#block.run(uid, other, nowSeconds);
  }

  /** @returns whether there was a block. */
  unblock(uid: string, other: string): boolean {
    return this.#unblock.run(uid, other).changes > 0;
  }
}
