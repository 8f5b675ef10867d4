import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../lib/flow/clock.ts';
import { sha256Base32 } from '../lib/hash.ts';
import { threadModule } from '../lib/package-files.ts';
import { version } from '../lib/version.ts';
import { exitCodes } from '../report/exit-codes.ts';
import { DatabaseDown, type FleetDatabase } from './database/database.ts';
import { type DatabasePlace, isBehind, noteLoss, placeOf } from './database/epoch.ts';
import { beginTurn, noteProgress } from './database/turns.ts';
import { copiesOf, readUnit, setState, type TurnProgress, type Unit } from './database/units.ts';
import type { Claim, Engine } from './engine.ts';
import { afterFailure } from './turn/after-turn.ts';
import { finishTurn } from './turn/end-turn.ts';
import { UnitLost } from './unit-lost.ts';
import type { FromTurn, Measured, ToTurn, TurnRequest, TurnTimes } from './turn/turn-request.ts';
import type { FleetFilesRule } from './copies/fleet-files.ts';

/** Told what a worker does. Never throws, never waits. */
export interface WorkerListener {
  turnBegan?(unit: string, turn: { readonly number: number; readonly isTakenOver: boolean }): void;
  turnEnded?(
    unit: string,
    end: {
      readonly outcome: 'done' | 'failed' | 'lost' | 'crashed';
      readonly ms: number;
      readonly state?: string;
      readonly reason?: string | null;
    },
  ): void;
  measured?(measured: Measured): void;
  /** The database does not answer; and it does again. */
  database?(isUp: boolean, words: string): void;
  /** The database lost commits. */
  lost?(): void;
  /** It looks after its turns. */
  beat?(): void;
  /** It takes no more turns. */
  stopping?(): void;
}

export interface WorkerOptions {
  readonly database: FleetDatabase;
  readonly engine: Engine;
  readonly files: FleetFilesRule;
  readonly times: TurnTimes;
  /** Turns at a time. */
  readonly turns: number;
  /** Folder for the files of units. */
  readonly work: string;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly listener: WorkerListener;
  /** Aborted: turns are stopped, and what they have is copied. */
  readonly stopping: AbortSignal;
  /** What a process of a turn says of faults. */
  readonly onLine: (line: string) => void;
  /** Kept between starts where it is known: how far the database was seen to be. */
  readonly seen?: SeenPlace | undefined;
}

/** Where it is remembered how far the database has come, outside of it. */
export interface SeenPlace {
  read(): Promise<DatabasePlace | undefined>;
  write(place: DatabasePlace): Promise<void>;
}

/** How often a turn is looked for where one may run, in ms. */
const pollMs = 500;
/** What a turn gets to stop and to make its last copy, in ms. */
const stopMs = 30_000;
/** How often what was seen of the database is put down outside of it, in ms. */
const rememberMs = 60_000;

interface Running {
  readonly claim: Claim;
  readonly token: string;
  readonly unit: Unit;
  readonly number: number;
  readonly child: ChildProcess;
  readonly beganMs: number;
  ended: boolean;
  progress?: TurnProgress;
}

