import { FaultySandbox } from '../../../src/sandbox/faults.ts';
import type { ArrivedMessage } from '../../../src/sandbox/book.ts';
import type { TransportRequest } from '../../../src/service/transport.ts';
import { apiKey } from '../client.ts';
import type { Dice } from '../dice.ts';
import { storedAt } from '../directory.ts';
import { emptySandbox } from '../empty-sandbox.ts';
import { Machine } from '../machine.ts';
import { Network } from '../network.ts';
import type { Schedule } from '../schedule.ts';
import { lateIds } from '../store-facts.ts';
import type { Template } from '../template.ts';
import type { VirtualClock } from '../virtual-clock.ts';

export interface FleetUnitOptions {
  readonly name: string;
  readonly schedule: Schedule;
  readonly template: Template;
  readonly world: VirtualClock;
  readonly dice: Dice;
  readonly onImport: () => void;
  readonly log: (line: string) => void;
}

/** One export on its way, with the service that it goes to. */
export class FleetUnit {
  readonly name: string;
  readonly schedule: Schedule;
  readonly template: Template;
  readonly network: Network;
  /** Requests that had company of another with messages of the same conversation. */
  sideBySide = 0;
  requests = 0;
  /** Machine left by the last lease that ended. */
  latest: Machine | undefined;
  readonly #sandbox: FaultySandbox;
  readonly #sandboxStore = emptySandbox();
  readonly #machines: Machine[] = [];
  /** How many requests are on their way with messages of each conversation. */
  readonly #onTheWay = new Map<string, number>();
  readonly #conversations: ReadonlyMap<string, string>;

  constructor({ name, schedule, template, world, dice, onImport, log }: FleetUnitOptions) {
    this.name = name;
    this.schedule = schedule;
    this.template = template;
    const conversationOf = new Map(template.expected.map(({ id, conversation }) => [id, conversation]));
    this.#conversations = new Map([...template.muids].map(([id, muid]) => [muid, conversationOf.get(id) ?? id]));
    const { sandboxProfile } = schedule;
    this.#sandbox = new FaultySandbox({ store: this.#sandboxStore, apiKey, profile: sandboxProfile, clock: world });
    this.#sandbox.plan = schedule.plan;
    this.network = new Network({
      sandbox: this.#sandbox,
      world,
      dice,
      latencyMaxMs: schedule.latencyMaxMs,
      onRequest: ({ method, path }, what) => {
        this.requests++;
        log(`${name} ${method} ${path} ${what}`);
      },
      onLeft: (request) => {
        if (request.method !== 'POST') return () => {};
        onImport();
        return this.#left(request);
      },
    });
  }

  /** A store as a copy has it, or as it was planned. */
  open(image: Buffer | undefined): Machine {
    const machine = new Machine(image ?? this.template.image);
    this.#machines.push(machine);
    return machine;
  }

  /** People, groups and members of which a store says otherwise than it is. None of them existed before. */
  misstated({ db }: Machine): string[] {
    const state = db.prepare<[number], string>('SELECT state FROM arrival_delivery WHERE arrival = ?').pluck();
    return this.template.arrivals.flatMap(({ id, kind, key, item }) => {
      const isThere = storedAt(this.#sandboxStore.db, kind, item) !== undefined;
      return isThere && state.get(id) === 'imported' ? [] : [`${kind} "${key}" is ${state.get(id)}, there: ${isThere}`];
    });
  }

  arrived(): ArrivedMessage[] {
    return this.#sandboxStore.db
      .prepare<[], ArrivedMessage>(
        `SELECT c.name AS conversation, m.sender, m.sent_at AS sentAtSeconds, m.data ->> '$.text' AS text
         FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
      )
      .all();
  }

  /** Ids, in the export, of messages that any of its stores named as late. */
  lateAnywhere(): Set<string> {
    return new Set(this.#machines.flatMap(({ db }) => lateIds(db)));
  }

  async close(): Promise<void> {
    for (const machine of this.#machines) machine.close();
    await this.#sandbox.close();
  }

  #left({ body }: TransportRequest): () => void {
    const { messages = {} } = JSON.parse(String(body)) as { readonly messages?: object };
    const concerned = new Set(Object.keys(messages).map((muid) => this.#conversations.get(muid)!));
    const add = (conversation: string, count: number) =>
      this.#onTheWay.set(conversation, (this.#onTheWay.get(conversation) ?? 0) + count);
    for (const conversation of concerned) {
      if ((this.#onTheWay.get(conversation) ?? 0) > 0) this.sideBySide++;
      add(conversation, 1);
    }
    return () => {
      for (const conversation of concerned) add(conversation, -1);
    };
  }
}
