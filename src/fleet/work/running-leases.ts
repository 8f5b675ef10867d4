import { type ChildProcess, fork } from 'node:child_process';
import { compileCache } from '../../lib/compile-cache.ts';
import { entryModule } from '../../lib/package-files.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { LeaseProgress, Unit } from '../database/units.ts';
import type { Claim } from './engine.ts';
import { afterFailure } from '../lease/after-lease.ts';
import { finishLease } from '../lease/end-lease.ts';
import type { FromLease, ToLease, LeaseRequest } from '../lease/lease-request.ts';
import { UnitLost } from './unit-lost.ts';
import type { Guard, WorkerOptions } from '../worker-options.ts';

/** Time that a lease gets to stop and to make its last copy, in ms. */
const stopMs = 30_000;

export interface RunningLease {
  readonly claim: Claim;
  readonly token: string;
  readonly unit: Unit;
  readonly number: number;
  readonly child: ChildProcess;
  readonly beganMs: number;
  ended: boolean;
  /** Resolves when its process has ended, and what follows from that is written down. */
  over: Promise<void>;
  progress?: LeaseProgress;
}

/** The leases of a worker, each in a process of its own. */
export class RunningLeases {
  readonly #options: WorkerOptions;
  readonly #guard: Guard;
  readonly #running = new Map<string, RunningLease>();

  constructor(options: WorkerOptions, guard: Guard) {
    this.#options = options;
    this.#guard = guard;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Those that have not said how they ended. */
  open(): readonly RunningLease[] {
    return [...this.#running.values()].filter(({ ended }) => !ended);
  }

  begin(request: LeaseRequest): void {
    const { env, database, listener, clock, onLine } = this.#options;
    const { claim, token, unit, lease } = request;
    const child = fork(entryModule('fleet/lease/lease-process'), [], {
      env: { ...env, ...compileCache(), CHATFERRY_FLEET_DATABASE: database.url.reveal() },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ctrl-C is for the worker, which then says when to stop.
      detached: process.platform !== 'win32',
    });
    const running: RunningLease = {
      claim,
      token,
      unit,
      number: lease.number,
      child,
      beganMs: clock.monotonic(),
      ended: false,
      over: Promise.resolve(),
    };
    this.#running.set(token, running);
    listener.leaseBegan?.(unit.id, { number: lease.number, isTakenOver: claim.attempt > 0 });
    // If the process could not be started, this is its only event.
    running.over = whenOver(child).then(() => this.#exited(running));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) if (line.trim() !== '') onLine(`${unit.id}: ${line}`);
    });
    child.on('message', (message: FromLease) => {
      if (message.kind === 'measured') listener.measured?.(message.measured);
      else if (message.kind === 'progress') running.progress = message.progress;
      else this.#ended(running, message.end);
    });
    say(child, { kind: 'begin', request });
  }

  #ended(running: RunningLease, end: Extract<FromLease, { kind: 'ended' }>['end']): void {
    running.ended = true;
    const { listener, clock } = this.#options;
    const ms = clock.monotonic() - running.beganMs;
    const outcome = end === undefined ? 'lost' : end.state === 'done' || end.reason === null ? 'done' : 'failed';
    listener.leaseEnded?.(running.unit.id, { outcome, ms, ...(end && { state: end.state, reason: end.reason }) });
    // Another worker may hold the lost unit by now: then this changes nothing.
    if (!end) void this.#guard(() => this.#options.engine.giveBack(running.claim));
  }

  /** A process that ended without a word has failed: the unit goes on after a pause, from its last copy. */
  async #exited(running: RunningLease): Promise<void> {
    const { listener, clock, stopping } = this.#options;
    if (!running.ended) {
      const exit = stopping.aborted ? exitCodes.terminated : exitCodes.fault;
      listener.leaseEnded?.(running.unit.id, { outcome: 'crashed', ms: clock.monotonic() - running.beganMs });
      const run = {
        result: { exit, stopped: { code: 'process', message: 'its process ended', hint: null } },
        isCut: false,
      };
      const next = afterFailure(running.unit, run);
      const lease = { number: running.number, epoch: 0, isLost: false, lostAgoMs: 0 };
      await this.#guard(() =>
        finishLease({ ...running, lease }, this.#options, { run, next, totals: null }).then(
          () => {},
          (error: unknown) => {
            if (!(error instanceof UnitLost)) throw error;
          },
        ),
      );
    }
    this.#running.delete(running.token);
  }

  /** This worker was stopped for a while, and lost the unit to itself: the older process has the same folder. */
  async endOlder({ unit }: Claim): Promise<void> {
    const older = [...this.#running.values()].filter((running) => running.unit.id === unit);
    for (const { child } of older) child.kill('SIGKILL');
    await Promise.all(older.map(({ over }) => over));
  }

  /** Resolves when every lease has ended. */
  async stopAll(): Promise<void> {
    const { clock, listener } = this.#options;
    listener.stopping?.();
    for (const { child } of this.#running.values()) say(child, { kind: 'stop', why: 'worker' });
    const all = Promise.all([...this.#running.values()].map(({ over }) => over));
    const waiting = new AbortController();
    await Promise.race([all, clock.sleep(stopMs, waiting.signal).catch(() => {})]);
    waiting.abort();
    for (const { child } of this.#running.values()) child.kill('SIGKILL');
    await all;
  }
}

/**
 * Resolves when a process has ended and its channel is read to the end: its last message may arrive after its end.
 * Processes that it started may keep its outputs open for longer; they are not waited for.
 */
export async function whenOver(child: Pick<ChildProcess, 'on' | 'once' | 'pid'>): Promise<void> {
  const both = (['exit', 'disconnect'] as const).map(
    (event) => new Promise<void>((resolve) => void child.once(event, () => resolve())),
  );
  // A process that could not be started never ends.
  const none = new Promise<void>((resolve) => void child.on('error', () => child.pid === undefined && resolve()));
  await Promise.race([Promise.all(both), none]);
}

/** Sends a message to the process. A process that ends in the meantime does not receive it. */
export const say = (child: ChildProcess, message: ToLease): void =>
  void (child.connected && child.send(message, () => {}));
