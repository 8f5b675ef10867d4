import {
  groupOf,
  type SentMessages,
  type TurnProgress,
  type Unit,
  type UnitPhase,
  type UnitState,
} from './database/units.ts';
import { atDestinationMax } from './engine.ts';

/**
 * Why a unit that is due does not run: its worker is silent and nobody has it yet; the other parts of its export are not planned; no worker runs; two others
 * at its destination run; every worker has as many turns as it may.
 */
export type WaitsFor = 'takeover' | 'parts' | 'worker' | 'destination' | 'turn';

/** One unit, or the parts of an export together. */
export interface UnitOverview {
  readonly tenant: string;
  /** `slack`, `slack#1..50`, or `slack#7`. */
  readonly name: string;
  readonly address: string;
  readonly state: UnitState;
  readonly phase: UnitPhase;
  /** How many parts are in which state, where there are several. */
  readonly states: Readonly<Partial<Record<UnitState, number>>>;
  /** How many parts wait for nothing but the others, or are further. */
  readonly partsPlanned: number;
  readonly waitsFor: WaitsFor | null;
  /** Whether anything is known of its messages: `planned = imported + present + refused + left`. */
  readonly isPlanned: boolean;
  readonly planned: number;
  readonly imported: number;
  /** Messages that were there already. */
  readonly present: number;
  /** Messages that are still to be sent or found out. */
  readonly left: number;
  readonly rejected: number;
  readonly refused: number;
  /** Requests a minute: allowed, as far as anybody knows, and those of the last minute, of all units at its address. */
  readonly quota: number | null;
  readonly used: number;
  /** When its next turn is due, in ms from now, where it waits for it. */
  readonly dueInMs: number | null;
  /** How long what is left takes at the quota, which it shares with all that is left at its address, in ms; nothing while nobody works on it. */
  readonly etaMs: number | null;
  readonly workers: readonly string[];
  readonly turns: number;
  /** Turns that another worker had lost. */
  readonly takeovers: number;
  /** When its first turn began, and its last one ended, in ms before now. */
  readonly startedAgoMs: number | null;
  readonly endedAgoMs: number | null;
  readonly failures: number;
  /** What the turns that run are at. */
  readonly stages: readonly TurnProgress[];
  readonly reason: string | null;
  /** Where its log is: of the part that the reason is about. Without an end: its worker died with it. */
  readonly lastTurn: { readonly unit: string; readonly worker: string; readonly endedAgoMs: number | null } | null;
}

/** One unit, or the parts of an export together, and each of them. */
export interface ExportOverview extends UnitOverview {
  readonly parts?: readonly UnitOverview[];
}

/** What stands under a silent worker is as one that waits. */
export interface SeenUnit extends Unit {
  readonly isLost: boolean;
}

/** Of the turns of a unit. */
export interface UnitTurns {
  readonly takeovers: number;
  readonly startedAgoMs: number;
  readonly endedAgoMs: number | null;
  /** Of the last one that does not run. */
  readonly lastWorker: string | null;
  readonly lastEndedAgoMs: number | null;
}

/** Everything that an overview of units is made from. */
export interface FleetFacts {
  readonly nowMs: number;
  readonly units: readonly SeenUnit[];
  readonly workers: readonly { readonly turns: number; readonly running: number; readonly isSilent: boolean }[];
  /** Requests of the last minute, by address. */
  readonly used: ReadonlyMap<string, number>;
  /** What destinations have said of their limits, by address. */
  readonly learned: ReadonlyMap<string, number>;
  readonly turns: ReadonlyMap<string, UnitTurns>;
}

/** @returns Tells of a unit, or of the parts of an export together. */
export function overviewer(facts: FleetFacts): (parts: readonly SeenUnit[]) => UnitOverview {
  const { nowMs, units, used, learned, turns } = facts;
  const waitsFor = waitReasons(facts);
  const timeLeft = timeLeftReader(units, learned);
  return (parts) => {
    const [first] = parts as readonly [SeenUnit];
    const sum = (count: (unit: SeenUnit) => number) => parts.reduce((all, part) => all + count(part), 0);
    const messages = (count: (messages: SentMessages) => number) => sum((part) => count(messagesOf(part) ?? nothing));
    const states = Object.fromEntries(
      [...Map.groupBy(parts, ({ state }) => state)].map(([state, those]) => [state, those.length]),
    );
    const reasons = parts.map(waitsFor);
    const state = worstFirst.find((state) => states[state] !== undefined)!;
    const due = parts.flatMap(({ state, dueAtMs }) => (state === 'waiting' && dueAtMs !== null ? [dueAtMs] : []));
    const told = parts.find(({ reason }) => reason !== null);
    return {
      tenant: first.tenant,
      name: nameOf(first, parts.length === 1),
      address: first.address,
      state,
      phase: phases.find((phase) => parts.some((part) => part.phase === phase))!,
      states,
      partsPlanned: parts.filter(({ phase }) => phase !== 'plan').length,
      waitsFor: state === 'waiting' ? (waitOrder.find((reason) => reasons.includes(reason)) ?? null) : null,
      isPlanned: parts.some((part) => messagesOf(part) !== undefined),
      planned: messages(({ planned }) => planned),
      imported: messages(({ imported }) => imported),
      present: messages(({ present }) => present),
      left: messages(({ left }) => left),
      rejected: sum(({ books }) => books?.rejected ?? 0),
      refused: messages(({ refused }) => refused),
      quota: first.quota ?? learned.get(first.address) ?? null,
      used: used.get(first.address) ?? 0,
      dueInMs: due.length === 0 ? null : Math.max(0, Math.min(...due) - nowMs),
      etaMs: facts.workers.some(({ isSilent }) => !isSilent) ? greatest(parts.map(timeLeft)) : null,
      workers: [...new Set(parts.flatMap(({ worker }) => worker ?? []))],
      turns: sum(({ turns }) => turns),
      takeovers: sum(({ id }) => turns.get(id)?.takeovers ?? 0),
      startedAgoMs: greatest(parts.map(({ id }) => turns.get(id)?.startedAgoMs)),
      endedAgoMs: least(parts.map(({ id }) => turns.get(id)?.endedAgoMs)),
      failures: Math.max(...parts.map(({ failures }) => failures)),
      stages: parts.flatMap(({ progress, state }) => (progress && state === 'running' ? [progress] : [])),
      reason: told?.reason ?? null,
      lastTurn: lastTurnOf(told ?? first, turns),
    };
  };
}

