import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { driftRows } from '../../src/checkpoint/drift-rows.ts';
import { countFollowUps, dropVoidFollowUps, followUpRows, placeFollowUps } from '../../src/checkpoint/follow-ups.ts';
import { createMergeIndexes } from '../../src/checkpoint/message-indexes.ts';
import { mergeRows } from '../../src/checkpoint/stage-rows.ts';
import { vanishedMessages } from '../../src/checkpoint/vanished-messages.ts';
import { openTestStore } from './fixture.ts';

/** What is asked for each row that changed, or at the end of every plan. */
const asked: readonly (readonly [name: string, ask: (db: Database) => unknown])[] = [
  ['mergeRows()', (db) => mergeRows(db, { onChangedAfterSending() {} })],
  ['driftRows()', driftRows],
  ['followUpRows()', followUpRows],
  ['placeFollowUps()', placeFollowUps],
  ['dropVoidFollowUps()', (db) => dropVoidFollowUps(db, 1)],
  ['countFollowUps()', (db) => countFollowUps(db, 1)],
  ['vanishedMessages()', (db) => [...vanishedMessages(db)]],
];

it.each(asked)('%s never looks at every delivery or every message', (_, ask) => {
  const { db } = openTestStore();
  createMergeIndexes(db);
  const plans = statementsOf(db, ask).flatMap((sql) => planOf(db, sql));
  expect(plans.length).toBeGreaterThan(0);
  const aliases = ['message', 'delivery', 'm', 'd', 'v', 'r', 'x', 'n'];
  expect(plans.filter((line) => aliases.some((alias) => `${line} `.startsWith(`SCAN ${alias} `)))).toEqual([
    // An index with nothing in it but follow-ups is read whole.
    ...plans.filter(
      (line) => line.endsWith('USING INDEX message_follows') || line.endsWith('COVERING INDEX message_follows'),
    ),
  ]);
});

function statementsOf(db: Database, ask: (db: Database) => unknown): string[] {
  const statements: string[] = [];
  ask(
    new Proxy(db, {
      get(target, name) {
        if (name !== 'prepare') return Reflect.get(target, name, target);
        return (sql: string) => {
          statements.push(sql);
          return target.prepare(sql);
        };
      },
    }),
  );
  return statements;
}

function planOf(db: Database, sql: string): string[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name!, 1]);
  const values = names.length > 0 ? [Object.fromEntries(names)] : Array.from(sql.matchAll(/\?/g), () => 1);
  const rows = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  return rows.map(({ detail }) => detail);
}
