import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { parseCount } from '../config/units.ts';
import { systemClock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import type { Seed } from '../sandbox/seeds/seeds.ts';
import type { Profile } from '../service/profiles.ts';
import { programName } from './terminal/next-command.ts';
import { print } from './terminal/print.ts';

interface Flags {
  readonly port: string;
  readonly host: string;
  readonly data: string;
  readonly duplicates: 'refused' | 'stored';
  readonly profile: Profile['name'];
  readonly faults?: string;
  readonly seed?: Seed;
  readonly openapi?: boolean;
}

export function addSandbox(program: Command): void {
  program
    .command('sandbox')
    .summary('the chat service on this machine')
    .description(
      'Serves the chat service on this machine, for rehearsals and tests. Its API key is CHATFERRY_API_KEY where that is set;\n' +
        'else one is made and printed once. Listens on the loopback address unless --host says otherwise. Ctrl-C stops it; the data stays.',
    )
    .addOption(new Option('--port <N>', 'port; 0 takes a free one').default('4000'))
    .addOption(new Option('--host <ADDRESS>', 'address to listen on').default('127.0.0.1'))
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
    .addOption(
      new Option(
        '--seed <NAME>',
        'what a new data file begins with: demo has people, groups and messages of every kind',
      ).choices(['demo']),
    )
    .option('--faults <WHAT>', 'what to break on purpose: a JSON file, or the JSON itself; see docs/sandbox.md')
    .option('--openapi', 'print the service as an OpenAPI 3.1 document, and serve nothing')
    .action(serve);
}

async function serve({ port, host, data, duplicates, profile, seed, faults, openapi }: Flags): Promise<void> {
  if (openapi) {
    const { openApiDocument } = await import('../service/openapi.ts');
    return print(JSON.stringify(openApiDocument(), undefined, 2));
  }
  // An HTTP server is 15 MB that no other command needs.
  const [{ FaultySandbox }, { serveSandbox, isLoopback }, { openSandboxStore }, { readFaultPlan }] = await Promise.all([
    import('../sandbox/faults/faults.ts'),
    import('../sandbox/http/serve.ts'),
    import('../sandbox/data/store.ts'),
    import('./options/read-fault-plan.ts'),
  ]);
  const portNumber = portOf(port);
  const plan = faults === undefined ? undefined : readFaultPlan(faults);
  const given = process.env.CHATFERRY_API_KEY;
  const apiKey = given || randomBytes(20).toString('hex');
  const onFault = (fault: unknown) => void process.stderr.write(`${String(fault)}\n`);
  const store = openSandboxStore(data);
  const sandbox = new FaultySandbox({ store, apiKey, profile, duplicates, seed, clock: systemClock, onFault });
  if (plan) sandbox.plan = plan;
  const server = await serveSandbox(sandbox, { port: portNumber, host, onFault });
  if (!isLoopback(host)) warnOfNetwork(server.url);
  print(`Sandbox at ${server.url}, data in ${data}`);
  print(given ? 'API key: the one in CHATFERRY_API_KEY' : `API key (made now, not shown again): ${apiKey}`);
  if (plan) print(`Faults: ${plan.rules.length === 1 ? '1 rule' : `${plan.rules.length} rules`}`);
  print(`\nTry it:  CHATFERRY_API_KEY=… ${programName} import EXPORT --to ${server.url} --yes`);
  const stop = new AbortController();
  // This is how a server ends: no error.
  await Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal, { signal: stop.signal })));
  stop.abort();
  await server.close();
  await sandbox.close();
}

function warnOfNetwork(url: string): void {
  process.stderr.write(
    `Warning: whoever reaches ${url} over the network can try keys, and sees what is sent: it is not encrypted.\n`,
  );
}

function portOf(text: string): number {
  try {
    return parseCount(text, 0, 65_535);
  } catch (error) {
    throw new UsageError(`Cannot use --port: ${(error as Error).message}`);
  }
}