/** Claims turns and runs each in a process of its own, says that it lives, and looks after what became of the database. */
export class Worker {
  readonly id: string;
  readonly #options: WorkerOptions;
  readonly #running = new Map<string, Running>();
  #isUp = true;
  #place: DatabasePlace | undefined;
  #rememberedMs = Number.NEGATIVE_INFINITY;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.id = `${hostname().slice(0, 40)}-${process.pid}-${sha256Base32(randomUUID(), 4)}`;
  }

  /** Resolves when it was asked to stop and every turn has ended. */
  async run(): Promise<void> {
    const { clock, stopping, seen } = this.#options;
    this.#place = await seen?.read().catch(() => undefined);
    await this.#guard(() => this.#look(this.#place));
    const beating = this.#beatUntil(stopping);
    while (!stopping.aborted) {
      if (this.#running.size < this.#options.turns) await this.#guard(() => this.#claim());
      if (this.#running.size >= this.#options.turns || !this.#claimed)
        await clock.sleep(pollMs, stopping).catch(() => {});
    }
    await this.#stopAll();
    await beating;
    await this.#guard(
      async () => void (await this.#options.database.query('DELETE FROM ferry.worker WHERE id = $1', [this.id])),
    );
  }

  #claimed = false;

  async #claim(): Promise<void> {
    const { engine, database } = this.#options;
    this.#claimed = false;
    const claim = await engine.claim();
    if (!claim) return;
    this.#claimed = true;
    await this.#endOlder(claim);
    const token = randomUUID();
    const begun = await database.transaction(async (query) => {
      // A database that lost commits must not hand out a unit as if nothing had left. A beat may look meanwhile, and see it further.
      const seen = this.#place;
      if (seen && isBehind(await placeOf(query), seen)) return 'behind' as const;
      return await beginTurn(query, claim, token, this.id);
    });
    if (begun === 'behind') {
      await this.#look(this.#place);
      await engine.giveBack(claim);
      return;
    }
    const unit = begun && (await readUnit(database.query, claim.unit));
    if (!begun || !unit) {
      // Paused, done or dropped since it was sent.
      await database.transaction((query) => engine.complete(claim, query));
      return;
    }
    const copies = await copiesOf(database.query, unit.id);
    const { files, times, work } = this.#options;
    const folder = join(work, encodeURIComponent(unit.id));
    this.#begin({ claim, token, unit, turn: begun, copies, folder, files, times });
  }

  /** This worker was stopped for a while, and lost the unit to itself: the older process has the same folder. */
  async #endOlder({ unit }: Claim): Promise<void> {
    const older = () => [...this.#running.values()].filter((running) => running.unit.id === unit);
    for (const { child } of older()) child.kill('SIGKILL');
    while (older().length > 0) await this.#options.clock.sleep(20, new AbortController().signal);
  }

  #begin(request: TurnRequest): void {
    const { env, database, listener, clock, onLine } = this.#options;
    const { claim, token, unit, turn } = request;
    const child = fork(threadModule('fleet/turn/turn-process'), [], {
      env: { ...env, CHATFERRY_FLEET_DATABASE: database.url.reveal() },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ctrl-C is for the worker, which then says when to stop.
      detached: process.platform !== 'win32',
    });
    const running: Running = {
      claim,
      token,
      unit,
      number: turn.number,
      child,
      beganMs: clock.monotonic(),
      ended: false,
    };
    this.#running.set(token, running);
    listener.turnBegan?.(unit.id, { number: turn.number, isTakenOver: claim.attempt > 0 });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) if (line.trim() !== '') onLine(`${unit.id}: ${line}`);
    });
    child.on('message', (message: FromTurn) => {
      if (message.kind === 'measured') listener.measured?.(message.measured);
      else if (message.kind === 'progress') running.progress = message.progress;
      else this.#ended(running, message.end);
    });
    // Where none could be started nothing ends.
    child.on('error', () => void (child.pid === undefined && this.#exited(running)));
    child.on('exit', () => void this.#exited(running));
    say(child, { kind: 'begin', request });
  }

  #ended(running: Running, end: Extract<FromTurn, { kind: 'ended' }>['end']): void {
    running.ended = true;
    const { listener, clock } = this.#options;
    const ms = clock.monotonic() - running.beganMs;
    const outcome = end === undefined ? 'lost' : end.state === 'done' || end.reason === null ? 'done' : 'failed';
    listener.turnEnded?.(running.unit.id, { outcome, ms, ...(end && { state: end.state, reason: end.reason }) });
    // Of a lost one another may be the holder: then this changes nothing.
    if (!end) void this.#guard(() => this.#options.engine.giveBack(running.claim));
  }

  /** A process that ended without a word has failed: the unit goes on after a pause, from its last copy. */
  async #exited(running: Running): Promise<void> {
    const { listener, clock, stopping } = this.#options;
    if (!running.ended) {
      const exit = stopping.aborted ? exitCodes.terminated : exitCodes.fault;
      listener.turnEnded?.(running.unit.id, { outcome: 'crashed', ms: clock.monotonic() - running.beganMs });
      const run = {
        result: { exit, stopped: { code: 'process', message: 'its process ended', hint: null } },
        isCut: false,
      };
      const next = afterFailure(running.unit, run);
      const turn = { number: running.number, epoch: 0, isLost: false, lostAgoMs: 0 };
      await this.#guard(() =>
        finishTurn({ ...running, turn }, this.#options, { run, next, books: null }).then(
          () => {},
          (error: unknown) => {
            if (!(error instanceof UnitLost)) throw error;
          },
        ),
      );
    }
    this.#running.delete(running.token);
  }

  async #beatUntil(stopping: AbortSignal): Promise<void> {
    const { clock, times } = this.#options;
    const over = new AbortController();
    stopping.addEventListener('abort', () => setTimeout(() => over.abort(), 0), { once: true });
    // Turns that end are held until they have ended.
    while (!stopping.aborted || this.#running.size > 0) {
      await this.#guard(() => this.#beat());
      this.#options.listener.beat?.();
      const waitMs = stopping.aborted ? 500 : times.heartbeat / 4;
      await clock.sleep(waitMs, stopping.aborted ? new AbortController().signal : over.signal).catch(() => {});
    }
  }

  async #beat(): Promise<void> {
    const { database, engine, turns, listener } = this.#options;
    const running = [...this.#running.values()].filter(({ ended }) => !ended);
    const lost = await engine.beat(running.map(({ claim }) => claim));
    for (const { claim, child } of running) {
      if (!lost.includes(claim)) continue;
      listener.measured?.({ kind: 'fenced', unit: claim.unit });
      say(child, { kind: 'stop', why: 'lost' });
    }
    await database.query(
      `INSERT INTO ferry.worker (id, host, version, turns, running) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp(), running = excluded.running`,
      [this.id, hostname(), version, turns, this.#running.size],
    );
    const at = running.flatMap(({ unit, token, progress }) => (progress ? [{ unit: unit.id, token, progress }] : []));
    await noteProgress(database.query, at);
    await this.#stopPaused(running);
    await this.#bury();
    await this.#look(this.#place);
  }

  /** Somebody paused or dropped what runs here. */
  async #stopPaused(running: readonly Running[]): Promise<void> {
    if (running.length === 0) return;
    const rows = await this.#options.database.query<{ id: string }>(
      `SELECT id FROM ferry.unit WHERE id = ANY($1) AND state = 'running'`,
      [running.map(({ unit }) => unit.id)],
    );
    const wanted = new Set(rows.map(({ id }) => id));
    for (const { unit, child } of running) if (!wanted.has(unit.id)) say(child, { kind: 'stop', why: 'worker' });
  }

  /** Units whose workers died again and again. */
  async #bury(): Promise<void> {
    const { engine, database } = this.#options;
    for (const unit of await engine.buried()) {
      await setState(database.query, unit, 'dead');
      await database.query('UPDATE ferry.unit SET reason = $2 WHERE id = $1', [
        unit,
        'its workers died, one after the other',
      ]);
    }
  }

  /** Whether the database has everything that it had. @param seen How far it was. */
  async #look(seen: DatabasePlace | undefined): Promise<void> {
    const { database, listener, clock, seen: memory } = this.#options;
    const now = await placeOf(database.query);
    if (seen && isBehind(now, seen)) {
      await noteLoss(database, seen);
      listener.lost?.();
    }
    this.#place = await placeOf(database.query);
    if (!memory || clock.monotonic() - this.#rememberedMs < rememberMs) return;
    this.#rememberedMs = clock.monotonic();
    await memory.write(this.#place).catch(() => {});
  }

  async #stopAll(): Promise<void> {
    const { clock, listener } = this.#options;
    listener.stopping?.();
    for (const { child } of this.#running.values()) say(child, { kind: 'stop', why: 'worker' });
    const untilMs = clock.monotonic() + stopMs;
    const never = new AbortController().signal;
    while (this.#running.size > 0 && clock.monotonic() < untilMs) await clock.sleep(100, never);
    for (const { child } of this.#running.values()) child.kill('SIGKILL');
    while (this.#running.size > 0) await clock.sleep(100, never);
  }

  /** What the database does not answer is done again the next time. */
  async #guard(work: () => Promise<void>): Promise<void> {
    const { listener } = this.#options;
    try {
      await work();
      if (!this.#isUp) listener.database?.(true, 'the database answers again');
      this.#isUp = true;
    } catch (error) {
      if (!(error instanceof DatabaseDown)) {
        this.#options.onLine(error instanceof Error ? (error.stack ?? error.message) : String(error));
        return;
      }
      if (this.#isUp) listener.database?.(false, error.message);
      this.#isUp = false;
    }
  }
}

/** A process that ends meanwhile hears nothing. */
const say = (child: ChildProcess, message: ToTurn): void => void (child.connected && child.send(message, () => {}));
