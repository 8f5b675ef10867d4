import { net } from '../../lib/late.ts';
import { once } from '../../lib/once.ts';

/** Networks that are not reachable from everywhere: IANA special-purpose registries, 2026-11. */
const networks = {
  ipv4: [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  ipv6: [
    // Also IPv4 addresses in what was meant for the way to IPv6: `::127.0.0.1`, `::ffff:0:127.0.0.1`.
    ['::', 96],
    ['::ffff:0:0:0', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['100:0:0:1::', 64],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
    ['5f00::', 16],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
  ],
} as const;

const special = once(() => {
  const list = new (net().BlockList)();
  for (const [network, bits] of networks.ipv4) list.addSubnet(network, bits, 'ipv4');
  for (const [network, bits] of networks.ipv6) list.addSubnet(network, bits, 'ipv6');
  return list;
});

/** An address of one of those networks. Mapped ones (`::ffff:10.0.0.1`) count by the address that they carry. */
export function isSpecialIp(ip: string): boolean {
  const family = net().isIP(ip);
  return family !== 0 && special().check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

/** Names that no public name server answers. RFC 6762, RFC 8375, ICANN's reservation of `internal`. */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)\.?$/i;

/** Scheme and host if nothing about them is unusual: no user, no escape, nothing that the URL parser leaves out. */
const plainStart = /^https?:\/\/[a-z0-9.-]+(?=[/?#]|$)/i;

/** By scheme and host: the files of a million messages stay at a few. */
const answers = new Map<string, boolean>();
const answersMax = 1000;

/** Whether an address of the web names this machine or a private network. WHATWG URLs spell `0x7f.1` as `127.0.0.1`. */
export function isPrivateAddress(url: string | undefined): boolean {
  const start = url === undefined ? undefined : plainStart.exec(url)?.[0];
  if (start === undefined) return isPrivateHost(url);
  let answer = answers.get(start);
  if (answer === undefined) {
    answer = isPrivateHost(start);
    if (answers.size >= answersMax) answers.clear();
    answers.set(start, answer);
  }
  return answer;
}

function isPrivateHost(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (/^[\d.]+$|:/.test(host) && net().isIP(host) !== 0) return isSpecialIp(host);
  return privateNames.test(host) || !host.includes('.');
}
