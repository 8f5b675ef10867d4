import { ChatferryError, UsageError } from '../lib/errors.ts';
import { assertNoLink } from '../lib/files/no-link.ts';
import { listFaults, type SchemaFault, schemaWords } from '../lib/text/schema-words.ts';
import { publicBaseUrl } from '../service/profiles.ts';
import { type ConfigFile, fileKeys, readConfigFile } from './config-file.ts';
import {
  checkOptions,
  consents,
  isOption,
  optionHelp,
  type OptionName,
  optionNames,
  type Options,
  optionsSchema,
  reportFolderOf,
} from './options.ts';

/** Source of a value in words for people, and its strength. */
interface Given {
  readonly value: unknown;
  readonly from: string;
  readonly strength: (typeof strengths)[number];
}

/** From the weakest to the strongest. */
const strengths = ['file', 'job', 'variable', 'flag'] as const;

/** `batchItems` → `CHATFERRY_BATCH_ITEMS`. */
export const toVariable = (name: string): string =>
  `CHATFERRY_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** `batchItems` → `--batch-items`. */
export const toFlag = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `verify` → `--no-verify`. */
export const toNegatedFlag = (name: string): string => toFlag(name).replace('--', '--no-');

export const isSwitchedOff = (name: OptionName): boolean => optionHelp(name).traits.isOn === true;

export interface OptionSources {
  /** Flags given on the command line, by option name. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the configuration file; `./chatferry.yaml` is read where it exists. */
  readonly configPath?: string | undefined;
  /** Paths read as exports: no configuration is taken from there. */
  readonly exports?: readonly string[];
}

/** Loads the options: flags override variables, and variables override the file. @throws UsageError that names the source of the value. */
export const loadOptions = ({ configPath, exports, ...sources }: OptionSources): Options =>
  resolveOptions(new Map(listFileOptions(readConfigFile(configPath, exports))), sources);

/** Returns whether the user set the option, on the command line or in the environment: a file may have been written by another person. */
export const isSaid = (name: OptionName, { flags, env }: Pick<OptionSources, 'flags' | 'env'>): boolean =>
  flags[name] !== undefined || (env[toVariable(name)] ?? '') !== '';

/** Adds to an error where the configuration names the source or the mapping that it is about. @returns The same error. */
export function namingFile(error: unknown, file: ConfigFile | undefined, said: (name: OptionName) => boolean): unknown {
  if (!(error instanceof ChatferryError) || !error.message.startsWith('Cannot read ')) return error;
  const name = error.message.startsWith('Cannot read the mapping ') ? 'mapping' : 'source';
  if (file?.values[name] === undefined || said(name)) return error;
  const place = `${name} is set at ${file.locate([name])}`;
  return Object.assign(error, { hint: error.hint === undefined ? place : `${error.hint}; ${place}` });
}

/** Options set by a job of `chatferry.yaml`, by name, and their source. */
export type JobKeys = readonly (readonly [name: string, value: unknown, from: string])[];

/** Loads the options of a job in the same way: its own keys rank between the variables and the keys at the top of the file. @throws UsageError */
export function loadJobOptions(
  keys: JobKeys,
  file: ConfigFile,
  sources: Pick<OptionSources, 'flags' | 'env'>,
): Options {
  const given = new Map<string, Given>(listFileOptions(file));
  for (const [name, value, from] of keys) given.set(name, { value, from, strength: 'job' });
  return resolveOptions(given, sources);
}

function resolveOptions(given: Map<string, Given>, { flags, env }: Pick<OptionSources, 'flags' | 'env'>): Options {
  const meant: Given[] = [...destinationsIn(given)];
  for (const name of optionNames) {
    const value = env[toVariable(name)];
    if (value !== undefined && value !== '') given.set(name, { value, from: toVariable(name), strength: 'variable' });
  }
  meant.push(...destinationsIn(given));
  for (const [name, value] of Object.entries(flags)) {
    const from = isOption(name) && isSwitchedOff(name) ? toNegatedFlag(name) : toFlag(name);
    if (value !== undefined) given.set(name, { value, from, strength: 'flag' });
  }
  rehearseForMeant(given, meant);
  keepOneDestination(given);
  const values = Object.fromEntries([...given].map(([name, { value }]) => [name, value]));
  const options = checkOptions(values);
  if (options) {
    if (!given.has('report')) assertNoLink(reportFolderOf(options));
    return options;
  }
  const { error } = optionsSchema().safeParse(values, schemaWords);
  const [{ at, what }] = listFaults(optionsSchema(), error!.issues) as [SchemaFault];
  const name = String(at[0]);
  throw new UsageError(
    `Cannot use ${given.get(name)?.from ?? name}: ${what.replace('no such key', 'no such option')}`,
    { hint: 'chatferry help COMMAND lists the options' },
  );
}

/** `to` and `appId` both name a destination: the stronger place decides, so that `--to sandbox` is never a real app. */
function keepOneDestination(given: Map<string, Given>): void {
  const to = given.get('to');
  const app = given.get('appId');
  if (!to || !app) return;
  if (to.strength === app.strength) {
    throw new UsageError(`Cannot use ${app.from} together with ${to.from}: each names a destination`, {
      hint: 'Leave one of them out',
    });
  }
  const isToStronger = strengths.indexOf(to.strength) > strengths.indexOf(app.strength);
  for (const name of isToStronger ? ['appId', 'region'] : ['to']) given.delete(name);
}

/** Yields the destination named so far, in the form of `rehearseFor`; none if it is the sandbox. */
function* destinationsIn(given: ReadonlyMap<string, Given>): Generator<Given> {
  const [to, app, region] = [given.get('to'), given.get('appId'), given.get('region')];
  if (to && to.value !== 'sandbox') yield to;
  if (app) yield { ...app, value: region ? publicBaseUrl(String(app.value), String(region.value)) : app.value };
}

/**
 * If `--to sandbox` is set and a weaker source names a destination, the run rehearses for that destination. If
 * `rehearseFor` is set, nothing is sent: a destination from a weaker source is dropped, and so is a weaker
 * `rehearseFor`.
 */
function rehearseForMeant(given: Map<string, Given>, meant: readonly Given[]): void {
  const compare = (one: Given, other: Given) => strengths.indexOf(one.strength) - strengths.indexOf(other.strength);
  const isWeaker = (one: Given, other: Given) => compare(one, other) < 0;
  const to = given.get('to');
  const isRehearsal = to?.value === 'sandbox';
  const said = given.get('rehearseFor');
  const named = meant
    .filter((one) => to && isWeaker(one, to))
    .toSorted(compare)
    .at(-1);
  if (isRehearsal && !said && named) given.set('rehearseFor', named);
  if (!said || isRehearsal) return;
  const others = ['to', 'appId', 'region'].flatMap((name) => given.get(name) ?? []);
  if (others.some((other) => isWeaker(said, other))) given.delete('rehearseFor');
  else if (others.every((other) => isWeaker(other, said)))
    for (const name of ['to', 'appId', 'region']) given.delete(name);
}

function* listFileOptions(file: ConfigFile | undefined): Generator<[string, Given]> {
  for (const [name, value] of Object.entries(file?.values ?? {})) {
    if (fileKeys.includes(name)) continue;
    const from = `${name} at ${file!.locate([name])}`;
    if (isOption(name) && consents.includes(name)) throw saidInFile(name, from);
    yield [name, { value, from, strength: 'file' }];
  }
}

const saidInFile = (name: OptionName, from: string) =>
  new UsageError(`Cannot use ${from}: it counts on the command line and in ${toVariable(name)} alone`, {
    hint: `Remove it, and pass ${toFlag(name)}: who is asked is not always who wrote the file`,
  });
