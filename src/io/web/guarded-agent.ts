import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import type { AddressRule } from './address-rule.ts';

/** Every address of a name. */
export type ResolveHost = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The code of the error with which a connection to a refused address ends. */
export const refusedAddress = 'refused-address';

export const resolveBySystem: ResolveHost = (hostname, done) =>
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));

/** How long a server may let wait, in ms. */
interface Waits {
  /** Until it is connected, looking its name up included. */
  readonly connectMs: number;
  /** Without a byte of an answer. Undici's own 300 s by default. */
  readonly idleMs?: number;
  /** Whether a connection serves the next request too: for many files of one host. */
  readonly keepsConnections?: boolean;
}

/**
 * Connections to allowed addresses only. A name is resolved once for each connection, and the socket goes to an address
 * that was looked at: a server of names that answers otherwise the next time is not asked again. One refused address
 * among several refuses the name. Settings of the environment (a proxy) count for nothing here.
 *
 * A host that is an IP address is never looked up: the caller asks `refusalOf` about those.
 */
export function guardedAgent(rule: AddressRule, resolve: ResolveHost, waits: Waits): Agent {
  const { connectMs, idleMs, keepsConnections = false } = waits;
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const refused = addresses.find(({ address }) => rule.isRefusedIp(address, hostname));
      const fault = error ?? (refused ? refusal(hostname) : addresses.length === 0 ? noAddress(hostname) : null);
      if (fault) callback(fault, '', 0);
      else if (options.all) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
  return new Agent({
    connect: { lookup, timeout: connectMs, rejectUnauthorized: true },
    allowH2: false,
    // 0: a connection for each request, and the next one looks its host up again.
    pipelining: keepsConnections ? 1 : 0,
    maxHeaderSize: 16_384,
    ...(idleMs !== undefined && { headersTimeout: idleMs, bodyTimeout: idleMs }),
  });
}

const refusal = (hostname: string) =>
  Object.assign(new Error(`"${hostname}" has an address of this machine or of a private network`), {
    code: refusedAddress,
  });

const noAddress = (hostname: string) => Object.assign(new Error(`"${hostname}" has no address`), { code: 'ENOTFOUND' });
