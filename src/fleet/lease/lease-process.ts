/** The process of one lease: begins with its first message, and ends when its channel closes. */
import { existsSync } from 'node:fs';
import { ChatferryError } from '../../lib/errors.ts';
import { systemClock } from '../../lib/flow/clock.ts';
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
import { toldProgress } from './told-progress.ts';
import type { FromLease, ToLease, LeaseRequest } from './lease-request.ts';
import { unitFiles } from './unit-folder.ts';

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
        const words =
          error instanceof ChatferryError
            ? oneLine(error.message)
            : error instanceof Error
              ? error.stack
              : String(error);
        process.stderr.write(`${words}\n`);
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
        onFault: (error) => void process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
      });
    } finally {
      await engine.close();
    }
  } finally {
    await location.close();
    await database.close();
  }
}
