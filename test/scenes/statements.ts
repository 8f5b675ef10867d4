import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

/** A statement of the store, as SQLite carries it out. */
export interface Statement {
  /** On one line. */
  readonly sql: string;
  /** File that prepares it, or uses it first, under `src/store`. */
  readonly file: string;
  readonly passes: readonly Pass[];
}

/** A step of a plan that goes through all of a table, of an index, or of what a destination has. */
export interface Pass {
  readonly line: string;
  /** Once for each row of another step. */
  readonly isRepeated: boolean;
}

/** Temporary tables, and that of copies. */
const fleeting = /\b(?:temp\.|job_state\b)/;

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const root = fileURLToPath(new URL('../../src/store/', import.meta.url));
const prepareOf: (this: Database.Database, sql: string) => Database.Statement<unknown[]> = Database.prototype.prepare;
const closeOf: (this: Database.Database) => Database.Database = Database.prototype.close;

/**
 * Watches every statement that code of `src/store` prepares in this process. SQLite is asked for their plans when their connection is
 * closed: by then everything is there, temporary tables too, that they are carried out on.
 */
export function watchStatements() {
  const statements = new Map<string, Statement & { most: number }>();
  /** Prepared statements of each connection, by file and text on one line. */
  const prepared = new WeakMap<Database.Database, Map<string, { readonly sql: string; isDone: boolean }>>();
  /** How often each was carried out since the last `endCommand`. */
  let counts = new Map<string, number>();

  function prepare(this: Database.Database, sql: string): Database.Statement {
    const statement = prepareOf.call(this, sql);
    const file = callerIn(root);
    if (file === undefined || /^\s*(PRAGMA|CREATE|DROP)\b/.test(sql)) return statement;
    const key = `${file}: ${sql.replaceAll(/\s+/g, ' ').trim()}`;
    if (!prepared.has(this)) prepared.set(this, new Map());
    const own = prepared.get(this)!;
    own.set(key, { sql, isDone: false, ...own.get(key) });
    count(statement, () => {
      // Such a table may be gone when the connection is closed.
      if (fleeting.test(sql) && !counts.has(key)) ask(this, key, sql);
      own.get(key)!.isDone = true;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    return statement;
  }
  function close(this: Database.Database): Database.Database {
    for (const [key, { sql, isDone }] of prepared.get(this) ?? [])
      if (isDone || !statements.has(key)) ask(this, key, sql);
    return closeOf.call(this);
  }
  function ask(db: Database.Database, key: string, text: string): void {
    const steps = explain(db, text);
    if (steps === undefined) return;
    const [, file, sql] = /^([^:]+): (.*)$/.exec(key) as unknown as [string, string, string];
    statements.set(key, { sql, file, passes: passesOf(db, steps, text), most: statements.get(key)?.most ?? 0 });
  }
  Object.assign(Database.prototype, { prepare, close });
  return {
    /** Each with how often it was carried out at most between two calls of `endCommand`. */
    statements: () => [...statements.values()],
    endCommand() {
      for (const [key, times] of counts) {
        const statement = statements.get(key);
        if (statement) statement.most = Math.max(statement.most, times);
      }
      counts = new Map();
    },
    stop: () => void Object.assign(Database.prototype, { prepare: prepareOf, close: closeOf }),
  };
}

function callerIn(folder: string): string | undefined {
  const lines = new Error().stack?.split('\n') ?? [];
  const place = lines.find((line) => line.includes(folder) && !line.includes('/base/statements.ts'));
  const path = place && /(\/[^:()]+\.ts)/.exec(place)?.[1];
  return path && relative(folder, path);
}

function count(statement: Database.Statement, note: () => void): void {
  for (const name of ['get', 'all', 'run', 'iterate'] as const) {
    const carryOut = statement[name] as (...values: unknown[]) => unknown;
    const counted = (...values: unknown[]) => {
      note();
      return carryOut.apply(statement, values);
    };
    Object.defineProperty(statement, name, { value: counted });
  }
}

/** Returns the query plan; undefined if one of its temporary tables is gone. */
function explain(db: Database.Database, sql: string): Step[] | undefined {
  // Nothing is known of values: the store keeps no statistics, so that they change no plan.
  const names = [...sql.matchAll(/[@:]([a-z]\w*)/gi)].map(([, name]) => [name!, 1]);
  const values = names.length > 0 ? [Object.fromEntries(names)] : Array.from(sql.matchAll(/\?/g), () => 1);
  try {
    return prepareOf.call(db, `EXPLAIN QUERY PLAN ${sql}`).all(...values) as Step[];
  } catch (error) {
    if (/no such table: (?:temp\.|job_state)/.test(String(error))) return undefined;
    throw new Error(`Cannot explain "${sql}": ${String(error)}`, { cause: error });
  }
}

function passesOf(db: Database.Database, steps: readonly Step[], sql: string): Pass[] {
  const schema = schemaOf(db);
  return steps.flatMap((step) => {
    const pass = { line: step.detail, isRepeated: isRepeated(step, steps) };
    return isPass(pass, sql, schema) ? [pass] : [];
  });
}

/** Behind another step of the same query, or in a query that is asked for each row of another one. */
function isRepeated(step: Step, steps: readonly Step[]): boolean {
  const isLoop = ({ detail }: Step) => /^(SCAN|SEARCH) (?!CONSTANT ROW|\d+-ROW)/.test(detail);
  if (steps.some((other) => other.parent === step.parent && other.id < step.id && isLoop(other))) return true;
  for (let at: Step | undefined = step; at; at = steps.find(({ id }) => id === at!.parent))
    if (at.detail.startsWith('CORRELATED')) return true;
  return false;
}

interface Schema {
  readonly tables: ReadonlySet<string>;
  /** Definitions of views, by name. */
  readonly views: ReadonlyMap<string, string>;
}

function schemaOf(db: Database.Database): Schema {
  const rows = prepareOf.call(db, 'SELECT type, name, sql FROM main.sqlite_schema').all() as Record<string, string>[];
  const named = (type: string) => rows.filter((row) => row.type === type).map(({ name, sql }) => [name, sql] as const);
  return {
    tables: new Set(named('table').map(([name]) => name!)),
    views: new Map(named('view') as [string, string][]),
  };
}

/** Rows of these are few in every store: one for each input, run or destination. */
const smallTables = ['destination', 'holder', 'meta', 'run', 'source_input'];
/** They hold what is an exception: further parts of split texts, what is gone from the export, what is open. */
const smallIndexes = ['batch_open', 'message_follows', 'message_part', 'message_stale', 'message_vanished'];
/** Columns with values that so many rows share that a search by them does not narrow the result. */
const wideColumns = ['destination', 'is_placeholder', 'kind', 'state', 'verdict'];

function isPass({ line, isRepeated: isAgain }: Pass, sql: string, schema: Schema): boolean {
  const [, how, name, rest = ''] = /^(SCAN|SEARCH) (\S+)(.*)$/.exec(line) ?? [];
  if (name === undefined || rest.includes('AUTOMATIC')) return false;
  const table = tableOf(name, sql, schema);
  if (table === undefined || smallTables.includes(table)) return false;
  // Again and again is another matter.
  if (!isAgain && smallIndexes.some((index) => rest.includes(`INDEX ${index}`))) return false;
  if (how === 'SCAN') return true;
  const columns = /\((.*)\)/.exec(rest)?.[1];
  // The first or the last of an index.
  if (columns === undefined) return false;
  const isPage = /[<>]/.test(columns) && /\bLIMIT\b/.test(sql);
  return !isPage && [...columns.matchAll(/([\w<>]+)=\?/g)].every(([, column]) => wideColumns.includes(column!));
}

/** Returns the table of the store in a step of a plan; undefined for a temporary table, or a part of the query. */
function tableOf(name: string, sql: string, { tables, views }: Schema): string | undefined {
  const alias = name.replace(/^main\./, '');
  const text = [sql, ...[...views].flatMap(([view, behind]) => (sql.includes(view) ? [behind] : []))].join(' ');
  const called = new RegExp(String.raw`(?:FROM|JOIN|INTO|UPDATE|,)\s+(?:main\.)?([a-z_.]+)(?:\s+(?:AS\s+)?${alias})\b`);
  const itself = new RegExp(String.raw`(?:FROM|JOIN|INTO|UPDATE|,)\s+(?:main\.)?${alias}\b`);
  // Keys that refer to this table are named as well. SQLite follows them only if a key changes, and Chatferry's keys
  // never do.
  const table = called.exec(text)?.[1] ?? (itself.test(text) ? alias : undefined);
  return table !== undefined && tables.has(table) ? table : undefined;
}
