import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ArrivalCount } from '../../store/arrivals.ts';
import { arrivalKinds } from '../../model/arrival.ts';
import { checkStore, readStore, type Store } from '../../store/open.ts';
import { readStatus } from '../../commands/check.ts';
import { systemClock } from '../../lib/flow/clock.ts';
import { seededRandom } from '../../lib/flow/seeded-random.ts';
import { readArrived } from '../../sandbox/book.ts';
import { type Totals, isAccountedFor } from '../../model/totals.ts';
import { compare } from './compare.ts';
import { type ExpectedMessage, makeExport } from './make-export.ts';
import { type ChatferryProcess, type Ended, type ProcessOptions, startChatferry } from './process.ts';
import type { ScenarioResult } from '../result.ts';
import type { Scenario } from './scenarios.ts';
import { type Server, startServer } from './server.ts';

export interface MigrationOptions extends Pick<ProcessOptions, 'program'> {
  readonly scenario: Scenario;
  /** Decides the export, the faults, and when kills come. */
  readonly seed: number;
  /** SIGKILLs; fewer where it ends before. */
  readonly killsMax: number;
  /** An empty one, for everything that is written. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface Migration {
  readonly result: ScenarioResult;
  /** Everything that was wrong, in sentences; empty if the promise was kept. */
  readonly problems: readonly string[];
}

/** Starts of one import; more of them means that it comes to no end. */
const runsMax = 60;

/**
 * One migration with real processes: an import is killed again and again and started again with the same command, until it says
 * that everything is done. Then what the service has is compared with what was made, and with what the program says of it.
 *
 * @throws the signal's reason; nothing that it started is left running.
 */
export async function migrate(options: MigrationOptions): Promise<Migration> {
  const { scenario, seed, folder, program } = options;
  const apiKey = randomBytes(12).toString('hex');
  const expected = makeExport(join(folder, 'export.ndjson'), scenario.shape, seed);
  const server =
    scenario.server === 'embedded'
      ? undefined
      : await startServer({
          folder,
          apiKey,
          program,
          data: 'server.db',
          duplicates: scenario.server.duplicates,
          plan: { ...scenario.server.plan, seed: seed >>> 0 },
        });
  try {
    return await new Rehearsal(options, apiKey, server, expected).run();
  } finally {
    await server?.close();
  }
}

class Rehearsal {
  readonly #options: MigrationOptions;
  readonly #apiKey: string;
  readonly #server: Server | undefined;
  readonly #expected: readonly ExpectedMessage[];
  readonly #random: () => number;
  readonly #problems: string[] = [];
  #runs = 0;
  #kills = 0;
  #hung = 0;

  constructor(
    options: MigrationOptions,
    apiKey: string,
    server: Server | undefined,
    expected: readonly ExpectedMessage[],
  ) {
    this.#options = options;
    this.#apiKey = apiKey;
    this.#server = server;
    this.#expected = expected;
    this.#random = seededRandom(options.seed);
  }

