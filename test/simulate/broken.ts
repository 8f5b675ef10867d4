import type { DeliveryClient } from '../../src/service/delivery-client.ts';

/**
 * Protocols with a piece missing. Only tests use them, to show that simulations notice.
 *
 * `no-intent`: a sent message is recorded only with its receipt, so a client that dies has forgotten it. `no-grace`: an
 * absent message is sent again at once. `blind-opening`: the content of a conversation is not checked before the client
 * sends into it. `no-claims`: two stores send to one conversation at the same time.
 */
export type Broken = 'no-intent' | 'no-grace' | 'blind-opening' | 'no-claims';

/** Sees nothing in conversations but what it asks for by time, as read-backs do. */
export function blindOpening(client: DeliveryClient): DeliveryClient {
  return new Proxy(client, {
    get(target, name) {
      if (name === 'listMessages') {
        const list: DeliveryClient['listMessages'] = async (query, signal) =>
          query.fromTimestamp === undefined
            ? { kind: 'answered', value: { messages: [] }, hints: {} }
            : target.listMessages(query, signal);
        return list;
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