const nothing: SentMessages = { planned: 0, imported: 0, present: 0, refused: 0, left: 0 };

/** As the turn that sends has them, or the one that was killed; else after the last turn. */
function messagesOf({ books, progress }: SeenUnit): SentMessages | undefined {
  if (progress?.sent) return progress.sent;
  return books ? { ...books, left: books.pending + books.inDoubt } : undefined;
}

function lastTurnOf({ id }: SeenUnit, turns: FleetFacts['turns']): UnitOverview['lastTurn'] {
  const { lastWorker, lastEndedAgoMs = null } = turns.get(id) ?? {};
  return typeof lastWorker === 'string' ? { unit: id, worker: lastWorker, endedAgoMs: lastEndedAgoMs } : null;
}

function waitReasons({ nowMs, units, workers }: FleetFacts): (unit: SeenUnit) => WaitsFor | null {
  const alive = workers.filter(({ isSilent }) => !isSilent);
  const freeCount = alive.reduce((sum, { turns, running }) => sum + turns - running, 0);
  const running = Map.groupBy(
    units.filter(({ state }) => state === 'running'),
    groupOf,
  );
  return (unit) => {
    if (unit.isLost) return 'takeover';
    if (unit.state !== 'waiting' || (unit.dueAtMs !== null && unit.dueAtMs > nowMs)) return null;
    if (unit.phase === 'named') return 'parts';
    if (alive.length === 0) return 'worker';
    const group = groupOf(unit);
    if ((running.get(group)?.length ?? 0) >= atDestinationMax) return 'destination';
    return freeCount <= 0 ? 'turn' : null;
  };
}

/**
 * How long what is left of a unit takes: until it is through, the others at its address get as many slots as it does. Nothing where nobody knows how many
 * there are, or where it rests.
 */
function timeLeftReader(units: readonly SeenUnit[], learned: FleetFacts['learned']): (unit: SeenUnit) => number | null {
  const atAddress = Map.groupBy(
    units.filter((unit) => isActive(unit) && requestsLeft(unit) > 0),
    ({ address }) => address,
  );
  const untilThrough = new Map(
    [...atAddress].map(([address, sharing]) => [address, slotsUntil(sharing.map(requestsLeft))]),
  );
  return (unit) => {
    const quota = unit.quota ?? learned.get(unit.address);
    const own = requestsLeft(unit);
    if (quota === undefined || own === 0 || unit.isLost || !isActive(unit)) return null;
    return (untilThrough.get(unit.address)!.get(own)! / quota) * 60_000;
  };
}

/** For each count of requests that a unit may have left: how many all take until it is through, each as many as it has left, or as this one. */
function slotsUntil(left: readonly number[]): ReadonlyMap<number, number> {
  const sorted = left.toSorted((a, b) => a - b);
  const slots = new Map<number, number>();
  let sum = 0;
  for (const [index, own] of sorted.entries()) {
    sum += own;
    slots.set(own, sum + own * (sorted.length - 1 - index));
  }
  return slots;
}

const isActive = ({ state }: SeenUnit): boolean => state === 'waiting' || state === 'running';

const requestsLeft = (unit: SeenUnit): number => Math.ceil((messagesOf(unit)?.left ?? 0) / perRequest(unit));

/** Messages of a request at most: as the job says, or its file; or the public service has it. */
const perRequest = ({ config: { job, top } }: SeenUnit): number => Number(job.batchItems ?? top.batchItems ?? 50);

function nameOf({ export: id, tenant, part, parts }: SeenUnit, isAlone: boolean): string {
  const name = id.slice(tenant.length + 1);
  if (parts === null) return name;
  return isAlone ? `${name}#${part! + 1}` : `${name}#1..${parts}`;
}

type Found = number | null | undefined;

const greatest = (numbers: readonly Found[]): number | null => edge(Math.max, numbers);
const least = (numbers: readonly Found[]): number | null => edge(Math.min, numbers);

function edge(of: (...numbers: number[]) => number, numbers: readonly Found[]): number | null {
  const known = numbers.filter((number) => typeof number === 'number');
  return known.length === 0 ? null : of(...known);
}

/** What somebody should look at stands before what goes on. */
const worstFirst: readonly UnitState[] = ['dead', 'stopped', 'paused', 'running', 'waiting', 'done'];
const phases: readonly UnitPhase[] = ['plan', 'named', 'send', 'people', 'done'];
/** Of parts that wait for several things: what the others wait for in turn stands last. */
const waitOrder: readonly WaitsFor[] = ['takeover', 'worker', 'turn', 'destination', 'parts'];
