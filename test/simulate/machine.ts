import type { Database } from 'better-sqlite3';
import { GroupCommit } from '../../src/store/base/group-commit.ts';
import { type Store, storeOf } from '../../src/store/open.ts';
import { openImage } from './database-image.ts';
import type { Life } from './life.ts';

/** A machine with a checkpoint store. The store is in memory: committed data survives every life of the client, and nothing else does. */
export class Machine {
  #db: Database;

  constructor(image: Buffer) {
    this.#db = openImage(image);
  }

  /** The store as a client of this life sees it. Closing it does nothing: the next life reads on. */
  store(life: Life): Store {
    const commits = new MortalCommit(this.#db, life);
    return storeOf({ path: 'simulated.db', db: this.#db, commits, close() {} });
  }

  get db(): Database {
    return this.#db;
  }

  /** A copy of the store as it is on disk now. */
  image(): Buffer {
    return this.#db.serialize();
  }

  /** Puts a copy back, as a user would. */
  restore(image: Buffer): void {
    this.#db.close();
    this.#db = openImage(image);
  }

  close(): void {
    this.#db.close();
  }
}

/** Commits as long as the client lives: a transaction that is being written when it dies is not there afterwards. */
class MortalCommit extends GroupCommit {
  readonly #life: Life;

  constructor(db: Database, life: Life) {
    super(db);
    this.#life = life;
  }

  override commit(...[write, kind]: Parameters<GroupCommit['commit']>): Promise<void> {
    return this.#life.through(super.commit(this.#mortal(write), kind));
  }

  override queue(write: () => void): void {
    super.queue(this.#mortal(write));
  }

  #mortal(write: () => void): () => void {
    return () => {
      this.#life.moment();
      this.#life.assertAlive();
      write();
    };
  }
}
