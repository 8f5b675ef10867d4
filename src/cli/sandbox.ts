import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { parseCount } from '../config/units.ts';
import { systemClock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { createSandbox } from '../sandbox/app.ts';
import { serveSandbox } from '../sandbox/serve.ts';
import { openSandboxStore } from '../sandbox/store.ts';
import type { Profile } from '../service/profiles.ts';
import { programName } from './next-command.ts';
import { print } from './print.ts';

interface Flags {
  readonly port: string;
  readonly data: string;
  readonly duplicates: 'refused' | 'stored';
  readonly profile: Profile['name'];
}

export function addSandbox(program: Command): void {
  program
    .command('sandbox')
    .summary('the chat service on this machine')
    .description(
      'Serves the chat service on this machine, for rehearsals and tests. Its API key is CHATFERRY_API_KEY where that is set;\n' +
        'else one is made and printed once. Listens on the loopback address only. Ctrl-C stops it; the data stays.',
    )
    .addOption(new Option('--port <N>', 'port; 0 takes a free one').default('4000'))
    .addOption(new Option('--data <FILE>', 'data file').default('./chatferry.sandbox.db'))
    .addOption(
      new Option('--duplicates <WHAT>', 'a message id that is already there is refused, or stored again')
        .choices(['refused', 'stored'])
        .default('refused'),
    )
    .addOption(
      new Option('--profile <NAME>', 'limits and rates to rehearse')
        .choices(['spec', 'public', 'sandbox'])
        .default('spec'),
    )
    .action(serve);
}

async function serve({ port, data, duplicates, profile }: Flags): Promise<void> {
  const portNumber = portOf(port);
  const given = process.env.CHATFERRY_API_KEY;
  const apiKey = given || randomBytes(20).toString('hex');
  const sandbox = createSandbox({ store: openSandboxStore(data), apiKey, profile, duplicates, clock: systemClock });
  const server = await serveSandbox(sandbox, {
    port: portNumber,
    onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
  });
  print(`Sandbox at ${server.url}, data in ${data}`);
  print(given ? 'API key: the one in CHATFERRY_API_KEY' : `API key (made now, not shown again): ${apiKey}`);
  print(`\nTry it:  CHATFERRY_API_KEY=… ${programName} import EXPORT --to ${server.url} --yes`);
  const stop = new AbortController();
  // This is how a server ends: no error.
  await Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal, { signal: stop.signal })));
  stop.abort();
  await server.close();
  sandbox.close();
}

function portOf(text: string): number {
  try {
    return parseCount(text, 0, 65_535);
  } catch (error) {
    throw new UsageError(`Cannot use --port: ${(error as Error).message}`);
  }
}
