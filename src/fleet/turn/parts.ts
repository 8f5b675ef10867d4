import { existsSync } from 'node:fs';
import { openStoreToRead } from '../../checkpoint/base/store.ts';
import { takenNames } from '../../checkpoint/staging/taken-names.ts';
import { formatCount } from '../../lib/text/count.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import type { Query } from '../database/database.ts';
import { type NameCollisions, takeNames } from '../database/names.ts';
import type { Unit } from '../database/units.ts';
import type { Engine } from '../engine.ts';
import { type NextTurn, sendTurns } from '../database/turns.ts';

/**
 * What becomes of a part that is planned: the names that it takes are compared with those of the other parts, before anything is sent.
 *
 * The caller has locked the export.
 *
 * @param held Throws where another worker has the unit by now.
 */
export async function namedPart(
  query: Query,
  unit: Unit,
  store: string,
  held: (query: Query) => Promise<void>,
): Promise<NextTurn> {
  const { count, units } = await namesOf(query, unit, store);
  await held(query);
  if (count === 0) return { state: 'waiting', phase: 'named', afterMs: undefined, failures: 0, reason: null };
  const where = units.slice(0, 5).join(', ');
  const reason = `collision: ${formatCount(count)} people or conversations would get an id that others have in ${where}: give them others in the mapping, or submit the export in one part (exit ${exitCodes.usage})`;
  return { state: 'stopped', phase: 'plan', afterMs: undefined, failures: 0, reason };
}

async function namesOf(query: Query, unit: Unit, path: string): Promise<NameCollisions> {
  if (!existsSync(path)) return { count: 0, units: [] };
  const store = openStoreToRead(path);
  try {
    return await takeNames(query, unit, takenNames(store.db));
  } finally {
    store.close();
  }
}

/** Once all parts of an export are planned, all of them are sent. */
export async function sendNamed(
  query: Query,
  unit: Pick<Unit, 'export' | 'address' | 'tenant'>,
  engine: Engine,
): Promise<void> {
  const parts = await partsOf(query, unit);
  if (parts.some(({ phase }) => phase === 'plan')) return;
  const named = parts.filter(({ phase }) => phase === 'named');
  await query(`UPDATE ferry.unit SET phase = 'send' WHERE id = ANY ($1)`, [named.map(({ id }) => id)]);
  const waiting = named.filter(({ state }) => state === 'waiting');
  await sendParts(query, unit, waiting, engine);
}

/** Once all parts are sent, each does what is about people alone: the first friends and blocks, all of them the deactivations of their own people. */
export async function finishParts(query: Query, unit: Unit, engine: Engine): Promise<void> {
  const parts = await partsOf(query, unit);
  if (unit.phase === 'people' || parts.length === 0 || parts.some(({ phase }) => phase !== 'done')) return;
  await query(`UPDATE ferry.unit SET phase = 'people', state = 'waiting' WHERE id = ANY ($1)`, [
    parts.map(({ id }) => id),
  ]);
  await sendParts(query, unit, parts, engine);
}

const sendParts = (
  query: Query,
  { tenant, address }: Pick<Unit, 'address' | 'tenant'>,
  parts: readonly Pick<Unit, 'id'>[],
  engine: Engine,
): Promise<void> =>
  sendTurns(
    query,
    engine,
    parts.map(({ id }) => ({ unit: { id, tenant }, group: address })),
  );

/** In the order of the parts; nobody else changes them until the end of the transaction. */
const partsOf = (query: Query, unit: Pick<Unit, 'export'>) =>
  query<Pick<Unit, 'id' | 'phase' | 'state'>>(
    'SELECT id, phase, state FROM ferry.unit WHERE export = $1 ORDER BY part FOR UPDATE',
    [unit.export],
  );
