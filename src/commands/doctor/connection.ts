import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { Secret } from '../../lib/secret.ts';
import { createSandbox } from '../../sandbox/http/app.ts';
import { createInProcessTransport } from '../../sandbox/http/in-process.ts';
import { openSandboxStore } from '../../sandbox/data/store.ts';
import type { Transport } from '../../service/transport.ts';
import { addressOf, profileOf, sandboxPathOf, type TargetOptions } from '../../upload/target.ts';

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
};

/** Long enough for a slow service, and short enough to be waited for. */
const requestTimeoutMs = 20_000;

/** Nothing where it is the embedded sandbox and nobody has imported into it yet. @throws UsageError if the address cannot be used. */
export async function openConnection(options: ConnectionOptions): Promise<Connection | undefined> {
  return options.to === 'sandbox' && options.appId === undefined ? openEmbedded(options) : openRemote(options);
}

function openEmbedded(options: ConnectionOptions): Connection | undefined {
  const path = sandboxPathOf(options.store);
  if (!existsSync(path)) return undefined;
  const apiKey = new Secret('embedded');
  const sandbox = createSandbox({
    store: openSandboxStore(path),
    apiKey: apiKey.reveal(),
    profile: profileOf(options).name,
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
  // Loaded where it is needed: 15 MB that most commands do without.
  const { createHttpTransport } = await import('../../service/client/http-transport.ts');
  const transport = createHttpTransport(new URL(address), { connections: 1, requestTimeoutMs });
  return {
    name: address,
    address,
    isEmbedded: false,
    transport,
    apiKey: options.apiKey,
    close: () => transport.close(),
  };
}
