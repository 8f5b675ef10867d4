import type { Database } from 'better-sqlite3';
import { type ActionKind, actionKinds } from '../../model/action.ts';
import { actionCode, actionJoins, actionState, type ActionState } from './action-rows.ts';

/** Totals of one kind at a destination: `planned = done + existing + failed + pending + unconfirmed`. */
export interface ActionCount {
  readonly kind: ActionKind;
  readonly planned: number;
  readonly done: number;
  readonly existing: number;
  readonly failed: number;
  readonly pending: number;
  readonly unconfirmed: number;
  /** Pending actions whose message has not arrived yet. */
  readonly waiting: number;
  /** Asked of the destination once, and not wanted any more: the export does not have it now. Outside the sum. */
  readonly withdrawn: number;
}

/** Refused with one code. */
export interface RefusedActions {
  readonly kind: ActionKind;
  readonly code: string;
  readonly count: number;
  /** The service's words about one of them. */
  readonly detail: string;
}

/** Returns whether there was ever an action to apply: most stores have none. */
export const hasActions = (db: Database): boolean => db.prepare('SELECT 1 FROM action LIMIT 1').get() !== undefined;

/** How many of each kind are to be done, wherever. */
export function wantedActions(db: Database): Partial<Record<ActionKind, number>> {
  const rows = db
    .prepare<[], [ActionKind, number]>('SELECT kind, count(*) FROM action WHERE is_wanted = 1 GROUP BY kind')
    .raw()
    .all();
  return Object.fromEntries(rows);
}

/** Kinds of which there is nothing are left out. `destination` may be one that nothing was ever sent to. */
export function countActions(db: Database, destination: number): ActionCount[] {
  if (!hasActions(db)) return [];
  const rows = db
    .prepare<[], { kind: ActionKind; state: ActionState; wanted: number; count: number }>(
      `SELECT a.kind, ${actionState} AS state, a.is_wanted AS wanted, count(*) AS count
       FROM ${actionJoins(String(destination))} GROUP BY 1, 2, 3`,
    )
    .all();
  const counts = actionKinds.map((kind) => {
    const of = (...states: readonly ActionState[]) =>
      rows
        .filter((row) => row.kind === kind && row.wanted === 1 && states.includes(row.state))
        .reduce((sum, { count }) => sum + count, 0);
    return {
      kind,
      planned: of('waiting', 'ready', 'sent', 'done', 'existing', 'failed'),
      done: of('done'),
      existing: of('existing'),
      failed: of('failed'),
      pending: of('waiting', 'ready'),
      unconfirmed: of('sent'),
      waiting: of('waiting'),
      withdrawn: rows
        .filter((row) => row.kind === kind && row.wanted === 0 && row.state !== 'waiting' && row.state !== 'ready')
        .reduce((sum, { count }) => sum + count, 0),
    };
  });
  return counts.filter(({ planned, withdrawn }) => planned + withdrawn > 0);
}

/** Whether something may be asked for, or is unconfirmed. */
export const hasActionsLeft = (db: Database, destination: number): boolean => countReadyActions(db, destination) > 0;

/** How many may be asked for now, or are unconfirmed. */
export const countReadyActions = (db: Database, destination: number): number =>
  countActions(db, destination).reduce(
    (sum, { pending, waiting, unconfirmed }) => sum + pending - waiting + unconfirmed,
    0,
  );

/** Returns failed actions, by kind and code, most frequent first. */
export function refusedActions(db: Database, destination: number): RefusedActions[] {
  return db
    .prepare<[], RefusedActions>(
      `SELECT a.kind, coalesce(${actionCode}, 'failed') AS code, count(*) AS count, coalesce(max(v.detail), '') AS detail
       FROM ${actionJoins(String(destination))} WHERE a.is_wanted = 1 AND ${actionState} = 'failed'
       GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
    )
    .all();
}
