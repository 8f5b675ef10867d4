import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../lib/errors.ts';
import { makeFolder } from '../lib/files/make-folder.ts';
import { forTerminal, trimEnd } from '../lib/text/plain-text.ts';
import type { MediaRules } from '../mapping/rules.ts';
import { bucketPlace } from './locations/bucket-place.ts';
import { readBucketKeys } from './locations/credentials.ts';
import { diskErrorCode } from './locations/disk-fault.ts';
import { FolderLocation } from './locations/folder.ts';
import { checkKeyTemplate } from './locations/key-template.ts';
import type { MediaLocation } from './media-location.ts';
import { assertMediaTarget } from './locations/media-target.ts';

export type LocationRules = Pick<MediaRules, 'to' | 'address' | 'key' | 'endpoint' | 'region' | 'credentials'>;

export interface LocationOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base of relative paths: the working folder by default. */
  readonly folder?: string;
  /** The longest time in which nothing comes or goes over the network, in ms; 60 s by default. */
  readonly quietMs?: number;
  /** The files are not opened by an address: a folder needs none, and only its owner can read its files. */
  readonly isPrivate?: boolean;
}

/**
 * Opens the location that `media.to` names. Creates a folder that does not exist; sends no request yet.
 *
 * @throws UsageError if the settings do not fit together; MediaFault if the disk fails.
 */
export async function openLocation(rules: LocationRules, options: LocationOptions): Promise<MediaLocation> {
  assertMediaTarget(rules.to);
  checkKeyTemplate(rules.key);
  const address = publicAddress(rules.address);
  const { folder = process.cwd() } = options;
  if (rules.to.startsWith('s3://')) return openBucket(rules, address, { ...options, folder });
  return openFolder(rules, address, { ...options, folder });
}

interface Opening extends LocationOptions {
  readonly folder: string;
}

async function openBucket(rules: LocationRules, address: string | undefined, { env, folder, quietMs }: Opening) {
  const place = bucketPlace(rules);
  const keys = readBucketKeys(rules.credentials && resolve(folder, rules.credentials), env);
  // Loaded only here: the SDK takes 0.1 s and 22 MB of memory.
  const { BucketLocation } = await import('./locations/s3.ts');
  return new BucketLocation(place, keys, { address, quietMs });
}

async function openFolder(
  rules: LocationRules,
  address: string | undefined,
  { folder, isPrivate = false }: Opening,
): Promise<MediaLocation> {
  const { to, endpoint, credentials } = rules;
  if (endpoint !== undefined) throw notFor('endpoint', 'a folder');
  if (credentials !== undefined) throw notFor('credentials', 'a folder');
  if (address === undefined && !isPrivate) {
    throw new UsageError(`Cannot use the folder "${forTerminal(to)}" as media.to: no media.address`, {
      hint: 'Pass --media-base-url, or set media.address, with the address at which the folder is served: https://files.example.com',
    });
  }
  const place = madeFolder(resolve(folder, to), { to, mode: isPrivate ? 0o700 : 0o777 });
  return FolderLocation.open({ folder: place, address: address ?? pathToFileURL(place).href, isPrivate });
}

/** @returns Its real path: what a link leads to is the place itself. */
function madeFolder(path: string, { to, mode }: { readonly to: string; readonly mode: number }): string {
  try {
    makeFolder(path, mode);
    return realpathSync.native(path);
  } catch (cause) {
    throw new UsageError(
      `Cannot use "${forTerminal(to)}" as media.to: ${whyNoFolder[diskErrorCode(cause)] ?? diskErrorCode(cause)}`,
      {
        cause,
        hint:
          diskErrorCode(cause) === 'EROFS'
            ? 'Name a folder on another disk, or mount this one so that it can be written'
            : 'Make the folder, and let this user write into it',
      },
    );
  }
}

const whyNoFolder: Readonly<Record<string, string>> = {
  EEXIST: 'a file has that name',
  ENOTDIR: 'part of the path is a file',
  ENOENT: 'its file system makes no folders',
  EACCES: 'this user may not make it',
  EPERM: 'this user may not make it',
  EROFS: 'its file system is read-only',
};

/** Without a slash at its end. */
function publicAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const { username, password, search, hash, href } = new URL(address);
  if (username === '' && password === '' && search === '' && hash === '') return trimEnd(href, '/');
  throw new UsageError('Cannot use media.address: it has a query, a fragment or credentials', {
    hint: 'Everybody who gets a message sees it. Write the address before the keys: https://files.example.com/chat',
  });
}

const notFor = (setting: string, what: string): UsageError =>
  new UsageError(`Cannot use media.${setting} with ${what}`, {
    hint: `Leave out media.${setting}, or use s3://bucket`,
  });
