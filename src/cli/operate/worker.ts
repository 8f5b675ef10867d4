import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { Options } from '../../config/options.ts';
import type { Fleet } from '../../fleet/open-fleet.ts';
import type { WorkerServer } from '../../fleet/serve-worker.ts';
import { type WorkerListener, embeddedFolder } from '../../fleet/worker-options.ts';
import { addOptions, parseNumberFlag } from '../options/flags.ts';
import type { Host } from '../host.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import { countOf } from '../../lib/text/count.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { print } from '../terminal/print.ts';
import { embeddedFlag } from './fleet-place.ts';

interface WorkerFlags {
  readonly config?: string;
  readonly leases?: string;
  readonly listen?: string;
  readonly embedded?: string | true;
}

export function addWorker(program: Command, host: Host): void {
  const command = program
    .command('worker')
    .description(
      'Takes units of a fleet from its queue. Plans, sends and verifies each for some minutes in a process of its own, then takes the next one, ' +
        'until it is stopped. With --json it prints an object for each event. Any number of workers share one PostgreSQL and one place for copies:\n' +
        `${docsLink('guides/operate/fleet')}.`,
    )
    .option('--leases <N>', 'Leases at a time (default: the cores of this machine)')
    .option('--listen <ADDRESS>', 'Serve metrics and health there: :9464, or 127.0.0.1:9464')
    .option(
      '--embedded [DIR]',
      'With a PostgreSQL of its own in a folder (default ./chatferry-fleet): to try a fleet on one machine',
    );
  addOptions(command, ['json', 'quiet']);
  addAction(command, host, async (options, around) => work(command.opts<WorkerFlags>(), options, around));
}

async function work(
  flags: WorkerFlags,
  { json, quiet }: Options,
  { host, clock, stopping, signal, mute }: CommandContext,
): Promise<number> {
  const leases = flags.leases === undefined ? availableParallelism() : parseNumberFlag('leases', flags.leases, 1, 1000);
  const [{ loadFleet, rememberEmbedded }, { openFleet }, { Worker }, { seenAt }] = await Promise.all([
    import('../../fleet/fleet-config.ts'),
    import('../../fleet/open-fleet.ts'),
    import('../../fleet/worker.ts'),
    import('../../fleet/worker.ts'),
  ]);
  if (flags.listen !== undefined) (await import('../../fleet/serve-worker.ts')).listenAt(flags.listen);
  const embedded = flags.embedded === true ? embeddedFolder : flags.embedded;
  const config = loadFleet({ env: host.env, configPath: flags.config, embedded, makes: true });
  if (embedded !== undefined) {
    makeFolder(embedded);
    rememberEmbedded(embedded);
  }
  // It says itself that it stops, and when it was.
  mute();
  const log = json ? jsonLog(host) : lineLog(host, quiet);
  const fleet = await openFleet(config, { env: host.env, works: true, makes: false });
  let server: WorkerServer | undefined;
  try {
    server = flags.listen === undefined ? undefined : await serve(flags.listen, fleet, host);
    const worker = new Worker({
      ...fleet,
      files: config.files,
      times: { lease: config.lease, heartbeat: config.heartbeat, copyEvery: config.copyEvery },
      leases,
      work: resolve(config.work),
      clock,
      env: host.env,
      listener: both(log.listener, server),
      stopping,
      onLine: (line) => void host.stderr.write(`${logTime(host)} ${oneLine(line)}\n`),
      seen: seenAt(fleet.location, signal),
    });
    const { id } = worker;
    const metrics = server?.url ?? null;
    const place = { database: fleet.database.name, files: fleet.location.name, embedded: config.embedded ?? null };
    log.started({ worker: id, leases, ...place, metrics });
    await worker.run();
    return exitCodes.done;
  } finally {
    await server?.close();
    await fleet.close();
  }
}

