import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { parseCount } from '../config/units.ts';
import { UsageError } from '../lib/errors.ts';
import type { FaultPlan } from '../sandbox/faults/plan.ts';
import type { Seed } from '../sandbox/seeds/demo.ts';
import type { Profile } from '../service/profiles.ts';
import { type Host, programName } from './host.ts';
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

export function addSandbox(program: Command, host: Host): void {
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
    .action((flags: Flags) => serve(host, flags));
}

async function serve(host: Host, flags: Flags): Promise<void> {
  const { port, host: address, data, duplicates, profile, seed, faults, openapi } = flags;
  if (openapi) {
    const { openApiDocument } = await import('../service/openapi.ts');
    return print(host, JSON.stringify(openApiDocument(), undefined, 2));
  }
  // An HTTP server is 15 MB that no other command needs.
  const [{ FaultySandbox }, { serveSandbox, isLoopback }, { openSandboxStore }] = await Promise.all([
    import('../sandbox/faults/faults.ts'),
    import('../sandbox/serve/serve.ts'),
    import('../sandbox/data/store.ts'),
  ]);
  const portNumber = portOf(port);
  const plan = faults === undefined ? undefined : await readFaultPlan(faults);
  const given = host.env.CHATFERRY_API_KEY;
  const apiKey = given || randomBytes(20).toString('hex');
  const onFault = (fault: unknown) => void host.stderr.write(`${String(fault)}\n`);
  const store = openSandboxStore(data);
  const sandbox = new FaultySandbox({ store, apiKey, profile, duplicates, seed, clock: host.clock, onFault });
  if (plan) sandbox.plan = plan;
  const server = await serveSandbox(sandbox, { port: portNumber, host: address, onFault });
  if (!isLoopback(address)) warnOfNetwork(host, server.url);
  print(host, `Sandbox at ${server.url}, data in ${data}`);
  print(host, given ? 'API key: the one in CHATFERRY_API_KEY' : `API key (made now, not shown again): ${apiKey}`);
  if (plan) print(host, `Faults: ${plan.rules.length === 1 ? '1 rule' : `${plan.rules.length} rules`}`);
  print(host, `\nTry it:  CHATFERRY_API_KEY=… ${programName} import EXPORT --to ${server.url} --yes`);
  await stopped(host);
  await server.close();
  await sandbox.close();
}

/** Resolves when it is asked to stop: this is how a server ends, and no error. */
const stopped = (host: Host): Promise<void> =>
  new Promise((resolve) => {
    const stop = () => {
      host.off('SIGINT', stop);
      host.off('SIGTERM', stop);
      resolve();
    };
    host.on('SIGINT', stop);
    host.on('SIGTERM', stop);
  });

function warnOfNetwork({ stderr }: Host, url: string): void {
  stderr.write(
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

const hint = 'docs/sandbox.md describes what can be broken';

/**
 * The plan of faults that `--faults` names.
 *
 * @param given JSON where it begins with a brace, else the path of a JSON file.
 * @throws UsageError that names every place that is wrong.
 */
export async function readFaultPlan(given: string): Promise<FaultPlan> {
  const isInline = given.trimStart().startsWith('{');
  const where = isInline ? '--faults' : `--faults "${given}"`;
  const json = parse(isInline ? given : readText(given), where);
  const [{ faultPlan }, { describeIssues }] = await Promise.all([
    import('../sandbox/faults/plan.ts'),
    import('../service/client/describe-issues.ts'),
  ]);
  const { data, error } = faultPlan.safeParse(json);
  if (data) return data;
  const findings = describeIssues(error.issues, json).map(
    ({ pointer, sentence }) => `  ${pointer || '/'}: ${sentence}`,
  );
  throw new UsageError(`Cannot use ${where}:\n${findings.join('\n')}`, { hint });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`Cannot read --faults "${path}": ${(cause as Error).message}`, {
      hint: 'Pass the path of a JSON file, or the JSON itself',
      cause,
    });
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`Cannot use ${where}: expected JSON: ${(cause as Error).message}`, { hint, cause });
  }
}
