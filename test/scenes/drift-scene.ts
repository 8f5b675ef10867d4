import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { verifyDestination } from '../../src/commands/check.ts';
import { preparedFolder } from './prepared-folder.ts';
import { sessionRequest } from './session-request.ts';
import { channel, person, says, writeRecords } from './write-records.ts';
import type { Outcome } from '../../src/commands/results.ts';

type Changes = Parameters<typeof sessionRequest>[1];

export const people = [person('ann', { name: 'Ann' }), person('bob', { name: 'Bob' })];
const general = channel('general', { members: ['ann', 'bob'] });

/** Six messages of one group, a second apart. */
export const first: readonly MessageRecord[] = [
  says(1, 'general', 'ann', 'one'),
  says(2, 'general', 'bob', 'two', { reactions: [{ emoji: '👍', users: ['ann'], count: 1 }] }),
  says(3, 'general', 'ann', 'three'),
  says(4, 'general', 'bob', 'four for @Ann', { mentions: ['ann'] }),
  says(5, 'general', 'ann', 'five'),
  says(6, 'general', 'bob', 'six'),
];

/** Returns the messages with one of them changed, by its number, or without it if there is no change. */
export const withChanged = (number: number, change?: Partial<MessageRecord>): MessageRecord[] =>
  first.flatMap((record, index) => {
    if (index !== number - 1) return [record];
    return change ? [{ ...record, ...change }] : [];
  });

/** Makes a store next to an export that changes. */
export function driftScene(folder: string) {
  const path = join(folder, 'export.ndjson');
  const request = (changes: Changes) => sessionRequest(folder, { from: [path], ...changes });
  const store = join(folder, 'chatferry.db');
  return {
    folder,
    path,
    request,
    /** The export holds these messages from now on. */
    write: (messages: readonly ChatRecord[] = first, others: readonly ChatRecord[] = people) =>
      writeRecords(path, [...others, general, ...messages]),
    plan: async (changes: Changes = {}): Promise<Outcome> => planExport(await request(changes)),
    import: async (changes: Changes = {}): Promise<Outcome> => importExport(await request(changes)),
    verify: async (changes: Changes = {}) => verifyDestination(await request(changes)),
    /** Rows of a query of the store. */
    rows: (sql: string): unknown[] => query(store, sql),
    /** Does something to the store. */
    change(sql: string): void {
      const db = new Database(store);
      db.exec(sql);
      db.close();
    },
    /** Returns the texts of the group in the sandbox, oldest first. */
    texts: (data = 'chatferry.sandbox.db') =>
      query(join(folder, data), `SELECT data ->> '$.text' FROM message ORDER BY id`) as string[],
    metadata: (data = 'chatferry.sandbox.db') =>
      (query(join(folder, data), `SELECT data -> '$.metadata.chatferry' FROM message ORDER BY id`) as string[]).map(
        (json) => JSON.parse(json) as Record<string, unknown>,
      ),
  };
}

/** Returns how to get scenes of which the six messages are in the sandbox: imported once, with these changes. */
export function sentScenes(make: () => string, changes: Changes = {}) {
  const folder = preparedFolder(make, async (made) => {
    const scene = driftScene(made);
    scene.write();
    const { report, exit } = await scene.import(changes);
    expect({ exit, imported: report.totals.imported }).toEqual({ exit: 0, imported: first.length });
  });
  return async () => driftScene(await folder());
}

function query(path: string, sql: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    const statement = db.prepare(sql);
    const rows = statement.raw().all() as unknown[][];
    return statement.columns().length === 1 ? rows.flat() : rows;
  } finally {
    db.close();
  }
}

/** Deletes a message at the destination, as a user would. */
export function removeFromSandbox(folder: string, text: string): void {
  const db = new Database(join(folder, 'chatferry.sandbox.db'));
  const { changes } = db.prepare(`DELETE FROM message WHERE data ->> '$.text' = ?`).run(text);
  db.close();
  expect(changes).toBe(1);
}
