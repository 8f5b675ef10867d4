import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import type { Operation } from '../../src/service/operation.ts';
import { operations } from '../../src/service/operations.ts';
import { clockAt } from '../sandbox/fixture.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { npmInstall } from '../proofs/npm-install.ts';

const run = promisify(execFile);
const folder = temporaryFolder().make();

/** A generator of clients that we do not know, with the compiler that it asks for. */
const packages = ['@hey-api/openapi-ts@0.99.0', 'typescript@6.0.3'];

const generate = `import { createClient } from '@hey-api/openapi-ts';
await createClient({
  input: './openapi.json',
  output: { path: './client', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  logs: { level: 'silent' },
});
`;

type Call = (
  options: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/** The example of an operation, as the client takes it. */
function optionsOf({ params, query, headers, example }: Operation): object {
  const given = Object.entries(example.parameters);
  const those = (shape: object | undefined) => Object.fromEntries(given.filter(([name]) => shape && name in shape));
  return { path: those(params?.shape), query: those(query?.shape), headers: those(headers?.shape), body: example.body };
}

describe.skipIf(!(await npmInstall(folder, packages)))('a client generated from our OpenAPI document', () => {
  it('calls every operation of the sandbox, and gets the answers of the documentation', async () => {
    const clock = clockAt(1_790_000_000_000);
    const options = { apiKey: 'local-key', profile: 'spec', seed: 'demo', clock } as const;
    const sandbox = createSandbox({ ...options, store: openSandboxStore(':memory:') });
    const server = await serveSandbox(sandbox);
    onTestFinished(async () => {
      await server.close(0);
      sandbox.close();
    });
    const document = await (await fetch(`${server.url}/openapi.json`)).json();
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    writeFileSync(join(folder, 'generate.js'), generate);
    await run(process.execPath, ['generate.js'], { cwd: folder });

    const sdk = (await import(join(folder, 'client/sdk.gen.ts'))) as Record<string, Call>;
    const { client } = await import(join(folder, 'client/client.gen.ts'));
    client.setConfig({ baseUrl: server.url, headers: { apikey: 'local-key' } });
    expect(operations).toHaveLength(25);
    for (const operation of operations) {
      const { data, error, response } = await sdk[operation.name]!(optionsOf(operation));
      expect({ status: response.status, error }, operation.name).toEqual({ status: 200, error: undefined });
      if (operation.name !== 'getMessageStats') expect(data, operation.name).toEqual(operation.example.answer);
    }
  });
});
