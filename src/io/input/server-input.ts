import { crypto } from '../../lib/late.ts';
import { SourceError } from '../../lib/errors.ts';
import type { ExportInput, FileStat } from './export-input.ts';

/** Addresses of database servers, as people write them. */
const serverAddress = /^(?:postgres|postgresql|mysql|mariadb):\/\//i;

export const isServerAddress = (name: string): boolean => serverAddress.test(name);

/**
 * Whether an address holds a password: then it must not appear in a file, in argv or in an error. Also detects a
 * password that was not encoded, `postgres://me:pa/ss@host/app`: an @ after a colon is always taken for its end.
 */
export const holdsPassword = (address: string): boolean =>
  /^[a-z]+:\/\/[^/?#@]*:[^@]*@/i.test(address) || /[?&](?:password|pwd|passwd)=/i.test(address);

/** The address without a user, a password and settings: what is shown and kept of it. */
export function plainAddress(address: string): string {
  const [scheme, rest = ''] = address.split(/:\/\/(.*)/s) as [string, string?];
  const authority = rest.split(/[/?#]/)[0]!;
  const path = rest.slice(authority.length).split(/[?#]/)[0]!;
  return `${scheme.toLowerCase()}://${authority.slice(authority.lastIndexOf('@') + 1)}${path}`;
}

/** The address among some that is kept as `plain`: a store keeps no user and no settings. */
export const addressKeptAs = (plain: string, addresses: readonly string[]): string | undefined =>
  addresses.find((address) => isServerAddress(address) && plainAddress(address) === plain);

/**
 * A database server as an export: one path, the name of the database, without bytes. Code that knows databases connects
 * to `server`. Whether it has changed cannot be known, so it counts as changed each time it is opened.
 */
export function serverInput(address: string): ExportInput {
  const key = plainAddress(address);
  const label = key.split('/').at(-1) || key;
  const stat: FileStat = { sizeBytes: 0, fingerprint: crypto().randomUUID() };
  const refuse = (): never => {
    throw new SourceError(`Cannot read "${key}" as a file: it is a database`, { hint: 'Pass --source database' });
  };
  return {
    label,
    key,
    server: address,
    problems: [],
    paths: async () => [label],
    stat: async () => stat,
    head: async () => new Uint8Array(),
    read: async () => refuse(),
    // biome-ignore lint/correctness/useYield: there is nothing to yield.
    async *open() {
      refuse();
    },
    materialise: async () => refuse(),
    async close() {},
  };
}
