import type { Database } from 'better-sqlite3';
import { isDeepStrictEqual } from 'node:util';
import { type ArrivalKind, arrivalKinds } from '../../src/model/arrival.ts';
import type { FaultySandbox } from '../../src/sandbox/faults.ts';
import type { Dice } from './dice.ts';
import { Life } from './life.ts';
import type { Migration } from './migration.ts';
import type { Schedule } from './schedule.ts';

/** A person, a group or a membership as it was planned, before anything was sent. */
export interface PlannedArrival {
  readonly id: number;
  readonly kind: ArrivalKind;
  readonly key: string;
  readonly item: Readonly<Record<string, unknown>>;
  /** A member for the import alone. */
  readonly leaves: boolean;
}

/** The contents of a service before anything was sent, by `kind key`. */
export type Existing = ReadonlyMap<string, unknown>;

export const plannedArrivals = (db: Database): PlannedArrival[] =>
  db
    .prepare<[], { id: number; kind: ArrivalKind; payload: string; leaves: number }>(
      'SELECT id, kind, payload, leaves FROM arrival ORDER BY id',
    )
    .all()
    .map(({ id, kind, payload, leaves }) => {
      const item = JSON.parse(payload) as Record<string, unknown>;
      return { id, kind, key: String(item.memberId ?? item.guid ?? item.uid), item, leaves: leaves === 1 };
    });

/** How many people, groups and members may still be asked for. Added up here, not by the code that sends. */
export const openArrivals = (db: Database): number =>
  db
    .prepare<[], number>(
      `SELECT count(*) FROM arrival a LEFT JOIN arrival_delivery v ON v.arrival = a.id
       WHERE a.is_wanted = 1 AND coalesce(v.state, 'pending') IN ('pending', 'sent', 'leaving')`,
    )
    .pluck()
    .get()!;

/** Some of those that are planned are at the service already, and are described otherwise there. */
export function writeExisting(
  sandbox: FaultySandbox,
  db: Database,
  apiKey: string,
  arrivals: readonly PlannedArrival[],
  { hasDirectory }: Schedule,
  dice: Dice,
): Existing {
  const existing = new Map<string, unknown>();
  if (!hasDirectory || dice.chance(0.4)) return existing;
  for (const { kind, key, item } of arrivals) {
    const { guid, uid } = item as { guid: string; uid: string };
    const isPossible = kind !== 'members' || (existing.has(`groups ${guid}`) && existing.has(`people ${uid}`));
    if (!isPossible || dice.chance(0.5)) continue;
    const { owner: _, ...other } = item;
    const changed =
      kind === 'members'
        ? { ...item, joinedAt: Number(item.joinedAt) + 60, isBanned: undefined }
        : { ...other, name: 'Was here before' };
    const path = { people: 'users', groups: 'groups', members: 'members' }[kind];
    const body = JSON.stringify({ [path]: { [key]: changed } });
    sandbox.deliver({ method: 'POST', path: `/v3/data_import/${path}`, headers: { apikey: apiKey }, body });
    existing.set(`${kind} ${key}`, storedAt(db, kind, item));
  }
  return existing;
}

/** As the tables of the sandbox have it. */
export function storedAt(
  db: Database,
  kind: ArrivalKind,
  item: PlannedArrival['item'],
): Record<string, unknown> | undefined {
  const entity = (table: string, id: unknown) => {
    const found = db.prepare<[unknown], string>(`SELECT entity FROM ${table} WHERE id = ?`).pluck().get(id);
    return found === undefined ? undefined : (JSON.parse(found) as Record<string, unknown>);
  };
  if (kind === 'people') return entity('user', item.uid);
  if (kind === 'groups') return entity('chat_group', item.guid);
  return db
    .prepare<unknown[], Record<string, unknown>>(
      `SELECT guid, uid, scope, joined_at AS joinedAt FROM group_member WHERE guid = @guid AND uid = @uid
       UNION ALL SELECT guid, uid, 'banned', NULL FROM group_ban WHERE guid = @guid AND uid = @uid`,
    )
    .get({ guid: item.guid, uid: item.uid });
}

/** The owner becomes a member with the group, as old as the group. */
function expectedOf({ kind, item }: PlannedArrival, isOwner: boolean): Readonly<Record<string, unknown>> {
  if (kind !== 'members') return item;
  const { guid, uid, joinedAt, scope = 'participant', isBanned } = item;
  if (isBanned === true) return { guid, uid, scope: 'banned', joinedAt: null };
  return { guid, uid, scope, ...(!isOwner && { joinedAt }) };
}

interface Delivery {
  readonly state: string;
  readonly isOurs: number | null;
  readonly code: string | null;
}

/**
 * Compares people, groups and members at the sandbox, in its own tables, with the plan and with the store.
 *
 * @returns complaints.
 */
