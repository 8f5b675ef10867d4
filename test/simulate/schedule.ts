import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { type Profile, profiles } from '../../src/service/profiles.ts';
import type { ImportOptions } from '../../src/delivery/session.ts';
import { Dice } from './dice.ts';
import {
  faultRules,
  halvesRules,
  ownErrorLate,
  type Poison,
  type RuleLimits,
  alsoOfPeople,
  refusedPeople,
  sickRules,
  storedRefused,
} from './fault-rules.ts';
import type { ScenarioName } from './scenarios.ts';
import { type ShapeName, shapes } from './template.ts';

/** Everything that will happen to a migration, decided before it begins. */
export interface Schedule {
  readonly shape: ShapeName;
  readonly profile: Profile;
  readonly sandboxProfile: Profile['name'];
  readonly plan: FaultPlanInput;
  readonly concurrency: number;
  readonly details: ImportOptions['sendProfiles'];
  /** The longest way to the service, or back. */
  readonly latencyMaxMs: number;
  /** The client takes no longer listing: pages of large messages are longer. `Infinity` where all are short enough. */
  readonly answerBytesMax: number;
  /** One after the other. Those that follow are undisturbed, until nothing is left to do. */
  readonly lives: readonly LifePlan[];
  /** The service refuses messages on its own. These are not lost if the store records them. */
  readonly mayRefuse: boolean;
  /**
   * Share of its messages, at least one, that the service never takes: it takes no request that holds one of them.
   * These are to be refused, and no other.
   */
  readonly poisonShare: number;
  /** What a request with one of them is answered, and how much of it is applied. Default: any. */
  readonly poison: Poison | undefined;
  /** Failed messages, parts of requests and other machines make messages late. Without any of these, no message may be late. */
  readonly mayBeLate: boolean;
  /** A hosted service: people, groups and members come before the messages. */
  readonly hasDirectory: boolean;
  /** Some who wrote have left their groups, and the service refuses messages of people who are no members. */
  readonly hasFormer: boolean;
  /** Two lives at a time, one on each machine. */
  readonly areTogether: boolean;
  /** Whether sending is paced, if the destination has a rate. */
  readonly isPaced: boolean;
}

/** A copy of the store does not know who was deactivated since, and the service says that it has no such person. */
export const hasDeactivations = ({ hasDirectory, lives }: Pick<Schedule, 'hasDirectory' | 'lives'>): boolean =>
  hasDirectory && lives.every(({ copyOf }) => copyOf === undefined);

/** How a client comes to life, and how it ends. */
export interface LifePlan {
  /** It ends at this one of its instants: it is killed, it is asked to stop, or its requests are cut as well. */
  readonly moments: number;
  readonly ending: 'kill' | 'stop' | 'cut';
  /** Since the life before. */
  readonly gapMs: number;
  /** The wall clock jumps by so much before it begins, and by so much in the middle of it. */
  readonly jumpMs: number;
  readonly jumpInsideMs: number;
  /** Which machine it runs on: each has a store of its own. */
  readonly machine: 0 | 1;
  /** The copy of the machine's store that is put back before: the one taken at the end of this life, or the planned one for -1. */
  readonly copyOf: number | undefined;
  /** The service restarts when it begins, and is gone for so long. */
  readonly outageMs: number;
  /** Others write so many messages before it begins. */
  readonly foreignCount: number;
}

const hourMs = 3_600_000;

/** Longer than anything that is still on its way needs to arrive and to be listed. */
const settledMs = 10 * 60_000;

