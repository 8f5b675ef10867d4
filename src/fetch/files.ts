import { decoded } from '../lib/text/decoded.ts';
import { join } from 'node:path';
import { replaceFile } from '../lib/files/atomic-file.ts';
import { makeFolder } from '../lib/files/make-folder.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';
import { sha256Hex } from '../lib/hash.ts';
import { Secret } from '../lib/secret.ts';
import { type AddressRule, publicAddresses } from '../io/web/address-rule.ts';
import { fetchedFilePath } from '../io/input/fetched-files.ts';
import { type Fetcher, openFetcher } from '../media/fetcher.ts';
import { scalarText, valueAt, valuesAt } from './answers/exact-json.ts';
import type { Journal, NamedFile } from './journal.ts';
import { buildAuthorization, type Provider } from './provider.ts';
import type { Recipe, Step } from './recipe/recipe.ts';
import { RefusedAddress } from './requests.ts';
import { climbs, fill, forFile, forPath, namesIn, type Values } from './template.ts';

/** The files that a row names. A file without address or id is none that could be fetched. */
export function listFiles(recipe: Recipe, { files }: Step, row: unknown, values: Values): readonly NamedFile[] {
  if (!files) return [];
  return files.in
    .flatMap((pointer) => valuesAt(row, pointer))
    .flatMap((file) => {
      if (files.match !== undefined) return filesInText(recipe, files.match, scalarText(file) ?? '', values);
      const textAt = (pointer: string | undefined) =>
        pointer === undefined ? undefined : scalarText(valueAt(file, pointer));
      const [id, own] = [textAt(files.id), files.url === undefined ? undefined : textAt(files.url)];
      const key = id ?? own;
      const get = files.ask?.get ?? files.get;
      const url = get !== undefined && id !== undefined ? askedAt(recipe, get, { ...values, file: id }) : own;
      return !key || !url ? [] : [{ key, name: textAt(files.name) ?? '', url }];
    });
}

/** @returns undefined if a value would change the path around it. */
function askedAt(recipe: Recipe, get: string, values: Values): string | undefined {
  if (namesIn(get).some((name) => climbs(values[name] ?? ''))) return undefined;
  return (get.startsWith('/') ? fill(recipe.address, values) : '') + fill(get, values, forPath);
}

/** The files whose addresses are in a text, each once. Those without a host are of the provider. */
function filesInText(recipe: Recipe, match: string, content: string, values: Values): readonly NamedFile[] {
  const base = fill(recipe.address, values);
  const keys = new Set([...content.matchAll(new RegExp(match, 'g'))].map(([key]) => key));
  return [...keys]
    .filter((key) => URL.canParse(key, base))
    .map((key) => {
      const url = new URL(key, base);
      return { key, name: decoded(url.pathname.split('/').at(-1)!), url: url.href };
    });
}

export interface FileFetcher {
  /** Fetches these files, or those that an earlier run left open. Files that cannot be fetched are noted with the reason. */
  fetch(step: Step, files?: Iterable<NamedFile>): Promise<void>;
  close(): Promise<void>;
}

export interface FileOptions extends Omit<RunControls, 'progress'> {
  readonly recipe: Recipe;
  readonly settings: Values;
  readonly key: Secret;
  readonly provider: Provider;
  readonly journal: Journal;
  /** Folder of the export. */
  readonly out: string;
}

/** Largest file, and how long one may take. */
const [bytesMax, timeoutMs] = [2 ** 31, 3_600_000];

/**
 * Fetches files of messages next to the answers. The key goes to the hosts of the recipe only; other hosts must be public.
 *
 * @throws UsageError if the folder cannot be used.
 */
export function openFiles(options: FileOptions): FileFetcher {
  const { recipe, journal, out, clock, random, stopping, signal } = options;
  const fetcher = openFetcher({
    rules: { perHost: recipe.rate.atOnce, maxBytes: bytesMax, timeout: timeoutMs },
    folder: join(out, '.chatferry-fetch.parts'),
    sources: [],
    token: buildToken(options),
    rule: buildAddressRule(options),
    clock,
    random,
    stopping,
  });
  return {
    async fetch(step, files: Iterable<NamedFile> = journal.openFiles(step.name)) {
      await inParallel(files, recipe.rate.atOnce, (file) => keepFile(file, step, fetcher, options), stopping);
    },
    close: async () => {
      signal.throwIfAborted();
      await fetcher.close();
    },
  };
}

async function keepFile(file: NamedFile, step: Step, fetcher: Fetcher, options: FileOptions): Promise<void> {
  const { journal, out, signal } = options;
  const url = await askAddress(file, step, options);
  const origin = { name: file.name, mimeType: '', sizeBytes: undefined };
  const fetched = url === undefined || url === 'later' ? undefined : await fetcher.fetch(url, origin, signal);
  if (url === 'later') return;
  if (fetched === undefined) return journal.noteFile(file.key, 'the provider gives no address');
  if (fetched.kind === 'again') return;
  if (fetched.kind !== 'fetched') return journal.noteFile(file.key, fetched.why);
  const path = join(out, fetchedFilePath(sha256Hex(file.key), forFile(file.name || 'file')));
  makeFolder(join(path, '..'));
  await replaceFile(path, fetched.content.open());
  await fetched.release();
  journal.noteFile(file.key, 'here');
}

/** @returns undefined if the provider gives none; `later` if it did not answer. */
async function askAddress(
  file: NamedFile,
  { files }: Step,
  { provider, signal }: FileOptions,
): Promise<string | undefined> {
  if (!files?.ask) return file.url;
  try {
    const outcome = await provider.ask({ method: 'GET', url: new URL(file.url) }, signal);
    if (outcome.kind === 'answered') return scalarText(valueAt(outcome.value.json, files.ask.url));
    return outcome.why === 'not-found' ? undefined : 'later';
  } catch (error) {
    if (error instanceof RefusedAddress) return undefined;
    throw error;
  }
}

/** Only a key that goes into the header Authorization opens files. */
function buildToken({ recipe, settings, key }: FileOptions) {
  const [scheme, value] = (buildAuthorization(recipe, settings, key) ?? '').split(' ', 2);
  if ((scheme !== 'Bearer' && scheme !== 'Basic') || value === undefined) return undefined;
  const { origin } = new URL(fill(recipe.address, settings));
  const origins = [origin, ...recipe.hosts.map((host) => `https://${host}`)];
  return { scheme, secret: new Secret(value), origins } as const;
}

/** The provider itself may be in a private network: the user named it. Everything that an answer names must be public. */
function buildAddressRule({ recipe, settings }: FileOptions): AddressRule {
  const own = new URL(fill(recipe.address, settings));
  return {
    refuse: (url) => (url.origin === own.origin ? undefined : publicAddresses.refuse(url)),
    isRefusedIp: (ip, hostname) => hostname !== own.hostname && publicAddresses.isRefusedIp(ip, hostname),
  };
}
