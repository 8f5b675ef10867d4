import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { firedAlarms } from '../../src/decisions/alarms.ts';
import type { ReadingResult } from '../../src/model/reading-result.ts';
import { openStoreToRead } from '../../src/store/open.ts';

/** The results of a reading as its picture has them: a stand-in until the plan stores them. */
export function pictureOf(store: string): Readonly<Record<string, string>> {
  if (!existsSync(store)) return {};
  const db = new Database(store, { readonly: true });
  const all = (sql: string) => db.prepare<[], Record<string, string | number>>(sql).all();
  const line = (sql: string) =>
    all(sql)
      .map((row) => Object.values(row).join(' '))
      .join(' · ');
  try {
    return {
      Messages: line(
        `SELECT count(*) AS n, sum(verdict = 'planned') AS p, sum(verdict = 'invalid') AS i, sum(verdict = 'skipped') AS s FROM message`,
      ),
      'Left out': line(
        `SELECT count(*) AS n, reason FROM message WHERE verdict <> 'planned' GROUP BY reason ORDER BY 1 DESC, 2`,
      ),
      'Written by': line(
        `SELECT count(DISTINCT sender) AS n, sum(p.is_placeholder) AS u, sum(p.source_id IN ('0','-1','')) AS z FROM message m JOIN person p ON p.id = m.sender WHERE verdict = 'planned'`,
      ),
      Top: line(
        `SELECT p.name, count(*) AS n FROM message m JOIN person p ON p.id = m.sender WHERE verdict = 'planned' GROUP BY p.id ORDER BY 2 DESC, 1 LIMIT 8`,
      ),
      In: line(
        `SELECT count(*) AS rooms, sum(n = 1) AS one, sum(w = 1) AS writer FROM (SELECT count(*) AS n, count(DISTINCT sender) AS w FROM message WHERE verdict = 'planned' GROUP BY conversation)`,
      ),
      Rooms: line(
        `SELECT c.name, count(*) AS n FROM message m JOIN conversation c ON c.id = m.conversation WHERE verdict = 'planned' GROUP BY c.id ORDER BY 2 DESC, 1 LIMIT 8`,
      ),
      Names: line(
        `SELECT count(DISTINCT p.id) AS n FROM message m JOIN person p ON p.id = m.sender WHERE verdict = 'planned' AND (p.name = p.source_id OR p.name LIKE '%@%')`,
      ),
      Times: line(`SELECT min(sent_at) / 60000 AS a, max(sent_at) / 60000 AS b FROM message WHERE verdict = 'planned'`),
      'Seen by': line(
        `SELECT type, count(*) AS n FROM conversation WHERE id IN (SELECT conversation FROM message WHERE verdict = 'planned') GROUP BY type ORDER BY 1`,
      ),
      Members: line(
        `SELECT sum(json_array_length(record, '$.members')) AS n FROM conversation WHERE id IN (SELECT conversation FROM message WHERE verdict = 'planned')`,
      ),
      'Not read': line(`SELECT reason FROM problem WHERE code = 'table-not-read' ORDER BY 1`),
      Rows: line(
        `SELECT payload ->> '$.data.text' AS t FROM message WHERE verdict = 'planned' ORDER BY length(t) DESC LIMIT 6`,
      ),
    };
  } finally {
    db.close();
  }
}

/** Names of the alarms that a reading trips. */
export function alarmsOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const store = openStoreToRead(path);
  try {
    const result = JSON.parse(store.facts.read('reading') ?? 'null') as ReadingResult | null;
    const fired = result === null ? [] : firedAlarms(result, undefined, { isTable: true, seen: {} });
    return fired.map(({ id }) => id.replace('alarm-', ''));
  } finally {
    store.close();
  }
}
