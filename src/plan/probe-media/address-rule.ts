import { isIP } from 'node:net';
import { isPrivateAddress, isSpecialIp } from '../../mapping/checks/private-address.ts';

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