export function judgeArrivals(
  migration: Migration,
  arrivals: readonly PlannedArrival[],
  isDone: boolean,
  { details, lives, mayRefuse, plan }: Pick<Schedule, 'details' | 'lives' | 'mayRefuse' | 'plan'>,
): string[] {
  const { existing, sandboxStore, store } = migration;
  // A copy of the store does not know of what was sent since; the second of two answers is that the first was applied.
  const mayForget = lives.some(({ copyOf }) => copyOf !== undefined);
  const mayApplyTwice = plan.rules?.some((rule) => 'applied' in rule && rule.applied === 'twice') ?? false;
  const select = store.db.prepare<[number], Delivery>(
    'SELECT state, is_ours AS isOurs, code FROM arrival_delivery WHERE arrival = ?',
  );
  const owners = new Set(arrivals.map(({ item }) => `${String(item.guid)}_member_${String(item.owner)}`));
  const complaints = arrivals.flatMap((arrival): string[] => {
    const { id, kind, key, item, leaves } = arrival;
    const { state, isOurs, code } = select.get(id) ?? { state: 'pending', isOurs: null, code: null };
    const there = storedAt(sandboxStore.db, kind, item);
    const before = existing.get(`${kind} ${key}`);
    const expected = expectedOf(arrival, owners.has(key));
    const isAsPlanned =
      there !== undefined && Object.entries(expected).every(([name, value]) => isDeepStrictEqual(there[name], value));
    // A removal may have been applied although the service said no.
    const isThere = (state === 'imported' && !(leaves && code !== null)) || state === 'existing';
    const wrong: Record<string, boolean> = {
      'is not done':
        isDone && !isThere && !(leaves && (state === 'left' || state === 'imported')) && state !== 'failed',
      'is not there': isThere && there === undefined,
      'is a member still': leaves && isDone && state === 'left' && there !== undefined,
      'is to leave still': leaves && isDone && state === 'imported' && isOurs === 1 && code === null,
      'is not as planned': isThere && state === 'imported' && before === undefined && !isAsPlanned,
      'was there before and is changed':
        before !== undefined && details === 'first' && state !== 'failed' && !isDeepStrictEqual(there, before),
      'is called ours and was there before': before !== undefined && isOurs === 1,
      'is called older than our import':
        state === 'existing' && before === undefined && isOurs === 0 && !mayForget && !mayApplyTwice,
      'failed without a cause': state === 'failed' && !mayRefuse,
    };
    return Object.keys(wrong)
      .filter((words) => wrong[words])
      .map((words) => `${kind} "${key}" ${words}: ${JSON.stringify({ state, isOurs, code, there, before, expected })}`);
  });
  return [
    ...complaints,
    ...miscounted(migration, arrivals),
    ...(isDone && !mayForget ? notDeactivated(migration, mayRefuse) : []),
  ];
}

/** People who are to be deactivated after the messages: the store and the sandbox say so. */
function notDeactivated({ store, sandboxStore }: Migration, mayRefuse: boolean): string[] {
  const people = store.db
    .prepare<[], { uid: string; state: string | null }>(
      `SELECT p.uid, v.state FROM action a JOIN person p ON p.id = a.person LEFT JOIN action_delivery v ON v.action = a.id
       WHERE a.kind = 'deactivations' AND a.is_wanted = 1`,
    )
    .all();
  const deactivated = sandboxStore.db.prepare<[string], number>(
    'SELECT 1 FROM user WHERE id = ? AND deactivated_at IS NOT NULL',
  );
  return people.flatMap(({ uid, state }) => {
    const isRight = state === 'done' ? deactivated.get(uid) !== undefined : state === 'failed' && mayRefuse;
    return isRight ? [] : [`the deactivation of "${uid}" is ${state}, there: ${deactivated.get(uid) !== undefined}`];
  });
}

/** How many people are still to be deactivated. */
export const openDeactivations = (db: Database): number =>
  db
    .prepare<[], number>(
      `SELECT count(*) FROM action a LEFT JOIN action_delivery v ON v.action = a.id
       WHERE a.kind = 'deactivations' AND a.is_wanted = 1 AND coalesce(v.state, 'pending') IN ('pending', 'sent')`,
    )
    .pluck()
    .get()!;

/** The totals of the store, added up once more. */
function miscounted({ store: machine }: Migration, arrivals: readonly PlannedArrival[]): string[] {
  if (arrivals.length === 0) return [];
  const store = machine.store(new Life(Infinity));
  const destination = machine.db.prepare<[], number>('SELECT id FROM destination').pluck().get() ?? 0;
  const counts = store.arrivals.count(destination);
  return arrivalKinds.flatMap((kind) => {
    const {
      planned = 0,
      imported = 0,
      existing = 0,
      failed = 0,
      pending = 0,
      unconfirmed = 0,
    } = counts.find((count) => count.kind === kind) ?? {};
    const expected = arrivals.filter((arrival) => arrival.kind === kind).length;
    const sum = imported + existing + failed + pending + unconfirmed;
    return planned === expected && sum === expected
      ? []
      : [`${kind}: planned ${expected}, counted ${planned} and ${sum}`];
  });
}
