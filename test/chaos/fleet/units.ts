import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ExpectedMessage, makeExport } from '../../../src/selftest/steps/make-export.ts';
import { startChatferry } from '../../../src/selftest/steps/process.ts';
import { program } from '../../program.ts';
import type { Destination } from './destinations.ts';

/** An export that was handed in, and what must have arrived of it in the end. */
export interface ChaosUnit {
  /** `acme/u1` */
  readonly id: string;
  readonly number: number;
  readonly destination: Destination;
  readonly expected: readonly ExpectedMessage[];
}

export interface UnitsOptions {
  readonly folder: string;
  readonly apiKey: string;
  readonly fleet: object;
  readonly seed: number;
  readonly destinations: readonly Destination[];
  /** Imports a minute at each address. */
  readonly perMinute: number;
  readonly messages: number;
}

const tenants = ['acme', 'birch', 'cedar', 'dune'];
const conversations = 24;
/** A database that is down is back soon. */
const triesMax = 30;

/** Makes exports, and hands them in as people do. */
export class Units {
  readonly all: ChaosUnit[] = [];
  readonly #options: UnitsOptions;
  readonly #config: string;

  constructor(options: UnitsOptions) {
    this.#options = options;
    this.#config = join(options.folder, 'submit.yaml');
    writeFileSync(this.#config, JSON.stringify({ fleet: options.fleet }));
  }

  /**
   * Adds a unit, at the next address, of the next tenant.
   * @throws Error if it is not accepted
   */
  async add(): Promise<void> {
    const { folder, seed, destinations, messages } = this.#options;
    const number = this.all.length + 1;
    const destination = destinations[number % destinations.length]!;
    const shape = { messages, conversations, prefix: `u${number}-` };
    const expected = makeExport(join(folder, `u${number}.ndjson`), shape, seed + number);
    const unit = { id: `${tenants[number % tenants.length]!}/u${number}`, number, destination, expected };
    this.all.push(unit);
    await this.submit(unit);
  }

  /** Submits a unit. Submitting it again changes nothing. */
  async submit({ id, number, destination: { url } }: ChaosUnit): Promise<void> {
    const { folder, apiKey, perMinute } = this.#options;
    const [tenant, name] = id.split('/') as [string, string];
    const args = ['submit', `u${number}.ndjson`, '--tenant', tenant, '--name', name, '--to', url];
    const rules = ['--rate', String(perMinute), '--batch-items', '4', '--concurrency', '4', '--grace-period', '2s'];
    for (let tries = 1; ; tries++) {
      const said = [...args, ...rules, '--config', this.#config];
      const { code, lastWords } = await startChatferry(said, { folder, apiKey, log: 'submit.log', program }).ended;
      if (code === 0) return;
      if (code !== 7 || tries === triesMax) throw new Error(`submit ended with ${code}: ${lastWords.join(' ')}`);
      await wait(1_000);
    }
  }
}
