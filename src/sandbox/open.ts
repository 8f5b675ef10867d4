import { systemClock } from '../lib/flow/clock.ts';
import type { ProfileName } from '../service/profiles.ts';
import type { Applied } from './book.ts';
import type { FaultPlanInput } from './fault-plan.ts';
import { FaultySandbox } from './faults.ts';
import { serveSandbox } from './serve.ts';
import { openSandboxStore } from './store.ts';

/** `docs/guides/sandbox.md` says more of every field. */
export interface SandboxRequest {
  /** Any visible ASCII. */
  readonly apiKey: string;
  /** Path of the data file. Default: none, and everything is gone when it is closed. */
  readonly data?: string | undefined;
  /** Whose limits and pace it rehearses. Default: `spec`. */
  readonly profile?: ProfileName | undefined;
  /** Result for a muid that is there already. Default: refused. */
  readonly duplicates?: 'refused' | 'stored' | undefined;
  /** Made-up people and messages. Default: none. */
  readonly seed?: 'demo' | undefined;
  readonly faults?: SandboxFaults | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
}

/** Requests that are broken on purpose. */
export interface SandboxFaults {
  /** The same seed breaks the same requests. */
  readonly seed?: number;
  /** If several match a request, the first one applies. Fields depend on `answer`: `reset`, `rate-limited`, `error`, `items-refused` … */
  readonly rules?: readonly { readonly answer: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

/** A chat service that listens on this machine. */
export interface OpenSandbox {
  /** `http://127.0.0.1:4310`: what `to` takes. */
  readonly url: string;
  /** From the next request on. @throws ZodError that names what is wrong. */
  breakBy(faults: SandboxFaults): void;
  /** Each time a message with this muid was stored, in whatever way the request was answered. */
  applied(muid: string): Applied;
  /** Answers what it has received, at most for 5 s. */
  close(): Promise<void>;
}

/**
 * Serves the whole chat service on this machine, to rehearse an import or to test against.
 *
 * @throws UsageError if the port is taken or the key cannot be used; StoreError if the data file cannot.
 */
export async function openSandbox({
  data,
  profile = 'spec',
  faults,
  port,
  ...given
}: SandboxRequest): Promise<OpenSandbox> {
  const store = openSandboxStore(data ?? ':memory:');
  const sandbox = new FaultySandbox({ ...given, store, profile, clock: systemClock });
  const breakBy = (plan: SandboxFaults) => {
    sandbox.plan = plan as FaultPlanInput;
  };
  try {
    breakBy(faults ?? {});
    const server = await serveSandbox(sandbox, { port: port ?? 0 });
    return {
      url: server.url,
      breakBy,
      applied: (muid) => sandbox.book.applied(muid),
      async close() {
        await server.close();
        await sandbox.close();
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
