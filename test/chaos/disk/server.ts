import { createSandbox } from '../../../src/sandbox/app.ts';
import { serveSandbox } from '../../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../../src/sandbox/store.ts';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import type { TransportRequest } from '../../../src/service/transport.ts';

export const apiKey = 'chaos-key-5d1b';

/** A chat service that stores a message again when it is sent again, behind an address that outlives its data. */
export interface ChaosServer {
  readonly url: string;
  readonly requestCount: number;
  /** Imports since the last `begin`, in the order of arrival. */
  readonly imports: readonly TransportRequest[];
  /** Empties it: from now on its data is in this file. */
  begin(dataPath: string): void;
  /** Takes a request as if it came over the network. */
  apply(request: TransportRequest): void;
  /** Returns when nothing that an ended client sent can still arrive. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function startServer(): Promise<ChaosServer> {
  let sandbox: ReturnType<typeof createSandbox> | undefined;
  let imports: TransportRequest[] = [];
  let requestCount = 0;
  const handle = (request: TransportRequest) => {
    requestCount++;
    if (request.path.startsWith('/v3/data_import/')) imports.push(request);
    return sandbox!.handle(request);
  };
  let server = await serveSandbox({ handle });
  const { url } = server;
  const port = Number(new URL(url).port);
  return {
    url,
    get requestCount() {
      return requestCount;
    },
    get imports() {
      return imports;
    },
    begin(dataPath) {
      sandbox?.close();
      imports = [];
      const store = openSandboxStore(dataPath, { synchronous: 'NORMAL' });
      sandbox = createSandbox({ store, apiKey, profile: 'spec', duplicates: 'stored', clock: systemClock });
    },
    apply: (request) => void sandbox!.handle(request),
    async settle() {
      await server.close();
      server = await serveSandbox({ handle }, { port });
    },
    async close() {
      await server.close();
      sandbox?.close();
    },
  };
}
