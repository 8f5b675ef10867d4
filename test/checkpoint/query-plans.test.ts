import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { countActions } from '../../src/checkpoint/delivery/action-counts.ts';
import { actionRowsReader } from '../../src/checkpoint/delivery/action-rows.ts';
import { doneReactionsReader } from '../../src/checkpoint/repair/done-actions.ts';
import { driftRows, vanishedMessages } from '../../src/checkpoint/staging/drift-rows.ts';
import {
  countFollowUps,
  dropVoidFollowUps,
  followUpRows,
  placeFollowUps,
} from '../../src/checkpoint/staging/follow-ups.ts';
import { eachMessage } from '../../src/checkpoint/base/message-facts.ts';
import { createMergeIndexes } from '../../src/checkpoint/base/message-indexes.ts';
import { collectWriters } from '../../src/checkpoint/staging/finish-staging.ts';
import { reactionStories } from '../../src/checkpoint/reports/explain-message.ts';
import { countSilentReactions, Relations, stageActions } from '../../src/checkpoint/staging/actions.ts';
import { mergeRows } from '../../src/checkpoint/staging/stage-rows.ts';
import { addDestination, openTestStore } from './fixture.ts';

/** What is asked for each row that changed, for each message or action, or at the end of every plan. */
const asked: readonly (readonly [name: string, ask: (db: Database) => unknown])[] = [
  ['mergeRows()', (db) => mergeRows(db, { onChangedAfterSending() {} })],
  ['driftRows()', driftRows],
  ['followUpRows()', followUpRows],
  ['placeFollowUps()', placeFollowUps],
  ['dropVoidFollowUps()', (db) => dropVoidFollowUps(db, 1)],
  ['countFollowUps()', (db) => countFollowUps(db, 1)],
  ['vanishedMessages()', (db) => [...vanishedMessages(db)]],
  ['stageActions() with nothing asked for', (db) => stageActions(db, [], false)],
  ['countSilentReactions()', countSilentReactions],
  ['countActions()', (db) => countActions(db, 1)],
  ['actionRowsReader()', (db) => actionRowsReader(db, 1)],
  ['doneReactionsReader()', (db) => doneReactionsReader(db, 1)],
  ['reactionStories()', reactionStories],
  ['Relations', (db) => new Relations(db)],
];

it.each(asked)('%s never looks at every delivery or every message', (_, ask) => {
  const store = openTestStore();
  const { db } = store;
  createMergeIndexes(db);
  collectWriters(db);
  addDestination(store);
  db.exec(`INSERT INTO action (kind, message, person, other, reaction) VALUES ('reactions', 1, 1, 0, '👍')`);
  const plans = statementsOf(db, ask).flatMap((sql) => planOf(db, sql));
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((line) => isLookingAtAll(line))).toEqual([
    // An index with nothing in it but follow-ups is read whole.
    ...plans.filter(
      (line) => line.endsWith('USING INDEX message_follows') || line.endsWith('COVERING INDEX message_follows'),
    ),
  ]);
});

it('eachMessage() finds the parts of a split text by their index', () => {
  const { db } = openTestStore();
  const plans = statementsOf(db, (asked) => eachMessage(asked, 1, () => {})).flatMap((sql) => planOf(db, sql));
  expect(plans.filter((line) => / p /.test(line))).toEqual(
    Array(3).fill('SEARCH p USING INDEX message_part (<expr>=?)'),
  );
});

const aliases = ['message', 'delivery', 'm', 'd', 'v', 'r', 'x', 'n'];

/** All of a table, or all that a destination ever said. */
const isLookingAtAll = (line: string) =>
  aliases.some((alias) => `${line} `.startsWith(`SCAN ${alias} `)) || line.includes('PRIMARY KEY (destination=?)');

function statementsOf(db: Database, ask: (db: Database) => unknown): string[] {
  const statements: string[] = [];
  ask(
    new Proxy(db, {
      get(target, name) {
        if (name !== 'prepare' && name !== 'exec') return Reflect.get(target, name, target);
        return (sql: string) => {
          // Not of those that make tables: they look at what `exec` was given before.
          statements.push(...sql.split(';').filter((statement) => !/^\s*(CREATE|DROP)\b/.test(statement)));
          return target[name](sql);
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
