import type { Database, Statement } from 'better-sqlite3';

/** The specification's interval. */
export const intervalSeconds = 300;

export interface Activity {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
}

/** What was sent, delivered and read, in intervals of five minutes that begin at whole multiples of five minutes. */
export class Statistics {
  readonly #count: Statement<[number, number, number, number]>;
  readonly #select: Statement<[number, number], Activity & { readonly startedAt: number }>;

  constructor(db: Database) {
    this.#count = db.prepare(
      `INSERT INTO activity (started_at, sent, delivered, read) VALUES (?, ?, ?, ?) ON CONFLICT (started_at) DO UPDATE
         SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered, read = read + excluded.read`,
    );
    this.#select = db.prepare(
      `SELECT started_at AS startedAt, sent, delivered, read FROM activity WHERE started_at BETWEEN ? AND ?`,
    );
  }

  count(atSeconds: number, { sent = 0, delivered = 0, read = 0 }: Partial<Activity>): void {
    this.#count.run(intervalStart(atSeconds), sent, delivered, read);
  }

  /** By the start of the interval, in seconds. An interval in which nothing happened is absent. */
  between(firstStart: number, lastStart: number): Map<number, Activity> {
    return new Map(this.#select.all(firstStart, lastStart).map((row) => [row.startedAt, row]));
  }
}

export const intervalStart = (seconds: number): number => seconds - (seconds % intervalSeconds);
