import { existsSync, readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { type OptionName, type Options, optionsSchema } from './options.ts';

/** Where a value came from, as a person would say it; the strongest last. */
interface Given {
  readonly value: unknown;
  readonly from: string;
}

/** `batchItems` → `CHATFERRY_BATCH_ITEMS`. */
export const variableOf = (name: string): string => `CHATFERRY_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** `batchItems` → `--batch-items`. */
export const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export interface OptionSources {
  /** What was given on the command line, by option name. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the configuration file; `./chatferry.yaml` is read where it exists. */
  readonly configPath?: string | undefined;
}

/** Flags beat variables beat the file. @throws UsageError that says where the value stands. */
export function loadOptions({ flags, env, configPath }: OptionSources): Options {
  const given = new Map<string, Given>();
  for (const [name, value] of readConfig(configPath)) given.set(name, value);
  for (const name of Object.keys(optionsSchema.shape)) {
    const value = env[variableOf(name)];
    if (value !== undefined && value !== '') given.set(name, { value, from: variableOf(name) });
  }
  for (const [name, value] of Object.entries(flags)) {
    if (value !== undefined) given.set(name, { value, from: name === 'verify' ? '--no-verify' : flagOf(name) });
  }
  const values = Object.fromEntries([...given].map(([name, { value }]) => [name, value]));
  const parsed = optionsSchema.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const name = issue.code === 'unrecognized_keys' ? issue.keys[0]! : String(issue.path[0]);
  const place = given.get(name)?.from ?? name;
  throw new UsageError(
    issue.code === 'unrecognized_keys' ? `Cannot use ${place}: there is no such option` : `Cannot use ${place}: ${issue.message}`,
    { hint: 'chatferry help COMMAND lists the options' },
  );
}

function* readConfig(path: string | undefined): Generator<[string, Given]> {
  const file = path ?? './chatferry.yaml';
  if (path === undefined && !existsSync(file)) return;
  const document = parseDocument(readText(file));
  const fault = document.errors[0];
  if (fault) throw new UsageError(`Cannot read the configuration "${file}": ${fault.message.split('\n')[0]}`);
  const values: unknown = document.toJS() ?? {};
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new UsageError(`Cannot read the configuration "${file}": expected keys and values`);
  }
  for (const [name, value] of Object.entries(values)) yield [name, { value, from: `${name} in "${file}"` }];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`Cannot read the configuration "${path}": ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}

/** Names of the options, for tables and help. */
export const optionNames = Object.keys(optionsSchema.shape) as OptionName[];
