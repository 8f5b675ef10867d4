import { isLoopback } from '../../lib/loopback.ts';
import { sandboxPort } from '../../lib/sandbox-port.ts';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { UsageError } from '../../lib/errors.ts';
import type { FaultPlan } from '../../sandbox/fault-plan.ts';
import type { SeedPlan } from '../../sandbox/seed-plan.ts';
import type { Profile } from '../../service/profiles.ts';
import { type Host, programName } from '../host.ts';
import { parseNumberFlag } from '../options/flags.ts';
import { untilStopped } from './until-stopped.ts';
import { openPage } from '../terminal/open-page.ts';
import { print } from '../terminal/print.ts';
import { docsLink } from '../../lib/docs-link.ts';

interface Flags {
  readonly port: string;
  readonly host: string;
  readonly data: string;
  readonly duplicates: 'refused' | 'stored';
  readonly profile: Profile['name'];
  readonly faults?: string;
  readonly seed?: string;
  readonly openapi?: boolean;
  readonly open?: boolean;
}

export function addSandbox(program: Command, host: Host): void {
  program
    .command('sandbox')
    .description(
      'Serves the chat service on this machine, for rehearsals and tests. Its API key is CHATFERRY_API_KEY where that is set; ' +
        'else one is made and printed once. Listens on the loopback address unless --host says otherwise. Ctrl-C stops it; the data stays.',
    )
    .addOption(new Option('--port <N>', 'port; 0 takes a free one').default(String(sandboxPort)))
    .addOption(new Option('--host <ADDRESS>', 'address to listen on').default('127.0.0.1'))
    .addOption(new Option('--data <FILE>', 'data file').default('./chatferry.sandbox.db'))
    .addOption(
      new Option('--duplicates <WHAT>', 'a message id that is already there is refused, or stored again')
        .choices(['refused', 'stored'])
        .default('refused'),
    )
    .addOption(
      new Option('--profile <NAME>', 'limits and rates to rehearse')
        .choices(['spec', 'hosted', 'sandbox'])
        .default('spec'),
    )
    .addOption(
      new Option(
        '--seed <WHAT>',
        `initial content of a new data file: demo (people, groups and messages of every kind), or a JSON file with bots, API keys, auth tokens, roles, users, contact details; see ${docsLink('guides/sandbox')}`,
      ),
    )
    .option('--faults <WHAT>', `faults to inject: a JSON file, or the JSON itself; see ${docsLink('guides/sandbox')}`)
    .option('--open', 'open the viewer, a page that shows the chats, in the browser')
    .option('--openapi', 'print the service as an OpenAPI 3.1 document, and serve nothing')
    .action((flags: Flags) => serve(host, flags));
}

