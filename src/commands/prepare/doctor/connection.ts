import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../../../lib/flow/clock.ts';
import { ChatferryError } from '../../../lib/errors.ts';
import { Secret } from '../../../lib/secret.ts';
import { errorExitCode, exitCodes } from '../../../model/exit-codes.ts';
import { retry } from '../../../lib/flow/retry.ts';
import { formatDuration } from '../../../lib/text/quantity.ts';
import { openSandboxStore } from '../../../sandbox/store.ts';
import { createSandbox } from '../../../sandbox/app.ts';
import { createInProcessTransport } from '../../../sandbox/in-process.ts';
import {
  firstContact,
  type FirstContact,
  type Looking,
  type ListMessagesQuery,
} from '../../../service/delivery-client.ts';
import { withSlowReport } from '../../../service/http-transport.ts';
import type { Transport } from '../../../service/transport.ts';
import { addressOf, profileOf, sandboxPathOf, type TargetOptions } from '../../../delivery/target.ts';
import { error, ok, warning } from '../finding.ts';
import type { DoctorFinding } from '../../results.ts';

/** A destination as far as one can speak to it without anything being planned for it, or written down. */
export interface Connection {
  /** As a person would say it. */
  readonly name: string;
  /** As the store names it. */
  readonly address: string;
  readonly isEmbedded: boolean;
  readonly transport: Transport;
  readonly apiKey: Secret | undefined;
  close(): Promise<void>;
}

export type ConnectionOptions = Pick<TargetOptions, 'to' | 'appId' | 'region' | 'profile' | 'overrides' | 'apiKey'> & {
  readonly store: string;
  readonly clock: Clock;
  /** Called when a request has taken 10 s, with the time after which it is given up, in ms. */
  readonly onSlow?: ((leftMs: number) => void) | undefined;
};

/** Long enough for a slow service, and short enough to be waited for. */
const requestTimeoutMs = 20_000;

/** Returns undefined for the embedded sandbox if it has no imports yet. @throws UsageError if the address cannot be used. */
export const openConnection = async (options: ConnectionOptions): Promise<Connection | undefined> =>
  options.to === 'sandbox' && options.appId === undefined ? openEmbedded(options) : openRemote(options);

function openEmbedded(options: ConnectionOptions): Connection | undefined {
  const path = sandboxPathOf(options.store);
  if (!existsSync(path)) return undefined;
  const apiKey = new Secret('embedded');
  const sandbox = createSandbox({
    store: openSandboxStore(path),
    apiKey: apiKey.reveal(),
    profile: profileOf(options).name,
    hasDirectory: profileOf(options).people === 'import',
    clock: options.clock,
  });
  const transport = createInProcessTransport(sandbox);
  return {
    name: `the embedded sandbox (${resolve(path)})`,
    address: `sandbox:${sandbox.id}`,
    isEmbedded: true,
    transport,
    apiKey,
    close: async () => {
      await transport.close();
      sandbox.close();
    },
  };
}

async function openRemote(options: ConnectionOptions): Promise<Connection> {
  const address = addressOf(options);
  // Loaded on demand: 15 MB that most commands do without.
  const { createHttpTransport } = await import('../../../service/http-transport.ts');
  const { clock, onSlow = () => {} } = options;
  const http = createHttpTransport(new URL(address), { connections: 1, requestTimeoutMs });
  const transport = withSlowReport(http, { clock, requestTimeoutMs, onSlow });
  return {
    name: address,
    address,
    isEmbedded: false,
    transport,
    apiKey: options.apiKey,
    close: () => transport.close(),
  };
}

/** Whether a chat service answers at an address. Whether the key is good is another question. */
export function judgeAddress(name: string, contact: Asked): DoctorFinding {
  const { outcome, byService, tookMs, attempts } = contact;
  if (byService) {
    const says = `A chat service answers at ${name} (${formatDuration(tookMs)}${protection(name)})`;
    const isFailing = outcome.kind === 'failed' && (outcome.why === 'retry' || outcome.why === 'rate-limited');
    return attempts === 1 || isFailing
      ? ok('address', says)
      : warning(
          'address',
          `${says}, at the ${attempts}. attempt only`,
          'Check the gateway in front of the service; an import retries failed requests',
        );
  }
  if (outcome.kind === 'answered') throw new Error('a listing is an answer of the service');
  const { code, detail, hint } = outcome;
  const says =
    outcome.status === undefined
      ? `No answer from ${name}: ${code}: ${detail}`
      : `Something answers at ${name}, and not as the chat service does: ${code}: ${detail}`;
  return error('address', says, hint ?? todoFor(contact), exitCodes.stopped);
}

const todoFor = ({ outcome }: Asked): string =>
  outcome.kind === 'failed' && outcome.status === undefined
    ? 'Check --app-id and --region (or --to), the network and the proxy; is the service up?'
    : 'Check --to: it is the address before /v3; a gateway or a login page may be in front of the service';

const protection = (name: string): string => (name.startsWith('http:') ? ', unencrypted, on this machine' : ', TLS');

export interface Asked extends FirstContact {
  /** Questions that it took, the last one included. */
  readonly attempts: number;
}

const attemptsMax = 3;
/** The first wait at most, the second at most twice as long. */
const initialMs = 2_000;
/** A service that asks for a longer wait is reported instead. */
const waitMaxMs = 10_000;

/** Asks again what fails in passing, a few times: a single 502 says little about a service. */
export async function ask(
  query: ListMessagesQuery,
  looking: Looking & { readonly clock: Clock },
  signal: AbortSignal,
): Promise<Asked> {
  const request = async (attempts: number) => ({ ...(await firstContact(query, looking, signal)), attempts });
  const again = ({ outcome, attempts }: Asked) => {
    const isPassing = outcome.kind === 'failed' && (outcome.why === 'retry' || outcome.why === 'rate-limited');
    if (!isPassing || attempts >= attemptsMax || (outcome.retryAfterMs ?? 0) > waitMaxMs) return undefined;
    return { initialMs, retryAfterMs: outcome.retryAfterMs };
  };
  return await retry(request, { again, clock: looking.clock, random: Math.random, signal });
}

/** An error that would end an import, as a line. @throws whatever is none of ours. */
export function errorFinding(name: string, cause: unknown): DoctorFinding {
  if (!(cause instanceof ChatferryError)) throw cause;
  return error(name, cause.message, cause.hint ?? 'See the message above', errorExitCode(cause));
}
