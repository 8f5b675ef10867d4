import { wholePayload } from '../../src/store/base/packed-payload.ts';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { planExport } from '../../src/commands/prepare.ts';
import { user, userId, writeFiles } from './make-export.ts';
import { sessionRequest } from './session-request.ts';

/** Result of a plan of rows: payloads of those that are sent, by `ts`, and losses by name. */
export interface PlannedRows {
  readonly payloads: ReadonlyMap<string, Payload>;
  readonly rows: readonly PlannedRow[];
  readonly losses: Readonly<Record<string, number>>;
  /** Codes of the findings of the report. */
  readonly findings: readonly string[];
}

/** A row that is sent. */
export interface PlannedRow {
  /** Ids of the export. */
  readonly conversation: string;
  readonly id: string;
  readonly author: string;
  readonly sentAtMs: number;
  readonly payload: Payload;
  /** The report's counts for the row. */
  readonly facts: Readonly<Record<string, number>>;
}

export interface Payload {
  /** Name of the user who is shown as its author. */
  readonly sender: string;
  readonly data: {
    readonly text: string;
    readonly attachments?: readonly { readonly name: string; readonly url: string }[];
    readonly metadata: { readonly chatferry: Readonly<Record<string, unknown>> };
  };
}

/** The nth row of a day, of a time of its own. */
export const tsOf = (n: number): string => `${1_770_000_000 + n}.000100`;

/** A row that `userId(1)` wrote in the nth second. */
export const rowOf = (n: number, fields: object): Readonly<Record<string, unknown>> => ({
  type: 'message',
  ts: tsOf(n),
  user: userId(1),
  text: '',
  ...fields,
});

const selectRows = `SELECT c.source_id AS conversation, origin_id AS id, p.source_id AS author, p.name, sent_at AS sentAtMs, ${wholePayload('m')} AS payload, coalesce(facts, '{}') AS facts
  FROM message m JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender WHERE verdict = 'planned'`;

/** Plans rows of the conversation `C00000001`, which one day file holds, in an export of two people. */
export async function planRows(folder: string, rows: readonly unknown[], mapping?: string): Promise<PlannedRows> {
  writeFiles(join(folder, 'export'), {
    'users.json': [user(userId(1), 'Ada'), user(userId(2), 'Bob')],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1), userId(2)] }],
    'general/2026-02-02.json': rows,
  });
  return planOf(folder, join(folder, 'export'), mapping);
}

/** The same of any export. */
export async function planOf(folder: string, path: string, mapping?: string): Promise<PlannedRows> {
  const { report } = await planExport(
    await sessionRequest(folder, { from: [path], ...(mapping !== undefined && { mapping }) }),
  );
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  try {
    const rows = (
      db.prepare(selectRows).all() as (Record<
        'conversation' | 'id' | 'author' | 'name' | 'payload' | 'facts',
        string
      > & { sentAtMs: number })[]
    ).map(
      ({ name, payload, facts, ...row }): PlannedRow => ({
        ...row,
        payload: { ...(JSON.parse(payload) as Payload), sender: name },
        facts: JSON.parse(facts) as PlannedRow['facts'],
      }),
    );
    return {
      rows,
      payloads: new Map(rows.map(({ id, payload }) => [id, payload])),
      losses: Object.fromEntries(report.losses.map(({ name, count }) => [name, count])),
      findings: report.problems.map(({ code }) => code),
    };
  } finally {
    db.close();
  }
}
