import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import type { Dice } from './dice.ts';

type Rule = NonNullable<FaultPlanInput['rules']>[number];

/** Limits for the fate of a request whose answer is broken. */
export interface RuleLimits {
  /** A muid that is there already is stored again. */
  readonly storesDuplicates: boolean;
  /** A request may be applied so long after its connection is gone, in ms. */
  readonly lateMs: number;
}

/** A few rules that break imports and listings; together about a third of all requests, for a while. */
export function faultRules(dice: Dice, limits: RuleLimits): Rule[] {
  const rules = Array.from({ length: dice.between(1, 7) }, () =>
    dice.chance(0.75) ? importFault(dice, limits) : listingFault(dice),
  );
  const probability = 0.5 / rules.length;
  return rules.map((rule) => ({
    ...rule,
    probability: Math.min(0.4, probability * (0.5 + dice.next())),
    skip: dice.between(0, 3),
    times: rule.times ?? dice.between(1, 12),
  }));
}

const imports: Rule['operations'] = ['importMessages'];

/** The service's own error, a long time before what it was about is applied. */
export const ownErrorLate = (dice: Dice, { lateMs }: RuleLimits): Rule[] => [
  {
    answer: 'error',
    operations: imports,
    status: dice.pick([500, 503]),
    applied: 'late',
    lateMs: dice.between(Math.floor(lateMs / 4), lateMs),
    probability: 0.1 + 0.2 * dice.next(),
  },
];

/** Answers that refuse a request which is stored nevertheless, wholly or in part. */
export const storedRefused = (dice: Dice): Rule[] =>
  [400, 404, 413, 422, 429].map((status) => ({
    answer: 'error',
    operations: imports,
    status,
    code: status === 429 ? 'ERR_TOO_MANY_REQUESTS' : 'ERR_BAD_REQUEST',
    applied: dice.pick(['whole', 'whole', 'first-part', 'last-part'] as const),
    probability: dice.chance(0.6) ? 0.1 * dice.next() : 0.01,
  }));

const ofPeople = ['importUsers', 'importGroups', 'importMembers'] as const;

/** The same faults for imports of people, groups and members. */
export const alsoOfPeople = (rule: Rule): Rule =>
  rule.operations?.includes('importMessages')
    ? { ...rule, operations: [...ofPeople, 'deactivateUsers', 'activateUsers', 'importMessages'] }
    : rule;

/** Imports of people, groups and members are refused, as a whole or item by item; a request that is refused as a whole may be stored. */
export const refusedPeople = (dice: Dice): Rule[] => [
  { answer: 'items-refused', operations: [...ofPeople], share: dice.next(), probability: 0.3 },
  // A service that limits the rate does so before it stores anything.
  ...storedRefused(dice)
    .filter((rule) => !('status' in rule) || rule.status !== 429)
    .map((rule): Rule => ({ ...rule, operations: [...ofPeople] })),
  ...removalFaults,
];

const removals = { operations: ['kickMember' as const], probability: 0.15 };
const removalFaults: Rule[] = [
  { answer: 'reset', applied: 'whole', ...removals },
  { answer: 'reset', applied: 'nothing', ...removals },
  { answer: 'error', status: 500, applied: 'whole', ...removals },
  { answer: 'error', status: 400, code: 'ERR_BAD_REQUEST', applied: 'whole', ...removals },
];

export interface Poison {
  readonly status: 400 | 422 | 500 | 502;
  readonly applied: 'others' | 'nothing';
}

/** Requests that hold one of these messages, 1,000 in each rule: none of them is ever taken. */
export function poisonRules(dice: Dice, muids: readonly string[], poison?: Poison): Rule[] {
  const { status, applied } = poison ?? {
    status: dice.pick([400, 422, 500, 502] as const),
    applied: dice.pick(['others', 'nothing'] as const),
  };
  const answer = { operations: imports, status, applied };
  const rules: Rule[] = [];
  for (let from = 0; from < muids.length; from += 1000) {
    const some = muids.slice(from, from + 1000);
    rules.push(
      status === 502
        ? { answer: 'page', ...answer, muids: some }
        : { answer: 'error', code: status === 500 ? 'ERR_EXCEPTION' : 'ERR_BAD_REQUEST', ...answer, muids: some },
    );
  }
  return rules;
}

/** Every request, half of which is stored. */
export const halvesRules: readonly Rule[] = [
  { answer: 'error', operations: imports, status: 500, applied: 'half', probability: 1 },
];

