import { Table } from './queries.ts';

/** The specification's interval. */
export const intervalSeconds = 300;

export interface Activity {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
}

/** Messages sent, delivered and read, in intervals of five minutes that begin at whole multiples of five minutes. */
export class Statistics extends Table {
  count(atSeconds: number, { sent = 0, delivered = 0, read = 0 }: Partial<Activity>): void {
    const add = `INSERT INTO activity (started_at, sent, delivered, read) VALUES (?, ?, ?, ?) ON CONFLICT (started_at) DO UPDATE
      SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered, read = read + excluded.read`;
    this.db.run(add, intervalStart(atSeconds), sent, delivered, read);
  }

  /** By the start of the interval, in seconds. An interval in which nothing happened is absent. */
  between(firstStart: number, lastStart: number): Map<number, Activity> {
    const rows = this.db.rows<Activity & { readonly startedAt: number }>(
      `SELECT started_at AS startedAt, sent, delivered, read FROM activity WHERE started_at BETWEEN ? AND ?`,
      firstStart,
      lastStart,
    );
    return new Map(rows.map((row) => [row.startedAt, row]));
  }
}

export const intervalStart = (seconds: number): number => seconds - (seconds % intervalSeconds);