export function scheduleOf(seed: number, scenario: ScenarioName): Schedule {
  const dice = new Dice(seed);
  const hasDirectory = scenario === 'people' || scenario === 'people-refused';
  const hasFormer = scenario === 'people-refused';
  const isDeclared = scenario === 'declared-refused';
  const storesDuplicates = !isDeclared && scenario !== 'paced' && dice.chance(0.6);
  const visibleAfterMs = scenario === 'listing' && dice.chance(0.6) ? dice.magnitude(1, 3000) : 0;
  const profile = profileOf(dice, scenario);
  const latencyMaxMs = dice.pick([0, 1, 100, 1500, 20_000]);
  // Dice of their own: seeds that found something stay what they were.
  const pages = new Dice(seed ^ 0x9a6e5);
  const answerBytesMax = scenario === 'listing' && pages.chance(0.4) ? pages.magnitude(4000, 20_000) : Infinity;
  const rules = [
    ...(scenario === 'refusals' ? refusingRules(dice) : []),
    ...rulesOf(dice, scenario, { storesDuplicates, lateMs: profile.graceLongMs - 20_000 }),
  ];
  const listing = {
    order: dice.pick(['id', 'time'] as const),
    cursors: dice.pick(['exclusive', 'inclusive'] as const),
    muids: scenario === 'listing' && dice.chance(0.7) ? ('hidden' as const) : ('shown' as const),
    visibleAfterMs,
  };
  return {
    shape: dice.pick(Object.keys(shapes) as ShapeName[]),
    profile,
    sandboxProfile: scenario === 'paced' || hasDirectory ? 'hosted' : 'spec',
    hasDirectory,
    hasFormer,
    plan: {
      ...(hasFormer && { outsiders: 'refused' as const }),
      seed: dice.between(0, 2 ** 31),
      rules,
      ...(isFair(scenario) && { inARowMax: 2 }),
      duplicates: storesDuplicates ? 'stored' : 'refused',
      listing,
      ...(dice.chance(0.2) && { clockSkewSeconds: dice.pick([-86_400, 86_400]) }),
    },
    concurrency: dice.between(1, 8),
    details: dice.pick(['first', 'first', 'always'] as const),
    latencyMaxMs,
    answerBytesMax,
    lives: livesOf(dice, scenario),
    mayRefuse:
      scenario === 'refusals' || scenario === 'poison' || scenario === 'bad-rows' || scenario === 'people-refused',
    poisonShare: poisonShareOf(dice, scenario),
    poison: scenario === 'bad-rows' ? { status: 500, applied: 'others' } : undefined,
    areTogether: scenario === 'two-stores',
    mayBeLate:
      !isFair(scenario) ||
      scenario === 'second-machine' ||
      scenario === 'two-stores' ||
      rules.some((rule) => 'applied' in rule && rule.applied === 'last-part'),
    isPaced: scenario === 'paced' && dice.chance(0.8),
  };
}

/** Chance makes no message look as if the service never took it. */
const isFair = (scenario: ScenarioName) =>
  !(
    ['refusals', 'stored-refused', 'poison', 'bad-rows', 'halves', 'sick', 'people-refused'] as readonly ScenarioName[]
  ).includes(scenario);

function rulesOf(dice: Dice, scenario: ScenarioName, limits: RuleLimits) {
  if (scenario === 'own-error-late') return ownErrorLate(dice, limits);
  if (scenario === 'stored-refused') return storedRefused(dice);
  if (scenario === 'people') return faultRules(dice, limits).map(alsoOfPeople);
  if (scenario === 'people-refused') return refusedPeople(dice);
  if (scenario === 'sick') return sickRules(dice);
  if (scenario === 'halves') return halvesRules;
  return scenario === 'poison' || scenario === 'bad-rows' ? [] : faultRules(dice, limits);
}

function poisonShareOf(dice: Dice, scenario: ScenarioName): number {
  if (scenario === 'bad-rows') return dice.pick([0.01, 0.2, 0.6]);
  return scenario === 'poison' ? dice.magnitude(10, 600) / 1000 : 0;
}

function profileOf(dice: Dice, scenario: ScenarioName): Profile {
  const base = scenario === 'paced' || scenario.startsWith('people') ? profiles.hosted : profiles.spec;
  const graceLongMs = dice.pick([30_000, 120_000]);
  return {
    ...base,
    batchItemsMax: dice.between(1, 12),
    graceLongMs,
    ...(scenario === 'declared-refused' && { duplicates: 'refused' as const }),
    // An unknown limit is learned from answers.
    ...(scenario === 'paced' && dice.chance(0.3) && { importsPerMinute: dice.pick([30, 60, 240]) }),
  };
}

