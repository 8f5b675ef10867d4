/** The process of one lease: begins with its first message, and ends when its channel closes. */
import { existsSync } from 'node:fs';
import { faultWords } from '../../lib/sqlite.ts';
import { systemClock, type Clock } from '../../lib/flow/clock.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { Secret } from '../../lib/secret.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { RunStop } from '../../sync/job-result.ts';
import { openFleetFiles } from '../copies/fleet-files.ts';
import { UnitCopies } from '../copies/unit-copies.ts';
import { openDatabase } from '../database/database.ts';
import { Engine } from '../work/engine.ts';
import { runLease } from './run-lease.ts';
import { readStoreTotals } from './store-totals.ts';
import type { FromLease, ToLease, LeaseRequest } from './lease-request.ts';
import { unitFiles } from './unit-folder.ts';
import type { Progress } from '../../lib/flow/progress.ts';
import type { Totals } from '../../model/totals.ts';
import type { SentMessages, LeaseProgress } from '../database/units.ts';

/** Time that requests in flight get once the lease is asked to stop, in ms. */
const finishMs = 10_000;

const stopping = new AbortController();
const cutting = new AbortController();

// Node has read it, and a job's own commands are not to have it.
delete process.env.NODE_COMPILE_CACHE;

const tell = (message: FromLease) => process.send?.(message);

process.on('message', (message: ToLease) => {
  if (message.kind === 'begin') {
    void lease(message.request).then(
      (end) => process.send?.({ kind: 'ended', end } satisfies FromLease, () => process.exit(0)),
      (error: unknown) => {
        // A database that is down is no internal error.
        process.stderr.write(`${faultWords(error)}\n`);
        process.exit(1);
      },
    );
    return;
  }
  stopping.abort(RunStop.byUser(exitCodes.terminated));
  setTimeout(() => cutting.abort(RunStop.byUser(exitCodes.terminated)), message.why === 'lost' ? 0 : finishMs).unref();
});
// The worker is gone: another worker takes the unit over.
process.on('disconnect', () => process.exit(exitCodes.terminated));
// Ctrl-C at a terminal reaches the whole group: the worker says when it is time.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

async function lease(request: LeaseRequest): Promise<Extract<FromLease, { kind: 'ended' }>['end']> {
  const { config } = request.unit;
  if (existsSync(config.folder)) process.chdir(config.folder);
  const database = await openDatabase(new Secret(process.env.CHATFERRY_FLEET_DATABASE ?? ''), {
    max: 4,
    application: `chatferry lease of ${request.unit.id}`,
  });
  const location = await openFleetFiles(request.files, { env: process.env, folder: process.cwd() });
  try {
    const engine = await Engine.open(database, { heartbeatSeconds: request.times.heartbeat / 1000, supervises: false });
    try {
      return await runLease(request, {
        database,
        engine,
        copies: new UnitCopies(location, { clock: systemClock, random: Math.random }),
        env: process.env,
        clock: systemClock,
        random: Math.random,
        progress: toldProgress({
          clock: systemClock,
          tell: (progress) => tell({ kind: 'progress', progress }),
          // A lease that sends has a store.
          totals: () => readStoreTotals(unitFiles(request.folder).store)!,
        }),
        stopping: stopping.signal,
        signal: cutting.signal,
        measured: (measured) => tell({ kind: 'measured', measured }),
        say: (line) => void process.stderr.write(`${oneLine(line)}\n`),
        onFault: (error) => void process.stderr.write(`${faultWords(error)}\n`),
      });
    } finally {
      await engine.close();
    }
  } finally {
    await location.close();
    await database.close();
  }
}

/** Minimum interval between reports, in ms: a remote viewer sees no more. */
const intervalMs = 1_000;

export interface ToldProgressOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly tell: (progress: LeaseProgress) => void;
  /** The current totals. Asked for each time that sending begins: adding up a million messages takes seconds. */
  readonly totals: () => Totals;
}

export function toldProgress({ clock, tell, totals }: ToldProgressOptions): Progress {
  let sent: SentMessages | undefined;
  let toldMs = Number.NEGATIVE_INFINITY;
  const say = (progress: LeaseProgress, isNew: boolean) => {
    if (!isNew && clock.monotonic() - toldMs < intervalMs) return;
    toldMs = clock.monotonic();
    tell({ ...progress, ...(sent && { sent }) });
  };
  return {
    stage(name, { total: first } = {}) {
      let total = first;
      const before = name === 'Sending' ? totals() : undefined;
      if (before) sent = sentSince(before, 0, 0);
      say({ stage: name, done: 0, total }, true);
      return {
        update({ done, total: now = total, failed = 0, waiting }) {
          total = now;
          if (before) sent = sentSince(before, done, failed);
          say({ stage: name, done, total, ...(waiting !== undefined && { waiting: ownWords(waiting) }) }, false);
        },
        finish() {},
      };
    },
  };
}

/** Messages that tell of changes are sent as well, and are not counted in the totals: so more may be done than remained. */
function sentSince(before: Totals, done: number, failedCount: number): SentMessages {
  const { planned, existing, pending, unconfirmed } = before;
  const answered = Math.min(done, pending + unconfirmed);
  const failed = Math.min(failedCount, answered);
  const imported = before.imported + answered - failed;
  return { planned, imported, existing, failed: before.failed + failed, remaining: pending + unconfirmed - answered };
}

/** Returns the text before a colon or bracket. The text after it comes from a destination and may repeat a message. */
const ownWords = (waiting: string): string => waiting.split(/: | \(/)[0]!;
