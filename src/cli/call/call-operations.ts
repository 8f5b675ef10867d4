import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { ignoredWords, readConfigFile } from '../../config/config-file.ts';
import { isSaid, loadOptions } from '../../config/load-options.ts';
import type { OptionName, Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { forTerminal, oneLine } from '../../lib/text/plain-text.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { normaliseBaseUrl, publicBaseUrl } from '../../service/profiles.ts';
import {
  callOperation,
  prepareRequest,
  listSecrets,
  withApiKey,
  isRequired,
  parameterKind,
  isSecretParameter,
} from '../../service/call-operation.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { withSlowReport } from '../../service/http-transport.ts';
import type { Operation } from '../../service/operation.ts';
import { operations } from '../../service/operations.ts';
import type { Host } from '../host.ts';
import { agreeToAddress } from '../known-address.ts';
import { readApiKey } from '../../config/api-key.ts';
import { print } from '../terminal/print.ts';
import type { z } from 'zod';
import { addOptions } from '../options/flags.ts';

/** The commands behind `chatferry call`, one per operation. @param outer Whose output and way to end they share. */
export function buildOperations(host: Host, outer: Command): Command {
  const program = new Command('chatferry call')
    .copyInheritedSettings(outer)
    .helpOption('-h, --help', 'display help for command')
    .showHelpAfterError('(chatferry call OPERATION --help shows its parameters)')
    // So that a name that no operation has is what is complained about.
    .allowUnknownOption()
    .allowExcessArguments()
    .description('Calls one operation of the service and prints its answer as JSON.')
    .argument('[OPERATION]')
    .helpCommand(false)
    .action((name: string | undefined) => {
      if (name === undefined) return program.outputHelp();
      throw new UsageError(`Cannot call "${oneLine(name)}": the service has no such operation`, {
        hint: 'chatferry call --list shows them',
      });
    });
  for (const operation of operations) {
    const command = program
      .command(operation.name)
      .summary(operation.summary)
      .description(`${operation.summary}.\n${operation.method} ${operation.path}`)
      .helpGroup(`${operation.area}:`)
      .action((_, command: Command) => run(host, operation, command));
    addCallFlags(command, operation);
  }
  return program;
}

/** Name, method, path and what it does, an operation a line. */
export function operationTable(): string {
  const width = (field: 'name' | 'path') => Math.max(...operations.map((operation) => operation[field].length));
  return operations
    .map(({ name, method, path, summary }) =>
      [name.padEnd(width('name')), method.padEnd(6), path.padEnd(width('path')), summary].join('  '),
    )
    .join('\n');
}

/** Ctrl-C ends a call like any process. */
const never = new AbortController().signal;

async function run(host: Host, operation: Operation, command: Command): Promise<void> {
  const { parameters, flags, configPath, data } = sortFlags(operation, command);
  const options = loadOptions({ flags, env: host.env, configPath });
  const ignored = ignoredWords(readConfigFile(configPath));
  if (ignored !== undefined) host.stderr.write(`${forTerminal(ignored)}\n`);
  if (data === '-' && options.apiKeyFile === '-') {
    throw new UsageError('Cannot read both the body and the API key from standard input', {
      hint: 'Set CHATFERRY_API_KEY, or pass the body as @FILE',
    });
  }
  const profile = options.profile ?? (options.appId === undefined ? 'spec' : 'hosted');
  const given = { parameters, ...(data !== undefined && readBody(data, host)) };
  const request = prepareRequest(operation, given, profile);
  const address = resolveAddress(options);
  const apiKey = readApiKey(options.apiKeyFile, host.env, host.readInput);
  if (!apiKey) {
    throw new UsageError(`Cannot call ${address}: no API key`, {
      hint: 'Set CHATFERRY_API_KEY, or pass --api-key-file with a file that only you may read',
    });
  }
  const said = (name: OptionName) => isSaid(name, { flags, env: host.env });
  await agreeToAddress(address, said('yes') || said('to') || said('appId'), { host, stopping: never });
  // Loaded on demand: 15 MB that the other commands do without.
  const { createHttpTransport } = await import('../../service/http-transport.ts');
  const onSlow = (leftMs: number) =>
    void host.stderr.write(`No answer yet; waiting ${formatDuration(leftMs)} more at most\n`);
  const http = withSlowReport(createHttpTransport(new URL(address), { connections: 1 }), { clock: host.clock, onSlow });
  const transport = withApiKey(http, apiKey);
  try {
    const { answer, text } = await callOperation(operation, request, {
      transport,
      secrets: [apiKey, ...listSecrets(operation, parameters)],
      clock: host.clock,
      signal: never,
    });
    const json = indentJson(text);
    print(host, host.stdout.isTTY ? forTerminal(json) : json);
    host.exitCode = hasRefusal(answer) ? exitCodes.someFailed : exitCodes.done;
  } finally {
    await transport.close();
  }
}

function sortFlags(operation: Operation, command: Command) {
  const given = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli');
  const known = parameterSchemas(operation);
  const { data, config, ...flags } = Object.fromEntries(given.filter(([name]) => !Object.hasOwn(known, name)));
  return {
    parameters: Object.fromEntries(given.filter(([name]) => Object.hasOwn(known, name))),
    data: data as string | undefined,
    configPath: config as string | undefined,
    flags,
  };
}

function resolveAddress({ to, appId, region }: Options): string {
  if (appId !== undefined && region === undefined) {
    throw new UsageError('Cannot call an app without its region', { hint: 'Pass --region us, eu or in' });
  }
  if (appId !== undefined && region !== undefined) return normaliseBaseUrl(publicBaseUrl(appId, region));
  if (to !== undefined && to !== 'sandbox') return normaliseBaseUrl(to);
  throw new UsageError('Cannot call the service without its address', {
    hint: 'Pass --to http://127.0.0.1:4000 for a sandbox that "chatferry sandbox" serves, or the address of your app',
  });
}

/** Makes a number that is written as it was read. Node has it; the types of the language do not yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** JSON, indented. Numbers keep all their digits: one that is too long for a double may be an id. */
export const indentJson = (json: string): string => JSON.stringify(JSON.parse(json, keepDigits), undefined, 2);

function keepDigits(_key: string, value: unknown, ...[context]: [{ readonly source?: string }?]): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value;
}