/** Returns answers which show that nothing of a message, or of a request, was taken. */
function refusingRules(dice: Dice): NonNullable<FaultPlanInput['rules']> {
  const operations = ['importMessages' as const];
  const refusing: NonNullable<FaultPlanInput['rules']> = [
    { answer: 'items-refused', share: dice.next(), probability: 0.2, times: dice.between(1, 6) },
    {
      answer: 'error',
      operations,
      status: dice.pick([400, 422]),
      code: 'ERR_BAD_REQUEST',
      probability: 0.1,
      times: dice.between(1, 8),
    },
    { answer: 'error', operations, status: 413, code: 'ERR_BAD_REQUEST', probability: 0.1, times: dice.between(1, 4) },
    { answer: 'page', operations, status: 413, probability: 0.1, times: dice.between(1, 4) },
  ];
  return refusing.filter(() => dice.chance(0.5));
}

function livesOf(dice: Dice, scenario: ScenarioName): LifePlan[] {
  const dies =
    scenario === 'kills' ||
    scenario === 'old-store' ||
    scenario === 'second-machine' ||
    dice.chance(scenario === 'people' ? 0.8 : 0.4);
  if (scenario === 'clocks') return clockLives(dice);
  if (scenario === 'two-stores') return [0, 1].map((machine) => ({ ...lifePlan(dice, scenario, machine), gapMs: 0 }));
  if (scenario === 'faults' || scenario === 'poison' || !dies) return [];
  const count = dice.between(1, scenario === 'kills' || scenario === 'people' ? 8 : 4);
  return Array.from({ length: count }, (_, number) => lifePlan(dice, scenario, number));
}

const yearMs = 365 * 24 * hourMs;

/** Each life has another year on the clock; the runs that follow have the right one again. */
function clockLives(dice: Dice): LifePlan[] {
  let aheadMs = 0;
  const jumpTo = (ms: number) => {
    const jumpMs = ms - aheadMs;
    aheadMs = ms;
    return jumpMs;
  };
  const lives = Array.from({ length: dice.between(1, 4) }, (_, number): LifePlan => {
    const jumpMs = jumpTo(dice.pick([-1, 1]) * dice.magnitude(hourMs, 12 * yearMs));
    return {
      ...lifePlan(dice, 'clocks', number),
      jumpMs,
      jumpInsideMs: dice.chance(0.5) ? jumpTo(dice.pick([0, -1, 1]) * dice.magnitude(hourMs, 12 * yearMs)) : 0,
    };
  });
  return [...lives, { ...lifePlan(dice, 'clocks', lives.length), jumpMs: jumpTo(0), jumpInsideMs: 0 }];
}

function lifePlan(dice: Dice, scenario: ScenarioName, number: number): LifePlan {
  const isElsewhere = scenario === 'second-machine' && dice.chance(0.5);
  const hasCopy =
    number > 0 && ((scenario === 'old-store' && dice.chance(0.7)) || (scenario === 'people' && dice.chance(0.1)));
  const waits = scenario === 'second-machine' || hasCopy;
  const jump = () =>
    scenario === 'kills' && dice.chance(0.2) ? dice.pick([-1, 1]) * dice.magnitude(1000, 48 * hourMs) : 0;
  return {
    // A copy is worth putting back where something was sent since.
    moments: scenario === 'old-store' ? dice.between(20, 300) : dice.magnitude(1, 400),
    ending: dice.pick(['kill', 'kill', 'kill', 'stop', 'cut'] as const),
    gapMs: waits ? settledMs : dice.pick([0, 0, dice.magnitude(1, 10_000), dice.magnitude(1, hourMs)]),
    jumpMs: jump(),
    jumpInsideMs: jump(),
    machine: isElsewhere || (scenario === 'two-stores' && number === 1) ? 1 : 0,
    copyOf: hasCopy ? dice.between(-1, number - 1) : undefined,
    outageMs: dice.chance(0.2) ? dice.magnitude(10, 60_000) : 0,
    foreignCount: scenario === 'second-machine' ? dice.between(0, 3) : 0,
  };
}
