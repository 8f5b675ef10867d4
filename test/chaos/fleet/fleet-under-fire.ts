import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FleetEvent, type FleetEvents, eventsOf } from './events.ts';
import { type FleetFigures, figuresOf, type Kill } from './figures.ts';
import type { ChaosDatabase } from './database.ts';
import type { ChaosFiles } from './files.ts';
import type { Observer } from './observer.ts';
import type { Units } from './units.ts';
import { type ChaosWorker, startWorker } from './workers.ts';

export interface FireOptions extends FleetEvents {
  readonly seed: number;
  readonly workers: number;
  readonly everyMs: number;
  readonly onProgress: (words: string) => void;
  readonly folder: string;
  readonly apiKey: string;
  readonly random: () => number;
  readonly fleet: object;
  readonly files: ChaosFiles;
  readonly units: Units;
  readonly observer: Observer;
  readonly database: ChaosDatabase;
}

const leasesOfWorker = 2;
/** So many units have something to do as long as anything happens. */
const unitsWanted = 6;
const heartbeatMs = 10_000;
/** No unit came to its end for so long: none will. */
const stuckMs = 420_000;
const checkMs = 1_000;

/** Workers of a fleet, kept at as many whatever becomes of them; units, so many that all have something to do; and what happens to them. */
export class FleetUnderFire {
  readonly problems: string[] = [];
  readonly #options: FireOptions;
  readonly #workers = new Set<ChaosWorker>();
  readonly #gone: ChaosWorker[] = [];
  readonly #kills: Kill[] = [];
  readonly #beside = new Set<Promise<void>>();
  readonly #damaged = new Set<string>();
  readonly #startedMs = performance.now();
  #stops = 0;
  #begun = 0;
  #eventsLeft: number;
  #isOver = false;

  constructor(options: FireOptions) {
    this.#options = options;
    this.#eventsLeft = Number.POSITIVE_INFINITY;
  }

