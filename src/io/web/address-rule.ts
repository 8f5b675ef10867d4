import { isIP } from 'node:net';
import { isPrivateAddress, isSpecialIp } from './private-address.ts';

/**
 * Which addresses may be asked. An export is written by others: its addresses must not make this machine speak to
 * itself, to its network, or to the metadata service of a cloud.
 */
export interface AddressRule {
  /** Words, where this address is not asked. Looked at before every request, redirects among them. */
  refuse(url: URL): string | undefined;
  /** Whether a host that has this address is not spoken to. Looked at when a name was resolved, for all of its addresses. */
  isRefusedIp(ip: string, hostname: string): boolean;
}

const privateWords = 'an address of this machine or of a private network';

/** `https:` on its own port, at hosts of the public network. `http:` is not asked: apps refuse such files in any case. */
export const publicAddresses: AddressRule = {
  refuse(url) {
    if (url.protocol !== 'https:') return `"${url.protocol}" instead of https:`;
    // The parser leaves out the port that is the scheme's own.
    if (url.port !== '') return `port ${url.port}`;
    return isPrivateAddress(url.href) ? privateWords : undefined;
  },
  isRefusedIp: isSpecialIp,
};

/** Words, where an address is not asked. To be called before every request: a host that is an IP address is never looked up. */
export function refuseAddress(url: URL, rule: AddressRule): string | undefined {
  const ip = literalIp(url);
  if (ip !== undefined && rule.isRefusedIp(ip, url.hostname)) return privateWords;
  return rule.refuse(url);
}

function literalIp({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}
