import type { AddressRule } from '../../src/io/web/address-rule.ts';
import type { ResolveHost } from '../../src/io/web/guarded-agent.ts';

/** Plays the public network: names end in `.test`, `http:` at any port is as good as `https:`; the rest is refused. */
export const testAddresses: AddressRule = {
  refuse: ({ protocol, hostname }) =>
    protocol === 'http:' && hostname.endsWith('.test') ? undefined : `${protocol}//${hostname} is not public`,
  isRefusedIp: (ip) => ip !== '127.0.0.1',
};

export const toThisMachine: ResolveHost = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
