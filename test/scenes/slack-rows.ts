import { join } from 'node:path';
import Database from 'better-sqlite3';
import { planExport } from '../../src/commands/plan.ts';
import { user, userId, writeFiles } from './make-export.ts';
import { sessionRequest } from './session-request.ts';

/** What a plan makes of rows: payloads of those that are sent by `ts`, and losses by name. */
export interface PlannedRows {
  readonly payloads: ReadonlyMap<string, Payload>;
  readonly losses: Readonly<Record<string, number>>;
  /** Codes of the findings of the report. */
  readonly findings: readonly string[];
}

export interface Payload {
  /** Name of whoever is shown as its author. */
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
    await sessionRequest(folder, { exports: [path], ...(mapping !== undefined && { mapping }) }),
  );
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  try {
    const rows = db
      .prepare(
        `SELECT origin_id AS id, payload, p.name AS sender FROM message m LEFT JOIN person p ON p.id = m.sender WHERE verdict = 'planned'`,
      )
      .all() as { id: string; payload: string; sender: string }[];
    return {
      payloads: new Map(rows.map(({ id, payload, sender }) => [id, { ...(JSON.parse(payload) as Payload), sender }])),
      losses: Object.fromEntries(report.losses.map(({ name, count }) => [name, count])),
      findings: report.problems.map(({ code }) => code),
    };
  } finally {
    db.close();
  }
}
