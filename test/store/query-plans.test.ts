import { databaseOf } from '../../src/store/open.ts';
import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { touchedSince } from '../../src/store/base/delivery-sql.ts';
import { createMergeIndexes } from '../../src/store/base/message-indexes.ts';
import { Actions, Relations } from '../../src/store/actions.ts';
import { Conversations } from '../../src/store/conversations.ts';
import { People } from '../../src/store/people.ts';
import { Facts } from '../../src/store/facts.ts';
import { Messages } from '../../src/store/messages.ts';
import { GroupCommit } from '../../src/store/base/group-commit.ts';
import { addDestination, addFiles, openTestStore, rowOf } from './fixture.ts';
import { Totals } from '../../src/store/totals.ts';
import { Lanes } from '../../src/store/lanes.ts';
import { Failures } from '../../src/store/failures.ts';
import { Checks } from '../../src/store/checks.ts';

const messagesOf = (db: Database) => new Messages(db, new Facts(db));

/** A message that two plans read, and another version of it. */
function mergeTwice(db: Database): void {
  const rows = messagesOf(db).merge({ onChangedAfterSending() {} });
  const home = { file: 1, path: 'a.json', conversation: 1, sender: 1 };
  for (const text of ['one', 'one', 'other']) {
    rows.beginFile(1);
    rows.save(rowOf(1, text), home);
  }
  rows.save(rowOf(1, 'third'), home);
}

function lookAtDrift(db: Database): void {
  const { drift } = messagesOf(db);
  const note = { destination: 1, message: 1, kind: 'edited', digestBefore: 'a', digest: 'b', policy: 'send' } as const;
  drift.note({ ...note, seenAtMs: 0, plan: 1, followUp: null });
  drift.link({ ...note, followUp: 2 });
  drift.tell(1, 1, 2);
  for (const ask of ['digests', 'sentDigest', 'isNotedGone', 'isOwed', 'places'] as const) drift[ask](1, 1);
}

function lookAtFollowUps(db: Database): void {
  const { followUps } = messagesOf(db);
  followUps.isTaken('m1');
  followUps.offer(followUps.stage({ follows: 1, muid: 'm2', payload: '{}' }), 1);
  followUps.latestLeft(1, 1);
  followUps.withdraw(1, 1);
  followUps.dropUnoffered(1);
}

const actionsOf = (db: Database) => new Actions({ db, commits: new GroupCommit(db) });

/** Queries for each changed row, for each message or action, or at the end of every plan. */
const asked: readonly (readonly [name: string, ask: (db: Database) => unknown])[] = [
  ['merge()', mergeTwice],
  ['drift', lookAtDrift],
  ['followUps', lookAtFollowUps],
  ['place()', (db) => messagesOf(db).followUps.place()],
  ['dropVoid()', (db) => messagesOf(db).followUps.dropVoid(1)],
  ['followUps.count()', (db) => messagesOf(db).followUps.count(1)],
  ['vanished()', (db) => [...messagesOf(db).drift.vanished()]],
  ['stage() with nothing asked for', (db) => actionsOf(db).stage([], false)],
  ['countSilentReactions()', (db) => actionsOf(db).countSilentReactions()],
  ['count()', (db) => actionsOf(db).count(1)],
  ['rows()', (db) => [...actionsOf(db).rows(1, 'reactions', 'ready')]],
  ['doneReactions()', (db) => actionsOf(db).doneReactions(1, 1, 'none')],
  ['Relations', (db) => new Relations(db).add(1, 'friend', 1, 2)],
];

it.each(asked)('%s never scans all deliveries or all messages', (_, ask) => {
  const store = openTestStore();
  const db = databaseOf(store);
  createMergeIndexes(db);
  store.messages.collectWriters();
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
  const db = databaseOf(openTestStore());
  const plans = statementsOf(db, (asked) => new Totals(asked).eachMessage(1, () => {})).flatMap((sql) =>
    planOf(db, sql),
  );
  expect(plans.filter((line) => / p /.test(line))).toEqual(
    Array(3).fill('SEARCH p USING INDEX message_part (<expr>=?)'),
  );
});

/**
 * Functions that look up one message, conversation or person of many, with the statement of each and the part of its
 * plan that must be a look-up.
 */
const lookUps: readonly (readonly [name: string, what: RegExp, ask: (db: Database) => unknown])[] = [
  ['Lanes.currentMuid()', /FROM message m/, (db) => new Lanes(db).currentMuid(1, 'm1')],
  ['Lanes.doubtful()', /FROM batch b/, (db) => new Lanes(db).doubtful(1, 1)],
  [
    'RowsByMuid',
    /FROM message/,
    (db) => {
      const rows = new Lanes(db).openRowsByMuid(1);
      return [rows.find('m1'), rows.load(['m1'], { conversation: 1, cursor: [0, '', 0] })];
    },
  ],
  [
    'countParticipants()',
    /SELECT count/,
    (db) => {
      const conversations = new Conversations(db);
      conversations.collectWriters(1);
      conversations.countParticipants(1, 1);
    },
  ],
  ['Failures.refuseLateParts()', /substr/, (db) => new Failures(db).refuseLateParts(1, 1)],
  ['Checks.putBackChosen()', /temp\./, (db) => [new Lanes(db).choose([]), new Checks(db).putBackChosen(1)]],
  ['MetMessages.generationOf()', /generation/, (db) => new Checks(db).openMet(1).generationOf(1)],
  [
    'Differences',
    /^\s*(DELETE|UPDATE).* difference .*(conversation|message) = /s,
    (db) => {
      const differences = new Checks(db).openDifferences(1);
      differences.addField(1, 1, 'text');
      differences.clearConversation(1);
    },
  ],
  ['nameOfUid()', /person/, (db) => new People(db).nameOfUid('ann')],
  [
    'Totals.explain()',
    /FROM action a/,
    (db) => {
      const [file] = addFiles(db, '/a', 'day.json');
      db.exec(`INSERT INTO message (seq, muid, verdict, file, place) VALUES (1, 'm1', 'planned', ${file}, '1')`);
      db.exec(`INSERT INTO destination (id, address, name, profile, used_at) VALUES (1, 'a', 'a', 'spec', 0)`);
      return new Totals(db).explain('m1');
    },
  ],
  ['touchedSince', /batch b/, (db) => db.prepare(touchedSince.split('UNION')[0]!)],
];

it.each(lookUps)('%s reads only matching rows, by an index', (_, what, ask) => {
  const db = databaseOf(openTestStore());
  createMergeIndexes(db);
  const asked = statementsOf(db, ask).filter((sql) => what.test(sql));
  expect(asked.length).toBeGreaterThan(0);
  const lines = asked.flatMap((sql) => planOf(db, sql));
  const all =
    /^SCAN (?!c$|p USING INDEX message_part|temp|\()|^SEARCH (?!b )\w+ .*\((destination=\?|destination=\? AND muid>\?)\)/;
  expect(lines.filter((line) => all.test(line))).toEqual([]);
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
