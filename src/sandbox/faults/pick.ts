import type { OperationName } from '../../service/operations.ts';
import type { FaultPlan, FaultRule } from '../fault-plan.ts';

/** A rule that hits a request, and the randomness for what it does. */
export interface Picked {
  readonly rule: FaultRule;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Creates a function that decides what breaks a request. Each rule counts the requests that it aims at. Its chance for
 * the nth of them depends on the seed, its position in the plan and n alone: a rule that is added at the end changes
 * nothing for those before it.
 *
 * The returned function reads the muids of an import if a rule aims at some.
 */
export function createPicker({
  seed,
  rules,
}: FaultPlan): (operation: OperationName, muids: () => readonly string[]) => Picked | undefined {
  const states = rules.map((rule, place) => ({ rule, place, seen: 0, done: 0 }));
  return (operation, muids) => {
    let picked: Picked | undefined;
    for (const state of states) {
      const { rule, place } = state;
      if (!aimsAt(rule, operation, muids)) continue;
      state.seen++;
      const random = createRandom(seed, place, state.seen);
      const isHit = random() < rule.probability && state.seen > rule.skip && state.done < (rule.times ?? Infinity);
      if (!isHit || picked) continue;
      state.done++;
      picked = { rule, random };
    }
    return picked;
  };
}

function aimsAt(rule: FaultRule, operation: OperationName, muids: () => readonly string[]): boolean {
  const isForImports =
    rule.muids !== undefined ||
    rule.answer === 'items-refused' ||
    rule.applied === 'half' ||
    rule.applied === 'first-part' ||
    rule.applied === 'last-part';
  if (isForImports && !operation.startsWith('import')) return false;
  if (rule.operations?.includes(operation) === false) return false;
  return !rule.muids || muids().some((muid) => isAimedAt(rule, muid));
}

/** The lists of rules, which may be long, as sets. */
const aims = new WeakMap<readonly string[], ReadonlySet<string>>();

export function isAimedAt({ muids = [] }: Pick<FaultRule, 'muids'>, muid: string): boolean {
  const aim = aims.get(muids) ?? new Set(muids);
  aims.set(muids, aim);
  return aim.has(muid);
}

/** Numbers in [0, 1) that depend on the three alone: mulberry32, begun at a mix of them. */
function createRandom(seed: number, place: number, count: number): () => number {
  let state = mix(mix(mix(seed) ^ place) ^ count);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** 32 bits, each of which depends on all of the given ones (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Says whether an import may be broken once more: not if one of its messages was in so many broken requests, one after the other.
 * Remembers the messages of broken requests until one of their requests passes.
 */
export function createFairness(inARowMax: number): {
  isDue(muids: readonly string[]): boolean;
  note(muids: readonly string[], isBroken: boolean): void;
} {
  const counts = new Map<string, number>();
  return {
    isDue: (muids) => muids.every((muid) => (counts.get(muid) ?? 0) < inARowMax),
    note(muids, isBroken) {
      for (const muid of muids) {
        if (isBroken) counts.set(muid, (counts.get(muid) ?? 0) + 1);
        else counts.delete(muid);
      }
    },
  };
}