  /** Until all units are done, or nothing moves any more. */
  async run(): Promise<void> {
    const { units } = this.#options;
    for (let count = 0; count < unitsWanted; count++) await units.add();
    while (this.#workers.size < this.#options.workers) await this.#begin();
    const watching = this.#watch();
    const happening = this.#happen();
    await happening;
    await Promise.all(this.#beside);
    await watching;
    await this.#endWorkers();
  }

  figures(): FleetFigures {
    const { units, observer } = this.#options;
    const fenced = this.#gone.reduce((sum, worker) => sum + worker.fenced(), 0);
    const known = {
      kills: this.#kills,
      stops: this.#stops,
      fenced,
      units: units.all,
      leases: [...observer.leases.values()],
    };
    return { ...figuresOf(known), seconds: Math.round((performance.now() - this.#startedMs) / 1000) };
  }

  /** Nothing that it started is left running. */
  async close(): Promise<void> {
    this.#isOver = true;
    for (const worker of this.#workers) await worker.kill();
  }

  async #begin(): Promise<void> {
    const { folder, apiKey, fleet } = this.#options;
    const name = `worker-${++this.#begun}`;
    const worker: ChaosWorker = await startWorker({
      ...{ folder, name, apiKey, fleet, leases: leasesOfWorker },
      onEnded: ({ code, lastWords }) => {
        // A worker that starts while the database is down reports it, and its supervisor starts it again.
        if (code === 7 && worker.id() === undefined) this.#say(`${name} found no database`);
        else this.#blame(`${name} ended with ${code}, and nobody had asked for it: ${lastWords.slice(-3).join(' ')}`);
        this.#workers.delete(worker);
      },
    });
    this.#workers.add(worker);
  }

  /** One event after the other. */
  async #happen(): Promise<void> {
    const { random, everyMs } = this.#options;
    const events = eventsOf(this.#options, random);
    this.#eventsLeft = events.length;
    for (const event of events) {
      await wait(everyMs * (0.5 + random()));
      if (this.#isOver) return;
      await this.#make(event);
      this.#eventsLeft--;
    }
  }

  async #make(event: FleetEvent): Promise<void> {
    const { database } = this.#options;
    this.#say(event);
    if (event === 'kill') await this.#kill();
    else if (event === 'stop') await this.#stop();
    else if (event === 'damage') await this.#damage();
    else {
      await database[event]();
      this.#say(`${event}: it is back`);
      // Units submitted after the copy are missing from the restored database.
      if (event === 'restore') this.#inBackground(this.#submitAgain());
    }
  }

  /** Returns a free worker, if possible one that has work. */
  async #free(): Promise<ChaosWorker> {
    const { random, observer, workers } = this.#options;
    for (;;) {
      while (this.#workers.size < workers) await this.#begin();
      const free = [...this.#workers].filter((worker) => worker.isFree());
      const busy = free.filter((worker) => observer.units.some((unit) => unit.worker === worker.id()));
      const among = busy.length > 0 ? busy : free;
      if (among.length > 0) return among[Math.floor(random() * among.length)]!;
      await wait(checkMs);
    }
  }

  async #kill(): Promise<void> {
    const { observer } = this.#options;
    const worker = await this.#free();
    const isUp = await observer.check();
    const held = observer.units.filter((unit) => unit.worker === worker.id()).map(({ id }) => id);
    await worker.ask();
    this.#say(`${worker.name} (${worker.id()}) is killed with ${held.join(', ') || 'nothing'}`);
    this.#workers.delete(worker);
    this.#gone.push(worker);
    await worker.kill();
    this.#kills.push({ atMs: Date.now(), units: isUp ? held : [] });
    await this.#begin();
  }

  async #stop(): Promise<void> {
    const { random } = this.#options;
    const worker = await this.#free();
    const forMs = heartbeatMs + 2_000 + random() * 8_000;
    this.#say(`${worker.name} (${worker.id()}) is stopped for ${Math.round(forMs)} ms`);
    worker.pause();
    this.#stops++;
    this.#inBackground(
      wait(forMs).then(() => {
        worker.resume();
        this.#say(`${worker.name} goes on`);
      }),
    );
  }

  /** Damages a copy that has another intact one before it: without one, a person would have to decide. */
  async #damage(): Promise<void> {
    const { observer, files, random } = this.#options;
    const sending = observer.units.filter(({ state }) => state === 'running' || state === 'waiting');
    for (const { id } of sending.toSorted(() => random() - 0.5)) {
      const [newest, ...others] = await observer.copiesOf(id);
      if (newest === undefined || !others.some((key) => !this.#damaged.has(key)) || this.#damaged.has(newest)) continue;
      if (!files.damage(newest)) continue;
      this.#damaged.add(newest);
      this.#say(`the newest copy of ${id} is damaged`);
      return;
    }
  }

  async #submitAgain(): Promise<void> {
    const { units } = this.#options;
    for (const unit of [...units.all]) await units.submit(unit);
  }

  /** Watches until all units are done, and submits more in the meantime. */
  async #watch(): Promise<void> {
    const { units, observer, onProgress } = this.#options;
    let doneBefore = 0;
    let movedMs = performance.now();
    while (!this.#isOver) {
      await wait(checkMs);
      if (!(await observer.check())) continue;
      for (const worker of this.#workers) await worker.ask();
      const done = observer.units.filter(({ state }) => state === 'done').length;
      for (const { id, state, reason } of observer.units)
        if (state === 'dead' || state === 'stopped') this.#stuck(`${id} is ${state}: ${reason}`);
      if (done !== doneBefore || this.#eventsLeft > 0) movedMs = performance.now();
      doneBefore = done;
      onProgress(`${this.#kills.length} kills, ${this.#stops} stops, ${done} of ${units.all.length} units done`);
      if (this.#eventsLeft === 0 && this.#beside.size === 0 && done === units.all.length) this.#isOver = true;
      if (performance.now() - movedMs > stuckMs) this.#stuck('nothing comes to its end any more');
      if (this.#eventsLeft > 0 && units.all.length - done < unitsWanted) await units.add();
    }
  }

  #stuck(problem: string): void {
    this.#blame(problem);
    this.#isOver = true;
  }

  async #endWorkers(): Promise<void> {
    for (const worker of [...this.#workers]) {
      await worker.ask();
      this.#workers.delete(worker);
      this.#gone.push(worker);
      const { code, lastWords } = await worker.end();
      if (code !== 0 && code !== 143)
        this.#blame(`${worker.name} ended with ${code}: ${lastWords.slice(-3).join(' ')}`);
    }
  }

  #inBackground(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => this.#blame(error instanceof Error ? error.message : String(error)))
      .finally(() => this.#beside.delete(watched));
    this.#beside.add(watched);
  }

  #blame(problem: string): void {
    this.#say(problem);
    this.problems.push(problem);
  }

  #say(words: string): void {
    appendFileSync(join(this.#options.folder, 'events.log'), `${new Date().toISOString()} ${words}\n`);
  }
}
