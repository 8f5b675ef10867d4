import type { Database } from 'better-sqlite3';

/** What one job remembers of where its export comes from. Forgotten where the configuration names another place. */
export interface LocationMemory<T> {
  read(): T | undefined;
  write(memory: T): void;
}

/** @param key The location as it is configured. */
export function locationMemory<T>(db: Database, job: string, key: string): LocationMemory<T> {
  return {
    read() {
      const text = db.prepare('SELECT memory FROM location WHERE job = ? AND key = ?').pluck().get(job, key);
      return text === undefined ? undefined : (JSON.parse(text as string) as T);
    },
    write(memory) {
      db.prepare(
        `INSERT INTO location VALUES (?, ?, ?)
         ON CONFLICT (job) DO UPDATE SET key = excluded.key, memory = excluded.memory`,
      ).run(job, key, JSON.stringify(memory));
    },
  };
}
