import type { Database, Statement } from 'better-sqlite3';

/** The text of a statement, with the types of its parameters (a list for `?`, an object for `@name`) and of its rows. */
export interface Sql<Parameters extends unknown[] | object, Row> {
  readonly text: string;
  readonly shape: 'row' | 'value' | 'tuple';
  /** Never set: carries the types. */
  readonly types?: (parameters: Parameters) => Row;
}

type Prepared<One> =
  One extends Sql<infer Parameters, infer Row>
    ? Parameters extends unknown[]
      ? Statement<Parameters, Row>
      : Statement<[Parameters], Row>
    : never;

type Texts = Readonly<Record<string, Sql<never, unknown>>>;

type Statements<Of extends Texts> = { readonly [Name in keyof Of]: Prepared<Of[Name]> };

const tag =
  (shape: Sql<object, unknown>['shape']) =>
  <Parameters extends unknown[] | object = [], Row = never>(
    text: TemplateStringsArray,
    ...parts: readonly (string | number)[]
  ): Sql<Parameters, Row> => ({ text: String.raw({ raw: text }, ...parts), shape });

/** A statement whose rows are objects, or that has none. Parts of SQL may be put in; values never: they are parameters. */
export const sql = tag('row');

/** A statement of which each row is the value of its only column. */
export const value = tag('value');

/** A statement whose rows are lists: several times faster to read than objects. */
export const tuple = tag('tuple');

/**
 * Statements of a class by name, for a database. Each is prepared when it is used first: a command uses a few of them, tables of some are
 * made late, and to prepare all would cost a small import a quarter of its time.
 */
export const lateStatements =
  <Of extends Texts>(texts: Of) =>
  (db: Database): Statements<Of> => {
    const statements = {};
    for (const [name, { text, shape }] of Object.entries(texts)) {
      const prepare = (): unknown => {
        const statement = db.prepare(text);
        const prepared = shape === 'value' ? statement.pluck() : shape === 'tuple' ? statement.raw() : statement;
        Object.defineProperty(statements, name, { value: prepared });
        return prepared;
      };
      Object.defineProperty(statements, name, { get: prepare, enumerable: true, configurable: true });
    }
    return statements as Statements<Of>;
  };

/** Base of a class that has a database and statements for it. */
export class Stated<Of extends Texts> {
  protected readonly db: Database;
  protected readonly sql: Statements<Of>;

  constructor(db: Database, prepare: (db: Database) => Statements<Of>) {
    this.db = db;
    this.sql = prepare(db);
  }
}

/** The base with these statements: `class Runs extends withStatements(statements)`. */
export const withStatements = <Of extends Texts>(
  prepare: (db: Database) => Statements<Of>,
): (new (
  db: Database,
) => Stated<Of>) =>
  class extends Stated<Of> {
    constructor(db: Database) {
      super(db, prepare);
    }
  };
