import type { Books } from '../../model/books.ts';
import type { FleetDatabase, Query } from '../database/database.ts';
import { endTurn, type NextTurn, sendTurn, type TurnEnd } from '../database/turns.ts';
import { groupOf, lockExport, type Unit } from '../database/units.ts';
import type { Engine } from '../engine.ts';
import { UnitLost } from '../unit-lost.ts';
import { codeOf } from './after-turn.ts';
import type { UnitRun } from './run-unit.ts';
import { finishParts, namedPart, sendNamed } from './parts.ts';
import type { TurnRequest } from './turn-request.ts';

export interface Finished {
  readonly run: UnitRun;
  readonly next: NextTurn;
  readonly books: Books | null;
  /** Its store, where it was opened. */
  readonly store?: string | undefined;
  /** Whether something about people alone is to be done when all parts are. */
  readonly hasPeople?: boolean | undefined;
}

/**
 * Ends a turn and begins the next one, in one commit: whoever looks sees the one or the other.
 *
 * @throws UnitLost; then nothing of it is written.
 */
export async function finishTurn(
  { claim, token, unit, turn }: Pick<TurnRequest, 'claim' | 'token' | 'unit' | 'turn'>,
  { database, engine }: { readonly database: FleetDatabase; readonly engine: Engine },
  { run, next: wanted, books, store, hasPeople = false }: Finished,
): Promise<Pick<TurnEnd, 'exit' | 'state' | 'reason'>> {
  const { exit, stopped, ...counts } = run.result;
  const result = { stopped: codeOf(stopped), ...countsOf(counts) };
  const held = (query: Query) => assertHeld(query, claim, token);
  // Before the turn ends, and by itself: a million names take a while, in which the worker must be able to say that it lives.
  const named =
    wanted.phase === 'named' ? await database.transaction((query) => namedPart(query, unit, store!, held)) : wanted;
  return await database.transaction(async (query) => {
    if (unit.parts !== null) await lockExport(query, unit.export);
    await held(query);
    const next = (await isChanged(query, unit))
      ? ({ state: 'waiting', phase: 'plan', afterMs: 0, failures: 0, reason: null } as const)
      : named;
    const { state } = await endTurn(query, unit.id, turn.number, { exit, ...next, books, result });
    if (!(await engine.complete(claim, query))) throw new UnitLost(`"${unit.id}" is another worker's by now`);
    if (next.phase === 'named') await sendNamed(query, unit, engine);
    else if (next.phase === 'done' && unit.parts !== null && hasPeople) await finishParts(query, unit, engine);
    else if (state === 'waiting')
      await sendTurn(query, engine, {
        unit,
        group: groupOf({ ...unit, phase: next.phase }),
        afterMs: next.afterMs,
      });
    return { exit, state, reason: next.reason };
  });
}

/** Whether it was handed in with other settings since its turn began: then the next one is under those. */
async function isChanged(query: Query, { id, revision }: Unit): Promise<boolean> {
  const [row] = await query<{ is: boolean }>('SELECT revision <> $2 AS is FROM ferry.unit WHERE id = $1', [
    id,
    revision,
  ]);
  return row?.is ?? false;
}

/** Messages and requests; no report's path, no words. */
const countsOf = (counts: object): object =>
  Object.fromEntries(
    Object.entries(counts).filter(([name]) => ['brought', 'left', 'requests', 'verify'].includes(name)),
  );

async function assertHeld(query: Query, { job, attempt, unit }: TurnRequest['claim'], token: string): Promise<void> {
  const [row] = await query<{ ms: number | null }>('SELECT ferry.holds($1, $2, $3, $4) AS ms', [
    job,
    attempt,
    unit,
    token,
  ]);
  if (row!.ms === null) throw new UnitLost(`"${unit}" is another worker's by now`);
}
