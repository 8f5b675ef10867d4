import { oneAhead } from '../../../lib/flow/one-ahead.ts';
import type { CellText, DatabaseRow } from '../database.ts';
import { quoted } from './identifier.ts';
import type { Answer, PostgresSession } from './session.ts';

/** The query that a cursor reads. */
export interface CursorQuery {
  /** A SELECT. */
  readonly sql: string;
  /** Its parameters, as text. */
  readonly values: readonly string[];
  /** For each column: whether PostgreSQL writes it as `\x` and hexadecimal digits. */
  readonly areBytes: readonly boolean[];
}

/** Characters that one fetch should bring: two of them are in memory at a time, and what the driver makes of them. */
const charactersWanted = 2 * 1024 * 1024;
/** More rows are not faster. They only raise the worst case of one fetch, when wide rows follow thousands of narrow ones. */
const rowsMax = 2000;
/** Nothing is known of the rows yet: 64 MB where each has a cell of the most that is read. */
const rowsFirst = 4;

/**
 * Reads a query from its first row to its last and fetches the next list while the current one is processed. A list has
 * enough rows for a few MB, 2,000 at most. The cursor is also closed if the caller stops early.
 */
export async function* readCursor(
  session: PostgresSession,
  name: string,
  query: CursorQuery,
): AsyncGenerator<readonly DatabaseRow[]> {
  yield* oneAhead(lists(session, quoted(name), query));
}

async function* lists(session: PostgresSession, name: string, query: CursorQuery) {
  const { areBytes } = query;
  let wanted = rowsFirst;
  let answer = await open(session, name, query);
  try {
    while (answer.length > 0) {
      yield toRows(answer, areBytes);
      if (answer.length < wanted) return;
      wanted = nextCount(answer);
      answer = await session.run(`FETCH ${wanted} FROM ${name}`);
    }
  } finally {
    // If the transaction has failed or the connection is gone, the cursor is gone too.
    await session.run(`CLOSE ${name}`).catch(() => {});
  }
}

/** An error here (rights, a lock, a broken view) affects only this cursor: the transaction continues for other tables. */
const open = (session: PostgresSession, name: string, { sql, values }: CursorQuery): Promise<Answer> =>
  session.exclusively(async (run) => {
    await run('SAVEPOINT before_cursor');
    try {
      await run(`DECLARE ${name} NO SCROLL CURSOR FOR ${sql}`, values);
      const answer = await run(`FETCH ${rowsFirst} FROM ${name}`);
      await run('RELEASE before_cursor');
      return answer;
    } catch (error) {
      await run('ROLLBACK TO before_cursor').catch(() => {});
      throw error;
    }
  });

/** Grows at most tenfold, because narrow rows may come before wide ones. */
function nextCount(answer: Answer): number {
  const characters = answer.reduce((sum, values) => sum + lengthOf(values), 0);
  const fitting = Math.floor((charactersWanted * answer.length) / Math.max(characters, 1));
  return Math.max(1, Math.min(rowsMax, fitting, answer.length * 10));
}

const lengthOf = (values: readonly CellText[]): number => values.reduce((sum, value) => sum + (value?.length ?? 0), 1);

function toRows(answer: Answer, areBytes: readonly boolean[]): readonly DatabaseRow[] {
  if (!areBytes.includes(true)) return answer.map((values) => ({ values }));
  return answer.map((values) => ({ values: values.map((value, at) => (areBytes[at] ? withoutPrefix(value) : value)) }));
}

const withoutPrefix = (value: CellText): CellText => (value === null ? null : value.slice('\\x'.length));
