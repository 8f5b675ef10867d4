import { statSync } from 'node:fs';
import { z } from 'zod';
import { keyVariable, readApiKey } from '../../config/api-key.ts';
import { toVariable } from '../../config/load-options.ts';
import { type OptionName, type Options, optionsSchema } from '../../config/options.ts';
import type { ConfigChanges } from '../../config/write-config.ts';
import { addressOf } from '../../delivery/target.ts';
import { UsageError } from '../../lib/errors.ts';
import { isRemembered } from '../../lib/files/remembered-lines.ts';
import { peopleWays } from '../../model/arrival.ts';
import type { DestinationRequest, DestinationView, GoRoutes } from '../shapes.ts';
import { changeFiles, readVersion } from './changes.ts';
import { checkedBody } from './faults.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

export const goAnswers = (parts: Parts): AnswersTo<GoRoutes> => ({
  'GET destination': () => destinationView(parts),
  'POST destination': (_, body) => setDestination(parts, checkedBody(destinationRequest, body)),
  'POST key': (_, body) => takeKey(parts, checkedBody(keyRequest, body)),
});

const text = z.string().trim().max(2_000).optional();
const choices = { appId: text, region: text, to: text, retentionDays: text };
const destinationRequest: z.ZodType<DestinationRequest> = z.strictObject({
  version: z.string(),
  kind: z.enum(['none', 'app', 'address']).optional(),
  ...choices,
  people: z.enum(['', ...peopleWays]).optional(),
  rehearsesHosted: z.boolean().optional(),
  keyFile: z.string().min(1).max(4_096).nullable().optional(),
});

const keyRequest = z.strictObject({
  version: z.string(),
  /** Null: forgotten. */
  key: z
    .string()
    .trim()
    .max(4_096)
    .regex(/^[!-~]+$/, 'has a character that no key can have, or none')
    .nullable(),
});

/** @throws UsageError if the configuration cannot be used. */
function destinationView(parts: Parts): DestinationView {
  const options = parts.workspace.options();
  const { appId = '', region = '', retentionDays = '', people = '', rehearseFor } = options;
  const kind = kindOf(options);
  const address = destinationAddress(options);
  parts.typedKey.keepFor(address);
  return {
    version: readVersion(parts),
    kind,
    ...(kind === 'app' ? { appId, region } : { appId: '', region: '' }),
    to: kind === 'address' ? address : '',
    retentionDays: String(retentionDays),
    people,
    rehearsesHosted: rehearseFor === 'hosted',
    key: inspectKey(options, parts),
    address,
    isKnownAddress: address !== '' && isRemembered('addresses', address),
    isFixed: fixed.some((name) => (parts.env[toVariable(name)] ?? '') !== ''),
  };
}

type Destination = Pick<Options, 'to' | 'appId' | 'region'>;

const kindOf = ({ appId = '', to = '' }: Destination): DestinationView['kind'] =>
  appId !== '' ? 'app' : to === '' || to === 'sandbox' ? 'none' : 'address';

/** The address that the key is sent to; empty without a destination. */
export const destinationAddress = (options: Destination): string =>
  kindOf(options) === 'none' ? '' : addressIn(options);

/** Options that decide where messages go. A variable is stronger than the file that is written here. */
const fixed: readonly OptionName[] = ['to', 'appId', 'region'];

/** Empty for one that cannot be used: it may hold a password, and is not quoted. */
function addressIn({ to = '', appId, region }: Destination): string {
  try {
    return addressOf({ to, appId, region });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return '';
  }
}

/** Where the key comes from, and whether it can be used. Reads the file, and forgets the key. */
function inspectKey(
  { apiKeyFile: path }: Pick<Options, 'apiKeyFile'>,
  { env, typedKey }: Pick<Parts, 'env' | 'typedKey'>,
): DestinationView['key'] {
  if (path !== undefined) return { from: 'file', path, fault: keyFault(path) };
  if (typedKey.isSet) return { from: 'typed', path: null, fault: null };
  return { from: (env[keyVariable] ?? '') === '' ? 'none' : 'variable', path: null, fault: null };
}