/** Whether an answer that is a success says of the request, or of an item in it, that it was refused. */
function hasRefusal(answer: unknown): boolean {
  const data = isObject(answer) ? answer.data : undefined;
  if (!isObject(data)) return false;
  const accepted = isObject(data.accepted) ? Object.values(data.accepted) : [];
  return [data, ...Object.values(data), ...accepted].some((item) => isObject(item) && item.success === false);
}

/** A body as JSON text, which is sent as it is, and as the value that it stands for. */
export interface GivenBody {
  readonly bodyText: string;
  readonly body: unknown;
}

/**
 * Reads the body given by `--data`: JSON, `@FILE`, or `-` for standard input.
 *
 * @throws UsageError that names the position at which the JSON is broken.
 */
function readBody(data: string, host: Pick<Host, 'readInput'>): GivenBody {
  const { text, from } = readData(data, host);
  const bodyText = text.replace(/^\uFEFF/, '');
  try {
    return { bodyText, body: JSON.parse(bodyText) };
  } catch (cause) {
    throw new UsageError(`Cannot use ${from} as the body: ${(cause as Error).message}`, {
      hint: `Pass JSON: --data '{"key":"value"}', --data @body.json, or --data - to read standard input`,
      cause,
    });
  }
}

function readData(
  data: string,
  { readInput }: Pick<Host, 'readInput'>,
): { readonly text: string; readonly from: string } {
  if (data === '-') return { text: readText(readInput, 'standard input'), from: 'standard input' };
  if (!data.startsWith('@')) return { text: data, from: 'the text of --data' };
  const path = data.slice(1);
  return { text: readText(() => readFileSync(path, 'utf8'), `"${path}"`), from: `"${path}"` };
}

function readText(read: () => string, name: string): string {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(`Cannot read the body from ${name}: ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}

/** Options of every call besides `--to`, which has no embedded sandbox here. */
const addressOptions = ['appId', 'region', 'profile', 'apiKeyFile'] as const satisfies readonly OptionName[];

function addCallFlags(command: Command, operation: Operation): void {
  for (const [name, schema] of Object.entries(parameterSchemas(operation))) {
    command.addOption(parameterOption(name, schema, isSecretParameter(operation, name)).helpGroup('Parameters:'));
  }
  if (operation.body) {
    command.addOption(
      new Option('--data <JSON>', 'The body: JSON, @FILE, or "-" for standard input (required)').helpGroup(
        'Parameters:',
      ),
    );
  }
  command.option('--to <URL>', 'Base address of the service: the part before /v3');
  addOptions(command, addressOptions);
}

/** Path, headers and query together: no name occurs twice. */
const parameterSchemas = ({ params, headers, query }: Operation): Readonly<Record<string, z.ZodType>> =>
  ({ ...params?.shape, ...headers?.shape, ...query?.shape }) as Record<string, z.ZodType>;

function parameterOption(name: string, schema: z.ZodType, isSecret: boolean): Option {
  const description = `${(schema.description ?? '').replaceAll('`', '"')}${isRequired(schema) ? ' (required)' : ''}`;
  if (isSecret) {
    return new Option(
      `--${name} <@FILE>`,
      `${description}; from a file, since arguments are visible to others`,
    ).argParser((text) => readSecret(name, text));
  }
  const kind = parameterKind(schema);
  switch (kind.is) {
    case 'boolean':
      return new Option(`--${name} [true|false]`, description);
    case 'list':
      return new Option(`--${name} <TEXT>`, `${description}; repeat it for several`).argParser(
        (text, earlier: readonly string[] = []) => [...earlier, text],
      );
    case 'choice':
      return new Option(`--${name} <${kind.choices.join('|')}>`, description);
    case 'integer':
      return new Option(`--${name} <N>`, description);
    case 'text':
      return new Option(`--${name} <TEXT>`, description);
  }
}

/** A credential, which is never an argument: other users of the machine can see those. */
function readSecret(name: string, text: string): string {
  if (!text.startsWith('@')) {
    throw new UsageError(`Cannot use --${name}: expected a file as @FILE, found the value itself`, {
      hint: `Write it into a file that only you may read, and pass --${name} @FILE`,
    });
  }
  try {
    return readFileSync(text.slice(1), 'utf8').trim();
  } catch (cause) {
    throw new UsageError(`Cannot read --${name} from "${text.slice(1)}": ${(cause as NodeJS.ErrnoException).code}`, {
      cause,
    });
  }
}
