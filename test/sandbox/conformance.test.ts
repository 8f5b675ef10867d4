import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { demo } from '../../src/sandbox/seed-plan.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { normaliseBaseUrl } from '../../src/service/profiles.ts';
import { createHttpTransport } from '../../src/service/http-transport.ts';
import { describeService } from '../contracts/service.ts';
import { apiKey } from './fixture.ts';

/**
 * The sandbox against the contract; or another server, with `CHATFERRY_BASE_URL` and `CHATFERRY_API_KEY`. There people and a
 * group of its own come and go, and whatever would change what is there already is skipped.
 */
const { CHATFERRY_BASE_URL: baseUrl, CHATFERRY_API_KEY: otherKey = '' } = process.env;

function transportTo(url: string) {
  const transport = createHttpTransport(new URL(normaliseBaseUrl(url)), { connections: 2 });
  onTestFinished(() => transport.close());
  return transport;
}

if (baseUrl) {
  describeService(`the service at ${baseUrl}`, {
    hasDemo: false,
    part: 'specified',
    open: async () => ({ transport: transportTo(baseUrl), apiKey: otherKey }),
  });
} else {
  for (const [profile, part] of [
    ['spec', 'specified'],
    ['hosted', 'documented'],
  ] as const)
    describeService(`the sandbox, ${part} operations`, {
      hasDemo: true,
      part,
      async open() {
        const store = openSandboxStore(':memory:');
        const sandbox = new FaultySandbox({
          store,
          apiKey,
          profile,
          keepsPace: false,
          seed: 'demo',
          clock: systemClock,
        });
        const server = await serveSandbox(sandbox);
        onTestFinished(async () => {
          await server.close(0);
          await sandbox.close();
        });
        return { transport: transportTo(server.url), apiKey, demo };
      },
    });
}