/** Loaded on demand: an HTTP server and prom-client. */
async function serve(address: string, { database }: Fleet, host: Host): Promise<WorkerServer> {
  const [{ serveWorker }, { checkFleet }] = await Promise.all([
    import('../../fleet/serve-worker.ts'),
    import('../../fleet/fleet-overview.ts'),
  ]);
  const onFault = (fault: unknown) =>
    void host.stderr.write(`${logTime(host)} ${oneLine(fault instanceof Error ? fault.message : String(fault))}\n`);
  return await serveWorker(address, { clock: host.clock, check: () => checkFleet(database.query), onFault });
}

function both(one: WorkerListener, other: WorkerListener | undefined): WorkerListener {
  if (!other) return one;
  type Notify = (...facts: readonly unknown[]) => void;
  const names = ['leaseBegan', 'leaseEnded', 'measured', 'database', 'lost', 'beat', 'stopping'] as const;
  const notify = (name: (typeof names)[number]): Notify => {
    const told = [one[name] as Notify | undefined, other[name] as Notify | undefined];
    return (...facts) => {
      for (const tell of told) tell?.(...facts);
    };
  };
  return Object.fromEntries(names.map((name) => [name, notify(name)]));
}

export interface WorkerLog {
  readonly listener: WorkerListener;
  started(facts: {
    readonly worker: string;
    readonly leases: number;
    readonly database: string;
    readonly files: string;
    readonly metrics: string | null;
    /** Absolute path of the folder of its PostgreSQL, if that is its own. */
    readonly embedded: string | null;
  }): void;
}

/** A line for every lease that begins and ends, with its time. */
export function lineLog(host: Host, isQuiet: boolean): WorkerLog {
  const say = (line: string) => (isQuiet ? undefined : print(host, `${logTime(host)} ${oneLine(line)}`));
  return {
    started({ worker, leases, database, files, metrics, embedded }) {
      const measured = metrics === null ? '' : `, metrics at ${metrics}`;
      say(`${worker}: ${countOf(leases, 'lease')} at a time, ${database}, copies at ${files}${measured}`);
      const flag = embedded === null ? '' : embeddedFlag(embedded);
      if (flag !== '') say(`For this fleet: chatferry submit${flag} EXPORT …, chatferry fleet status${flag}`);
    },
    listener: {
      leaseBegan: (unit, { number, isTakenOver }) =>
        say(`${unit}: lease ${number} begins${isTakenOver ? ', taken over from another worker' : ''}`),
      leaseEnded: (unit, { outcome, ms, state, reason }) =>
        say(
          `${unit}: ${endWords[outcome]} after ${formatDuration(ms)}${state === undefined ? '' : `, ${state}`}${reason ? `: ${reason}` : ''}`,
        ),
      database: (_, words) => say(words),
      lost: () => say('The database lost commits: its send records are not trusted, and open items are read back'),
      stopping: () => say('Stopping: leases that run are ended and copied, within half a minute'),
    },
  };
}

/** An object a line for each event. */
export function jsonLog(host: Host): WorkerLog {
  const say = (event: string, facts: object = {}) =>
    print(host, JSON.stringify({ at: new Date(host.clock.now()).toISOString(), event, ...facts }));
  return {
    started: (facts) => say('started', facts),
    listener: {
      leaseBegan: (unit, { number, isTakenOver }) => say('lease-began', { unit, lease: number, isTakenOver }),
      leaseEnded: (unit, { ms, ...end }) => say('lease-ended', { unit, ...end, ms: Math.round(ms) }),
      database: (isUp, words) => say(isUp ? 'database-up' : 'database-down', { words: oneLine(words) }),
      lost: () => say('commits-lost'),
      stopping: () => say('stopping'),
    },
  };
}

/** To the second: `2026-11-24T06:12:03Z`. */
export const logTime = ({ clock }: Host): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;

const endWords = {
  done: 'lease ended',
  failed: 'lease failed',
  lost: 'another worker has it by now',
  crashed: 'its process ended',
} as const;
