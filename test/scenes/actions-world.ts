import { join } from 'node:path';
import { databaseOf, openStore } from '../../src/store/open.ts';
import { Secret } from '../../src/lib/secret.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { type ActionKind, actionKinds } from '../../src/model/action.ts';
import type { ChatRecord } from '../../src/model/records.ts';
import { collectActions } from '../../src/report/collect/after-messages.ts';
import type { ImportOptions, ImportResult } from '../../src/delivery/session.ts';
import { performActions } from '../../src/delivery/perform-actions.ts';
import { sendPending } from '../../src/delivery/import.ts';
import { plan } from '../../src/plan/plan.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { Dice } from '../simulate/dice.ts';
import { emptySandbox } from '../simulate/empty-sandbox.ts';
import { Life } from '../simulate/life.ts';
import { Machine } from '../simulate/machine.ts';
import { Network } from '../simulate/network.ts';
import { VirtualClock } from '../simulate/virtual-clock.ts';
import type { Target } from '../../src/delivery/target.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { DeliveryClient } from '../../src/service/delivery-client.ts';
import { type Profile, profiles } from '../../src/service/profiles.ts';
import type { Transport } from '../../src/service/transport.ts';
import { sharedPace } from '../../src/delivery/pace.ts';
import { never } from './bench.ts';
import { effectsIn } from './actions-scene.ts';
import { writeRecords } from './write-records.ts';

const apiKey = 'actions-key';
const address = 'https://actions.example';

/** A store in which the records were planned with their actions, as a file's bytes. */
export async function plannedImage(
  folder: string,
  records: readonly ChatRecord[],
  actions: readonly ActionKind[] = actionKinds,
): Promise<Buffer> {
  const clock = new VirtualClock();
  const exports = [writeRecords(join(folder, 'export.ndjson'), records)];
  const store = openStore(join(folder, 'template.db'), { command: 'plan', nowMs: clock.now() });
  await plan(store, {
    exports,
    actions,
    mapping: await loadMapping(undefined),
    allowMappingChange: false,
    profile: profiles.spec,
    clock,
    progress: silent,
    signal: never,
  });
  databaseOf(store).pragma('journal_mode = DELETE');
  const image = databaseOf(store).serialize();
  store.close();
  return image;
}

interface WorldOptions {
  readonly image: Buffer;
  readonly rules?: FaultPlanInput['rules'];
  readonly profile?: Partial<Profile>;
  readonly latencyMaxMs?: number;
  readonly seed?: number;
  /** Changes the body of an answer before the client sees it. */
  readonly alter?: (body: string) => string;
}

/** A service, a machine with a store, a network between them, and lives of a client, one after the other. Time is virtual. */
export class ActionsWorld {
  readonly clock = new VirtualClock();
  readonly sandbox: FaultySandbox;
  /** Requests that arrived, with whom they acted for and what they were answered. */
  readonly requests: string[] = [];
  /** Moments of the first life before its first action. */
  momentsBefore: number | undefined;
  #moments = 0;
  readonly #sandboxStore = emptySandbox();
  readonly #machine: Machine;
  readonly #network: Network;
  readonly #options: WorldOptions;
  readonly #dice: Dice;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#dice = new Dice(options.seed ?? 1);
    this.#machine = new Machine(options.image);
    this.sandbox = new FaultySandbox({ store: this.#sandboxStore, apiKey, profile: 'spec', clock: this.clock });
    this.sandbox.plan = { rules: options.rules ?? [] };
    this.#network = new Network({
      sandbox: this.sandbox,
      world: this.clock,
      dice: this.#dice.fork(),
      latencyMaxMs: options.latencyMaxMs ?? 0,
      onRequest: ({ method, path, headers }, what) => {
        if (!path.includes('import') && method !== 'GET') this.momentsBefore ??= this.#moments - 4;
        this.requests.push(`${method} ${decodeURIComponent(path)} ${headers.onBehalfOf ?? ''} ${what}`);
      },
    });
  }

  /** One run of messages and actions, killed after so many moments, or undisturbed. */
  async live(moments = Number.POSITIVE_INFINITY): Promise<ImportResult | 'died'> {
    const life = new Life(moments, () => {
      this.#moments++;
      this.clock.touch();
    });
    const end = await Promise.race([this.#run(life), life.death]);
    return end;
  }

  /** Reactions that arrived more than once: a service that does not look would count them twice. */
  repeatedReactions(): string[] {
    const given = this.requests.filter((request) => request.includes('/reactions/'));
    return given.filter((request, index) => given.indexOf(request) !== index);
  }

  effects(): string[] {
    return effectsIn(this.#sandboxStore.db);
  }

  /** Totals of the store. */
  get totals() {
    return collectActions({ ...this.#machine.store(new Life(Number.POSITIVE_INFINITY)) }, 1, undefined).actions;
  }

  async close(): Promise<void> {
    this.clock.stop();
    this.#machine.close();
    await this.sandbox.close();
  }

  #altered(life: Life): Transport {
    const transport = this.#network.transport(life);
    const { alter } = this.#options;
    if (!alter) return transport;
    return {
      ...transport,
      async send(request, signal) {
        const answer = await transport.send(request, signal);
        return { ...answer, body: alter(answer.body) };
      },
    };
  }

  async #run(life: Life): Promise<ImportResult> {
    const store = this.#machine.store(life);
    const clock = life.clock(this.clock, () => 0);
    const profile = { ...profiles.spec, ...this.#options.profile };
    const target: Target = {
      id: store.destinations.use({ address, name: address, profile: profile.name, nowMs: clock.now() }),
      name: address,
      isEmbedded: false,
      profile,
      client: new DeliveryClient({ transport: this.#altered(life), apiKey: new Secret(apiKey), clock }),
      openPace: (onWait) => sharedPace({ address, clock, onWait, path: ':memory:', perMinute: {} }),
      async close() {},
    };
    const nowMs = clock.now();
    const runId = store.runs.start({
      command: 'import',
      destination: target.id,
      profile: profile.name,
      nowMs,
    });
    const options: ImportOptions = {
      runId,
      clock,
      random: this.#dice.fork().next,
      lockTakenAtMs: nowMs,
      progress: silent,
      concurrency: 3,
      sendProfiles: 'first',
      maxFailureShare: 1,
      stopping: never,
      signal: never,
    };
    const sent = await sendPending(store, target, options);
    return sent.stopped ? sent : await performActions(store, target, options);
  }
}
