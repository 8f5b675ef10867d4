import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { OwnPostgres } from '../../fleet/postgres.ts';

const run = promisify(execFile);

/** A database, with the faults that can happen to it. */
export class ChaosDatabase {
  readonly #server: OwnPostgres;
  readonly #random: () => number;
  #hasCopy = false;

  constructor(server: OwnPostgres, random: () => number) {
    this.#server = server;
    this.#random = random;
  }

  /** Its first process is killed, or all of them are, and it is back after a while. */
  async crash(): Promise<void> {
    await this.#server.crash(this.#random() < 0.5 ? 'first' : 'all');
    await wait(500 + this.#random() * 3_000);
    await this.#server.start();
  }

  /** It is stopped, and as it is now it is kept. */
  async copy(): Promise<void> {
    await this.#server.stop();
    await this.#replace(this.#copy, this.#data);
    this.#hasCopy = true;
    await this.#server.start();
  }

  /** It dies, and comes back as it was when it was copied. */
  async restore(): Promise<void> {
    if (!this.#hasCopy) throw new Error('There is no copy to restore');
    await this.#server.crash('all');
    await this.#replace(this.#data, this.#copy);
    await this.#server.start();
  }

  get #data(): string {
    return join(this.#server.folder, 'data');
  }

  get #copy(): string {
    return join(this.#server.folder, 'older');
  }

  async #replace(to: string, from: string): Promise<void> {
    await run('rm', ['-rf', to]);
    // With its owner: where this is root's process, PostgreSQL is another's.
    await run('cp', ['-a', from, to]);
  }
}
