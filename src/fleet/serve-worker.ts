import { UsageError } from '../lib/errors.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { type ListenOptions, listenSchema } from '../sync/shared-settings.ts';
import { serveOperators, watchHealth } from '../sync/listen.ts';
import { createFleetMetrics, type FleetCheck, type FleetMetrics } from './watch/metrics.ts';

/** Metrics and health of a worker, as the worker reports them. */
export interface WorkerServer extends Omit<FleetMetrics, 'contentType' | 'render'> {
  /** `http://0.0.0.0:9464` */
  readonly url: string;
  /** Reports that the worker still handles its leases: after two minutes without a call, `/healthz` asks for a restart. */
  beat(): void;
  stopping(): void;
  close(): Promise<void>;
}

interface ServeOptions {
  readonly clock: Clock;
  readonly check: () => Promise<FleetCheck>;
  /** Why a request was answered with 500, or a connection not taken. */
  readonly onFault: (fault: unknown) => void;
}

/** @param given As `--listen` has it. @throws UsageError if it is no address, or the port is taken */
export async function serveWorker(given: string, { clock, check, onFault }: ServeOptions): Promise<WorkerServer> {
  const metrics = createFleetMetrics(clock, check);
  const health = watchHealth(clock);
  let isUp = true;
  const parts = {
    metrics,
    health: { stalledMs: health.stalledMs, readiness: () => (isUp ? health.readiness() : 'without database') },
    onFault,
  };
  const server = await serveOperators(listenAt(given), parts).catch((cause: unknown) => {
    if (!(cause instanceof UsageError)) throw cause;
    throw new UsageError(cause.message, { hint: 'Pass --listen with another port or address', cause });
  });
  health.started!([]);
  return {
    ...metrics,
    url: server.url,
    database(isUpNow) {
      isUp = isUpNow;
      metrics.database(isUpNow);
    },
    beat: () => health.beat!(clock.now()),
    stopping: () => health.stopping!(''),
    close: () => server.close(),
  };
}

/** `9464` and `127.0.0.1:9464` are for this machine alone, `:9464` for everybody who reaches it, as is `[::]:9464`. @throws UsageError */
export function listenAt(given: string): ListenOptions {
  const [, address, port] = /^(?:(.*):)?(\d+)$/.exec(given.trim()) ?? [];
  const bare = address?.replace(/^\[(.*)\]$/, '$1');
  const parsed = listenSchema.safeParse({
    port,
    address: bare === undefined ? '127.0.0.1' : bare === '' ? '0.0.0.0' : bare,
    allowRemote: true,
  });
  if (parsed.success) return parsed.data;
  throw new UsageError(`Cannot use --listen ${given}: ${parsed.error.issues[0]!.message}`, {
    hint: 'Pass a port, or an address with a port: 9464, :9464 or 127.0.0.1:9464',
  });
}
