import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { isPrivateAddress, isSpecialIp } from '../../mapping/checks/private-address.ts';

/** Every address of a name. */
export type ResolveHost = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The code of the error with which a connection to a refused address ends. */
export const refusedAddress = 'refused-address';

export const resolveBySystem: ResolveHost = (hostname, done) =>
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));

/**
 * Connections to allowed addresses only. A name is resolved once for each connection, and the socket goes to an address
 * that was looked at: a server of names that answers otherwise the next time is not asked again. One refused address
 * among several refuses the name.
 *
 * A host that is an IP address is never looked up: the caller asks the rule about those.
 */
export function guardedAgent(rule: AddressRule, resolve: ResolveHost, connectMs: number): Agent {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const refused = addresses.find(({ address }) => rule.isRefusedIp(address));
      const fault = error ?? (refused ? refusal(hostname) : addresses.length === 0 ? noAddress(hostname) : null);
      if (fault) callback(fault, '', 0);
      else if (options.all) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
  return new Agent({
    connect: { lookup, timeout: connectMs, rejectUnauthorized: true },
    allowH2: false,
    // A connection for each request: the next one looks its host up again.
    pipelining: 0,
  });
}

const refusal = (hostname: string) =>
  Object.assign(new Error(`"${hostname}" has an address of this machine or of a private network`), {
    code: refusedAddress,
  });

const noAddress = (hostname: string) => Object.assign(new Error(`"${hostname}" has no address`), { code: 'ENOTFOUND' });

/**
 * Which addresses may be asked. An export is written by others: its addresses must not make this machine speak to
 * itself, to its network, or to the metadata service of a cloud.
 */
export interface AddressRule {
  /** Words, where this address is not asked. Looked at before every request, redirects among them. */
  refuse(url: URL): string | undefined;
  /** Whether a host that has this address is not spoken to. Looked at when a name was resolved, for all of its addresses. */
  isRefusedIp(ip: string): boolean;
}

/** `https:` on its own port, at hosts of the public network. `http:` is not asked: apps refuse such files in any case. */
export const publicAddresses: AddressRule = {
  refuse(url) {
    if (url.protocol !== 'https:') return `"${url.protocol}" instead of https:`;
    // The parser leaves out the port that is the scheme's own.
    if (url.port !== '') return `port ${url.port}`;
    return isPrivateAddress(url.href) ? 'an address of this machine or of a private network' : undefined;
  },
  isRefusedIp: isSpecialIp,
};

/** The host of an address if it is an IP address itself: no name is looked up then. */
export function literalIp({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}