  async run(): Promise<Migration> {
    await this.#importUntilDone();
    if (this.#problems.length === 0) await this.#verify();
    const requests = await this.#server?.requests();
    const facts = this.#facts();
    const { folder, scenario } = this.#options;
    const arrived = readArrived(join(folder, this.#server ? 'server.db' : 'chatferry.sandbox.db'));
    const { examples, ...found } = compare(this.#expected, arrived, facts?.lateIds ?? new Set());
    return {
      result: {
        ...found,
        scenario: scenario.name,
        runs: this.#runs,
        kills: this.#kills,
        requests: requests ?? facts?.attempts ?? 0,
        unconfirmed: facts?.totals.unconfirmed ?? 0,
        hung: this.#hung,
      },
      problems: [...this.#problems, ...examples, ...this.#untrue(facts)],
    };
  }

  async #importUntilDone(): Promise<void> {
    const { signal } = this.#options;
    while (this.#problems.length === 0) {
      if (this.#runs === runsMax) {
        this.#hung = 1;
        this.#problems.push(`not done after ${runsMax} runs`);
        return;
      }
      const ended = await this.#importOnce();
      signal.throwIfAborted();
      const totals = this.#facts()?.totals;
      if (totals && !isAccountedFor(totals)) this.#problems.push(`the totals do not add up: ${JSON.stringify(totals)}`);
      if (this.#isDone(ended)) return;
    }
  }

  /** One run of the import, killed if there is a kill left. */
  async #importOnce(): Promise<Ended> {
    const { scenario, killsMax } = this.#options;
    const to = this.#server ? ['--to', this.#server.url] : ['--to', 'sandbox'];
    // Messages that are listed late are not there at once; they are read back afterwards.
    const args = [
      'import',
      'export.ndjson',
      ...to,
      ...scenario.options,
      '--no-verify',
      '--yes',
      '--progress',
      'json',
      '--json',
    ];
    this.#runs++;
    const running = this.#start(args, 'import.log');
    let hasEnded = false;
    void running.ended.then(() => (hasEnded = true));
    if (this.#kills >= killsMax) return await running.ended;
    await this.#moment(running);
    if (scenario.killsServer && this.#random() < 0.5 && !hasEnded) {
      await this.#server?.restart(Math.floor(this.#random() * 300));
      this.#kills++;
      if (this.#kills >= killsMax) return await running.ended;
      await Promise.race([wait(this.#random() * 500), running.ended]);
    }
    running.kill();
    const ended = await running.ended;
    if (ended.isKilled && !ended.isHung) this.#kills++;
    return ended;
  }

  /** Waits for the instant of a kill: soon after the work has begun, or any from the start of the process on. */
  async #moment(running: ChatferryProcess): Promise<void> {
    const { scenario, killsMax } = this.#options;
    const { killsDuring, shape } = scenario;
    if (killsDuring === 'sending' && this.#random() < 0.3) {
      return await Promise.race([wait(this.#random() * 1_200), running.ended.then(() => {})]);
    }
    const stages = shape.hasDirectory ? ['People, groups, members', 'Sending', 'Actions'] : ['Sending'];
    const stage = stages[Math.floor((this.#kills / killsMax) * stages.length)]!;
    await running.line(`"stage":"${killsDuring === 'reading' ? 'Reading' : stage}"`);
    // Squared: most come early, when much is in flight, and some late.
    const withinMs = killsDuring === 'reading' ? 500 : this.#server ? 1_200 : 400;
    await Promise.race([wait(this.#random() ** 2 * withinMs), running.ended]);
  }

  /** Whether all was sent: 0, or 6 because nothing is read back until the end. 5 is resumable, anything else should not have happened. */
  #isDone(ended: Ended): boolean {
    const isSent = ended.code === 0 || ended.code === 6;
    if (ended.isHung || (!ended.isKilled && !isSent && ended.code !== 5)) this.#blame('import', ended);
    return isSent;
  }

  /** Whether the program's own read-back says the same as the comparison. */
  async #verify(): Promise<void> {
    const { scenario, signal } = this.#options;
    const visibleAfterMs = scenario.server === 'embedded' ? undefined : scenario.server.plan.listing?.visibleAfterMs;
    if (visibleAfterMs !== undefined) await wait(visibleAfterMs);
    const ended = await this.#start(['verify', '--progress', 'json', '--json'], 'verify.log').ended;
    signal.throwIfAborted();
    if (ended.code !== 0) this.#blame('verify', ended);
  }

  #blame(command: string, { code, isHung, lastOutput, lastWords }: Ended): void {
    if (isHung) this.#hung = 1;
    const words = lastWords.filter((line) => !line.startsWith('{')).slice(0, 4);
    const what = isHung ? 'said nothing for two minutes' : `ended with ${code}: ${[...words, lastOutput].join(' ')}`;
    this.#problems.push(`${command} ${what}`);
  }

  /** Returns claims of the store that are not true. */
  #untrue(facts: StoreFacts | undefined): string[] {
    if (this.#problems.length > 0) return [];
    const { length } = this.#expected;
    const { planned = 0, imported = 0, existing = 0 } = facts?.totals ?? {};
    const people = facts?.arrivals ?? [];
    if (this.#options.scenario.shape.hasDirectory) {
      const isRight =
        people.length === arrivalKinds.length && people.every((count) => count.imported === count.planned);
      if (!isRight) return [`the store says ${JSON.stringify(people)} of people, groups and members`];
      const left = facts?.actions.filter(({ done, planned: wanted }) => done !== wanted || wanted === 0) ?? [];
      if (left.length > 0) return [`the store says ${JSON.stringify(left)} of deactivations`];
    }
    if (planned === length && imported + existing === length) return [];
    return [`the store say ${JSON.stringify(facts?.totals)}, and ${length} messages were made`];
  }

  #facts(): StoreFacts | undefined {
    return readStoreFacts(join(this.#options.folder, 'chatferry.db'));
  }

  #start(args: readonly string[], log: string): ChatferryProcess {
    const { folder, signal, program } = this.#options;
    const process = startChatferry(args, { folder, apiKey: this.#apiKey, log, program });
    if (signal.aborted) process.kill();
    signal.addEventListener('abort', process.kill);
    void process.ended.then(() => signal.removeEventListener('abort', process.kill));
    return process;
  }
}

/** Facts that a checkpoint store records about itself. */
interface StoreFacts {
  readonly totals: Totals;
  readonly lateIds: ReadonlySet<string>;
  /** Import requests. */
  readonly attempts: number;
  /** At its only destination. */
  readonly arrivals: readonly ArrivalCount[];
  readonly actions: ReturnType<Store['actions']['count']>;
}

/** Returns undefined if a kill came before the store had its tables. @throws StoreError if it cannot be read. */
function readStoreFacts(path: string): StoreFacts | undefined {
  if (!existsSync(path) || checkStore(path).version === 0) return undefined;
  return readStore(path, (store) => {
    const { totals } = readStatus({ store: path, clock: systemClock }, 'status');
    return {
      totals: totals,
      lateIds: new Set(store.failures.lateMessages()),
      attempts: store.batches.countAttempts(),
      arrivals: store.arrivals.count(1),
      actions: store.actions.count(1),
    };
  });
}