async function serve(host: Host, flags: Flags): Promise<void> {
  const { port, host: address, data, duplicates, profile, faults, openapi } = flags;
  const portNumber = parseNumberFlag('port', port, 0, 65_535);
  if (openapi) {
    const { openApiDocument } = await import('../../service/operations.ts');
    const document = openApiDocument(`http://127.0.0.1:${portNumber || sandboxPort}`);
    return print(host, JSON.stringify(document, undefined, 2));
  }
  // An HTTP server is 15 MB that no other command needs.
  const [{ FaultySandbox }, { serveSandbox }, { openSandboxStore }, { openViewer }] = await Promise.all([
    import('../../sandbox/faults.ts'),
    import('../../sandbox/serve.ts'),
    import('../../sandbox/store.ts'),
    import('./viewer.ts'),
  ]);
  const plan = faults === undefined ? undefined : await readFaultPlan(faults);
  const seed = flags.seed === undefined || flags.seed === 'demo' ? flags.seed : await readSeedPlan(flags.seed);
  const given = host.env.CHATFERRY_API_KEY ?? '';
  // One that is blank is refused: no request could carry it.
  const apiKey = given.trim() || given || randomBytes(20).toString('hex');
  const onFault = (fault: unknown) => void host.stderr.write(`${String(fault)}\n`);
  const store = openSandboxStore(data);
  try {
    const sandbox = new FaultySandbox({ store, apiKey, profile, duplicates, seed, clock: host.clock, onFault });
    if (plan) sandbox.plan = plan;
    const viewer = await openViewer({
      data,
      onEntered(entrance) {
        if (isLoopback(hostOf(server.url))) print(host, `Viewer for another browser: ${server.url}${entrance}`);
      },
    });
    const server = await serveSandbox(sandbox, { port: portNumber, host: address, onFault, viewer: viewer.page });
    if (!isLoopback(address)) warnOfNetwork(host, `${address}:${new URL(server.url).port}`);
    print(host, `Sandbox at ${server.url}, data in ${data}`);
    if (given) print(host, 'API key: the one in CHATFERRY_API_KEY');
    const entrance = server.url + viewer.page.entrance;
    if (isLoopback(hostOf(server.url))) print(host, `Viewer: ${entrance}`);
    if (flags.open) openPage(entrance, host.env);
    if (plan) print(host, `Faults: ${plan.rules.length === 1 ? '1 rule' : `${plan.rules.length} rules`}`);
    const isThisMachine = isLoopback(hostOf(server.url));
    if (!given)
      print(
        host,
        `\nThe API key was made now and is not shown again; paste into another terminal:\n  ${exportLine(apiKey)}`,
      );
    else if (isThisMachine) print(host, '\nTry it in another terminal, where CHATFERRY_API_KEY is set as here:');
    print(host, isThisMachine ? toPaste(server.url) : `\n${httpsOnly}`);
    await untilStopped(host);
    await server.close();
    viewer.close();
    await sandbox.close();
  } finally {
    store.close();
  }
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');

const exportLine = (key: string) =>
  process.platform === 'win32' ? `set CHATFERRY_API_KEY=${key}` : `export CHATFERRY_API_KEY=${key}`;

/** A command that shows that everything is there, as it can be pasted. */
const toPaste = (url: string): string =>
  `  ${programName} doctor --to ${url}\nand, with the name of an export behind "import": ${programName} import --to ${url} --yes`;

const httpsOnly =
  'Chatferry itself sends to an address of the network by https alone: pass --host 0.0.0.0 to reach it from this machine too, or put TLS before it.';

function warnOfNetwork({ stderr }: Host, address: string): void {
  stderr.write(
    `Warning: anyone who can reach ${address} over the network can try keys and read what is sent: it is not encrypted.\n`,
  );
}

/**
 * The plan of faults that `--faults` names.
 *
 * @param given JSON where it begins with a brace, else the path of a JSON file.
 * @throws UsageError that names every place that is wrong.
 */
export async function readFaultPlan(given: string): Promise<FaultPlan> {
  const { faultPlan } = await import('../../sandbox/fault-plan.ts');
  const isInline = given.trimStart().startsWith('{');
  const where = isInline ? '--faults' : `--faults "${given}"`;
  const hint = `${docsLink('guides/sandbox')} describes what can be broken`;
  const text = isInline ? given : readText(given, where, 'Pass the path of a JSON file, or the JSON itself');
  return checked(faultPlan, text, { where, hint });
}

/** Reads the file named by `--seed`: arguments are visible to others, and the plan contains credentials. @throws UsageError */
async function readSeedPlan(path: string): Promise<SeedPlan> {
  const { seedPlan } = await import('../../sandbox/seed-plan.ts');
  const where = `--seed "${path}"`;
  const text = readText(path, where, 'Pass demo, or the path of a JSON file');
  return checked(seedPlan, text, {
    where,
    hint: `${docsLink('guides/sandbox')} describes the content of a seed`,
    isSecret: true,
  });
}

function readText(path: string, where: string, hint: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`Cannot read ${where}: ${(cause as Error).message}`, { hint, cause });
  }
}

interface Given {
  readonly where: string;
  readonly hint: string;
  /** Nothing of the text may be repeated. */
  readonly isSecret?: boolean;
}

/** The text as what the schema wants. @throws UsageError that names every place that is wrong. */
async function checked<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  given: Given,
): Promise<z.output<Schema>> {
  const json = parse(text, given);
  const { data, error } = schema.safeParse(json);
  if (error === undefined) return data;
  const findings = given.isSecret ? await describeExpected(error.issues) : await describeFindings(error.issues, json);
  throw new UsageError(`Cannot use ${given.where}:\n${findings.join('\n')}`, { hint: given.hint });
}

async function describeFindings(issues: readonly z.core.$ZodIssue[], json: unknown): Promise<string[]> {
  const { describeIssues } = await import('../../service/call-operation.ts');
  return describeIssues(issues, json).map(({ pointer, sentence }) => `  ${pointer || '/'}: ${sentence}`);
}

/** Reports the expected value, not the one found. */
async function describeExpected(issues: readonly z.core.$ZodIssue[]): Promise<string[]> {
  const { toDetails: detailsOf } = await import('../../sandbox/answers.ts');
  return Object.entries(detailsOf(issues)).map(([field, sentences]) => `  ${field}: ${sentences.join(', ')}`);
}

function parse(text: string, { where, hint, isSecret }: Given): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isSecret) throw new UsageError(`Cannot use ${where}: expected JSON`, { hint });
    throw new UsageError(`Cannot use ${where}: expected JSON: ${(cause as Error).message}`, { hint, cause });
  }
}