function keyFault(path: string): string | null {
  try {
    assertKeyFile(path);
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [error.message, error.hint].filter((words) => words !== undefined).join('; ');
  }
}

const keyBytesMax = 64 * 1024;

/** @throws UsageError if it has no key that a command could use. */
function assertKeyFile(path: string): void {
  const why = findFileFault(path);
  if (why !== undefined) throw new UsageError(`Cannot read the API key from "${path}": ${why}`);
  readApiKey(path, {});
}

/** A pipe would never end, a device neither. */
function findFileFault(path: string): string | undefined {
  if (path === '-') return 'the desk has no standard input';
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'there is no such file';
  if (!stat.isFile()) return 'expected a file';
  return stat.size > keyBytesMax ? 'it has more than 64 KiB' : undefined;
}

const setDestination = (parts: Parts, request: DestinationRequest): Promise<DestinationView> =>
  changeFiles(parts, request.version, async () => {
    const changes = toConfigChanges(request);
    if (Object.keys(changes).length > 0) parts.workspace.writeConfig(changes);
    if (changes.apiKeyFile != null) parts.typedKey.forget();
    return destinationView(parts);
  });

/** Keeps a key in memory alone, in place of a file; null forgets it. */
const takeKey = (parts: Parts, { version, key }: z.output<typeof keyRequest>): Promise<DestinationView> =>
  changeFiles(parts, version, async () => {
    const { workspace, typedKey } = parts;
    const address = destinationAddress(workspace.options());
    if (address === '') throw new UsageError('Cannot take a key: no destination is named');
    if (key !== null && workspace.options().apiKeyFile !== undefined) workspace.writeConfig({ apiKeyFile: null });
    if (workspace.options().apiKeyFile !== undefined)
      throw new UsageError('Cannot take a key: a variable of the desk names a file with it');
    if (key === null) typedKey.forget();
    else typedKey.set(address, key);
    return destinationView(parts);
  });

/** Keys of the configuration, checked. @throws UsageError */
function toConfigChanges(request: DestinationRequest): ConfigChanges {
  const { retentionDays, people, rehearsesHosted, keyFile } = request;
  if (typeof keyFile === 'string') assertKeyFile(keyFile);
  if (retentionDays) assertOption('retentionDays', retentionDays);
  return {
    ...destinationChanges(request),
    ...(retentionDays !== undefined && { retentionDays: retentionDays || null }),
    ...(people !== undefined && { people: people || null }),
    ...(rehearsesHosted !== undefined && { rehearseFor: rehearsesHosted ? 'hosted' : null }),
    ...(keyFile !== undefined && { apiKeyFile: keyFile }),
  };
}

/** Each kind removes what the others say: two destinations would be a contradiction. */
function destinationChanges({ kind, appId = '', region = '', to = '' }: DestinationRequest): ConfigChanges {
  if (kind === undefined) return {};
  if (kind === 'none') return { appId: null, region: null, to: null };
  if (kind === 'address') {
    if (to === 'sandbox') throw new UsageError('Cannot use "sandbox" as a destination: rehearse instead');
    return { to: addressOf({ to }), appId: null, region: null };
  }
  assertOption('region', region);
  if (!isAppId.test(appId)) throw new UsageError('Cannot use the app id: expected letters and digits');
  addressOf({ to, appId, region });
  return { appId, region, to: null };
}

/** It becomes part of a host name. */
const isAppId = /^[A-Za-z0-9-]{1,63}$/;

function assertOption(name: 'region' | 'retentionDays', value: string): void {
  const { error } = optionsSchema().shape[name].safeParse(value);
  if (error !== undefined) throw new UsageError(`Cannot use this ${words[name]}: ${error.issues[0]!.message}`);
}

const words = { region: 'region', retentionDays: 'retention' } as const;
