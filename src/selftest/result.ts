/** Result of the migrations of one scenario. After `requests`, every number is zero if the promise holds. */
export interface ScenarioResult {
  readonly scenario: string;
  /** Processes that were started to import, the killed ones included. */
  readonly runs: number;
  readonly kills: number;
  /** Imports and reads that the service saw. Those of a server's last moments before it is killed are not counted. */
  readonly requests: number;
  /** Messages of the export that the service does not have. */
  readonly lost: number;
  /** Copies beyond the first. */
  readonly duplicated: number;
  /** Messages at the service that are not of the export, or not as they are there: other sender, time or conversation. */
  readonly unexpected: number;
  /** Messages behind one that should follow them in their conversation, except those that the store names as late. */
  readonly outOfOrder: number;
  /** Messages of which the store does not know at the end whether they arrived. */
  readonly unconfirmed: number;
  /** Migrations that came to no end. */
  readonly hung: number;
}

/** A migration that did not keep the promise, and how to look at it. */
export interface Failure {
  readonly scenario: string;
  /** Begins the same migration again. Which instant a kill meets depends on the machine as well. */
  readonly seed: number;
  /** Sentences: what was found, and what was wanted. */
  readonly problems: readonly string[];
  /** Export, store, data of the sandbox and logs; kept. */
  readonly folder: string | null;
}

const counts = [
  'runs',
  'kills',
  'requests',
  'lost',
  'duplicated',
  'unexpected',
  'outOfOrder',
  'unconfirmed',
  'hung',
] as const;

const promised = ['lost', 'duplicated', 'unexpected', 'outOfOrder', 'unconfirmed', 'hung'] as const;

export function addUp(scenario: string, results: readonly Omit<ScenarioResult, 'scenario'>[]): ScenarioResult {
  const sum = { scenario } as { -readonly [Key in keyof ScenarioResult]: ScenarioResult[Key] };
  for (const name of counts) sum[name] = results.reduce((total, result) => total + result[name], 0);
  return sum;
}

/** Nothing lost, nothing twice, nothing strange, nothing out of order, nothing left open. */
export const isClean = (result: Omit<ScenarioResult, 'scenario'>): boolean =>
  promised.every((name) => result[name] === 0);
