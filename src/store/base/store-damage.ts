import { existsSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import { z } from 'zod';
import type { StoreError } from '../../lib/errors.ts';
import { migrate } from '../../lib/migrations.ts';
import { openDatabase } from '../../lib/sqlite.ts';
import { damaged } from './health.ts';
import { createMergeIndexes } from './message-indexes.ts';
import { type Meta, Facts } from '../facts.ts';
import { storeKind } from './connection.ts';

/** Columns that must hold JSON, if they hold anything. */
const jsonColumns = [
  ['message', 'facts'],
  ['message', 'payload'],
  ['person', 'details'],
  ['person', 'record'],
  ['conversation', 'details'],
  ['conversation', 'record'],
  ['delivery', 'payload'],
  ['run', 'requests'],
  ['run', 'verify'],
  ['run', 'stopped'],
] as const;

const json = z.json();
const texts = z.array(z.string());

/**
 * Values that must be JSON of a given shape, because they are read without another check. A flipped bit in the name of
 * a key still leaves JSON.
 */
const jsonMeta = {
  exports: texts,
  merged: z.record(z.string(), texts),
  pins: z.object({ export: z.string(), mapping: z.string(), profile: z.string() }),
  changedSince: texts,
  sourceOptions: json,
  orphanReplies: z.object({ read: z.number(), planned: z.number() }),
  media: json,
} satisfies Partial<Record<keyof Meta, z.ZodType>>;

/** Shapes of what is noted that only the caller knows. */
export type MetaShapes = Partial<Record<Exclude<keyof Meta, keyof typeof jsonMeta>, z.ZodType>>;

const payloadTables = ['message', 'delivery'] as const;

/** References of the wide tables, which declare no foreign keys. */
const references = [
  ['message', 'conversation', 'conversation', 'id'],
  ['message', 'sender', 'person', 'id'],
  ['message', 'file', 'source_file', 'id'],
  ['delivery', 'message', 'message', 'seq'],
] as const;

/**
 * Looks for damage that SQLite does not see: a flipped bit in a value leaves a sound file. Called after an unexpected
 * error, so it may take its time: it reads everything.
 *
 * @param shapes Shapes of noted values that the store itself does not know.
 * @returns Undefined if there is no store, it cannot be read, or nothing is wrong with it: then the error has another
 *   cause.
 */
export function storeDamage(path: string, shapes: MetaShapes = {}): StoreError | undefined {
  if (!existsSync(path)) return undefined;
  let db: Database | undefined;
  try {
    db = openDatabase(path, { readonly: true });
    return firstFinding(db, path, shapes);
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

function firstFinding(db: Database, path: string, shapes: MetaShapes): StoreError | undefined {
  const checked = db.pragma('quick_check(1)', { simple: true }) as string;
  const changed = checked === 'ok' ? changedDefinition(db) : undefined;
  if (changed !== undefined) {
    const what = `another build of Chatferry made it, or it is damaged: the definition of "${changed}" differs`;
    return damaged(path, what, 'finish it with that build');
  }
  const found = checked === 'ok' ? (brokenJson(db, shapes) ?? brokenReference(db)) : checked;
  return found === undefined ? undefined : damaged(path, `the file is damaged: ${found}`);
}

/** Returns the name of a definition that differs from the migrations', whose number says nothing of builds before a release. */
function changedDefinition(db: Database): string | undefined {
  const made = new Sqlite(':memory:');
  try {
    migrate(made, storeKind);
    createMergeIndexes(made);
    const definitions = (of: Database) =>
      of
        .prepare<[], [string, string, string]>(
          `SELECT name, sql, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`,
        )
        .raw()
        .all();
    // Some indexes exist only for a while.
    const [wanted, found] = [made, db].map((of) => new Map(definitions(of).map(([name, sql]) => [name, sql])));
    const lost = definitions(made).find(([name, , type]) => type !== 'index' && !found!.has(name));
    const changed = lost ?? definitions(db).find(([name, sql]) => wanted!.get(name) !== sql);
    return changed?.[0];
  } finally {
    made.close();
  }
}

function brokenJson(db: Database, shapes: MetaShapes): string | undefined {
  for (const [table, column] of jsonColumns) {
    const broken = `SELECT 1 FROM ${table} WHERE ${column} <> '' AND NOT json_valid(${column}) LIMIT 1`;
    if (db.prepare(broken).get()) return `a value of ${table}.${column} is no JSON`;
  }
  for (const table of payloadTables)
    if (db.prepare(brokenPayload(table)).get()) return `a value of ${table}.payload is no payload`;
  for (const [key, shape] of Object.entries({ ...jsonMeta, ...shapes }) as [keyof Meta, z.ZodType][]) {
    const fault = faultOfJson(new Facts(db).read(key) ?? 'null', shape);
    if (fault) return `the value of "${key}" is ${fault}`;
  }
  return undefined;
}

/** Both what is sent and the digest that stands for it once it was purged. */
const brokenPayload = (table: (typeof payloadTables)[number]) =>
  `SELECT 1 FROM ${table} WHERE payload <> '' AND json_type(payload, '$.data') IS NOT 'object'
   AND json_type(payload, '$.purged') IS NOT 'text' LIMIT 1`;

/** Nothing noted is no fault. */
function faultOfJson(text: string, shape: z.ZodType): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  return shape.nullable().safeParse(value).success ? undefined : 'not in the expected format';
}

function brokenReference(db: Database): string | undefined {
  const [declared] = db.pragma('foreign_key_check') as { table: string; parent: string }[];
  if (declared) return `a row of ${declared.table} names one of ${declared.parent} that is not there`;
  for (const [table, column, parent, key] of references) {
    const lost = `SELECT 1 FROM ${table} t WHERE ${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE p.${key} = t.${column}) LIMIT 1`;
    if (db.prepare(lost).get()) return `a row of ${table} names one of ${parent} that is not there`;
  }
  return undefined;
}