/** A third of the requests, or more. */
export const sickRules = (dice: Dice): Rule[] => [
  { answer: 'error', operations: imports, status: 500, probability: 0.15 + 0.05 * dice.next() },
  { answer: 'page', operations: imports, status: 502, probability: 0.15 + 0.05 * dice.next() },
];

/** Answers without information, whatever was done. */
const unseen = ['page', 'closed', 'reset', 'silent', 'garbage', 'endless'] as const;
/** Answers with information that cannot be read, or only in part. */
const garbled = [
  ...['cut', 'stalled', 'slow', 'hung-up', 'gzip', 'invalid-json', 'no-data'],
  ...['keys-missing', 'keys-renamed', 'keys-added', 'texts-changed', 'normal'],
] as const;
const gatewayStatuses = [200, 408, 500, 502, 503, 504, 520, 599] as const;
const serviceStatuses = [408, 500, 502, 503, 504] as const;

function importFault(dice: Dice, limits: RuleLimits): Rule {
  const operations: Rule['operations'] = ['importMessages'];
  const kind = dice.next();
  if (kind < 0.4) {
    const answer = dice.pick(unseen);
    const applied = appliedUnseen(dice, limits);
    if (answer === 'page') return { answer, operations, status: dice.pick(gatewayStatuses), ...applied };
    return { answer, operations, ...applied };
  }
  if (kind < 0.55) {
    const applied = appliedUnseen(dice, limits);
    return { answer: 'error', operations, status: dice.pick(serviceStatuses), ...applied };
  }
  if (kind < 0.85) return { ...garbledFault(dice), operations, applied: appliedSeen(dice, limits) };
  if (kind < 0.95) return { ...rateLimited(dice), operations };
  return { ...stop(dice), operations };
}

/** A listing that leaves something out without saying so is no fault that anybody could see: there is none of that here. */
function listingFault(dice: Dice): Rule {
  const operations: Rule['operations'] = ['listMessages'];
  const kind = dice.next();
  if (kind < 0.3) return { answer: dice.pick(unseen), operations };
  if (kind < 0.5) return { answer: 'error', operations, status: dice.pick(serviceStatuses) };
  if (kind < 0.8) {
    const honest = ['cut', 'stalled', 'slow', 'hung-up', 'gzip', 'invalid-json', 'no-data', 'normal'] as const;
    return { ...garbledFault(dice, honest), operations };
  }
  if (kind < 0.95) return { ...rateLimited(dice), operations };
  return { ...stop(dice), operations };
}

type Garbled = Extract<Rule, { answer: (typeof garbled)[number] }>;

function garbledFault(dice: Dice, answers: readonly (typeof garbled)[number][] = garbled): Garbled {
  const answer = dice.pick(answers);
  switch (answer) {
    case 'cut':
      return { answer, framing: dice.pick(['length', 'chunked', 'none'] as const) };
    case 'slow':
      return { answer, bytesPerSecond: dice.magnitude(20, 5000), from: dice.pick(['head', 'body'] as const) };
    case 'normal':
      return { answer, delayMs: dice.magnitude(10, 50_000) };
    default:
      return { answer };
  }
}

function rateLimited(dice: Dice): Rule {
  const waits = [undefined, 0, -5, 3, 1e9, { date: 20 }, { date: -20 }, { sentence: 10 }, { text: 'soon' }] as const;
  const retryAfter = dice.pick(waits);
  return {
    answer: 'rate-limited',
    ...(retryAfter !== undefined && { retryAfter }),
    ...(retryAfter === 1e9 && { times: 1 }),
  };
}

/** After these a run stops, and a person runs it again. */
function stop(dice: Dice): Rule {
  if (dice.chance(0.5)) return { answer: 'redirect', times: 1 };
  return { answer: 'error', status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND', times: dice.between(1, 2) };
}

function appliedUnseen(dice: Dice, limits: RuleLimits) {
  const applied = dice.pick(['nothing', 'whole', 'first-part', 'last-part', 'late', 'late'] as const);
  if (applied === 'late') return { applied, lateMs: dice.magnitude(1, limits.lateMs) };
  return { applied: !limits.storesDuplicates && dice.chance(0.1) ? ('twice' as const) : applied };
}

function appliedSeen(dice: Dice, { storesDuplicates }: RuleLimits) {
  if (!storesDuplicates && dice.chance(0.15)) return 'twice' as const;
  return dice.chance(0.3) ? dice.pick(['first-part', 'last-part'] as const) : ('whole' as const);
}
