import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../lib/atomic-file.ts';

/** A notice that nobody has taken yet. */
export interface Waiting {
  readonly id: string;
  readonly createdAtMs: number;
  /** JSON, as it is posted. */
  readonly body: string;
}

/** More than a receiver that is away for a weekend can want: 100 notices, three days. */
const noticesMax = 100;
const ageMaxMs = 3 * 24 * 3_600_000;

const fileName = /^(\d{13})-(evt_[a-z2-7]{24})\.json$/;

/**
 * The notices that wait, oldest first; a file each, so that they outlive the process. A folder that cannot be written costs
 * only that: what is in memory is still delivered.
 */
export class Outbox {
  readonly #folder: string;
  readonly #onFault: (code: string) => void;
  #waiting: Waiting[];

  /** @param onFault Told the system's code where a file could not be written, read or removed. */
  constructor(folder: string, onFault: (code: string) => void) {
    this.#folder = folder;
    this.#onFault = onFault;
    this.#waiting = this.#guard(() => readWaiting(folder)) ?? [];
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }

  /** A notice that waits already takes the place of the one before. */
  add(notice: Waiting): void {
    this.#waiting = [...this.#waiting.filter(({ id }) => id !== notice.id), notice];
    this.#guard(() => replaceFileSync(join(this.#folder, nameOf(notice)), notice.body));
  }

  /** Forgets what is too old, and the oldest where too many wait. @returns What was forgotten. */
  prune(nowMs: number): readonly Waiting[] {
    const surplus = this.#waiting.length - noticesMax;
    const dropped = this.#waiting.filter(({ createdAtMs }, index) => createdAtMs < nowMs - ageMaxMs || index < surplus);
    for (const one of dropped) this.remove(one);
    return dropped;
  }

  remove(notice: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== notice);
    this.#guard(() => rmSync(join(this.#folder, nameOf(notice)), { force: true }));
  }

  #guard<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#onFault((error as NodeJS.ErrnoException).code ?? 'unreadable');
      return undefined;
    }
  }
}

const nameOf = ({ createdAtMs, id }: Waiting) => `${String(createdAtMs).padStart(13, '0')}-${id}.json`;

function readWaiting(folder: string): Waiting[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const match = fileName.exec(name);
      if (!match) return [];
      return { createdAtMs: Number(match[1]), id: match[2]!, body: readFileSync(join(folder, name), 'utf8') };
    });
}
