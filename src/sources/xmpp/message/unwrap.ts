import type { RowProblem } from '../../kit/entries.ts';
import { ns, type RowTime } from '../format.ts';
import { type Row, stampTime } from '../rows/row.ts';
import { attributeOf, childOf, childrenOf, elementsIn, type XmlNode } from '../xml/xml-node.ts';
import { parseJid, nodeOf } from './addresses.ts';

/** A stanza without what carried it. */
export interface Stanza {
  readonly node: XmlNode;
  readonly row: Row;
  /** Copy of a message that went to another device, or to a subscriber of a room. */
  readonly carriedBy: 'carbon' | 'subscription' | undefined;
  readonly time: RowTime | undefined;
}

/** Why there is no message in a row: `none` says it in words. */
export type Nothing = RowProblem | { readonly none: string; readonly isLost: boolean };

const subscriptions = 'urn:xmpp:mucsub:nodes:';
const forged = (reason: string): RowProblem => ({ code: 'xmpp-forged', reason });

/**
 * Takes a message out of a carbon copy (XEP-0280) or out of a notice to subscribers of a room (MUC/Sub of ejabberd). Only one's own server
 * sends copies, and only a room its messages: anything else may be forged (CVE-2017-5589), and is not read.
 */
export function unwrap(node: XmlNode, row: Row): readonly Stanza[] | Nothing {
  for (const name of ['sent', 'received']) {
    const carbon = childOf(node, name, ns.carbons);
    if (carbon) return inCarbon(node, carbon, row);
  }
  const event = childOf(node, 'event', ns.pubsubEvent);
  const items = event && childOf(event, 'items');
  const kind = attributeOf(items, 'node');
  if (items && kind?.startsWith(subscriptions)) return inSubscription(node, items, kind, row);
  if (event && childOf(node, 'body') === undefined)
    return { none: 'notices of services and people (PubSub)', isLost: false };
  return [{ node, row, carriedBy: undefined, time: row.time }];
}

function inCarbon(outer: XmlNode, carbon: XmlNode, row: Row): readonly Stanza[] | Nothing {
  const from = parseJid(attributeOf(outer, 'from'))?.bare;
  const to = parseJid(attributeOf(outer, 'to'))?.bare;
  const owner = row.owner?.includes('@') ? row.owner : undefined;
  const isOwn = from !== undefined && from === (owner ?? to) && (to === undefined || from === to);
  const isOwnByName = owner !== undefined || row.owner === undefined || nodeOf(from ?? '') === row.owner;
  if (!isOwn || !isOwnByName) return forged('Expected a copy from the own account, found one from another');
  const forwarded = childOf(carbon, 'forwarded', ns.forward);
  const node = forwarded && elementsIn(forwarded).find(({ name }) => name === 'message');
  if (!node) return { code: 'xmpp-bad-stanza', reason: 'Expected a message in the copy, found none' };
  const time = stampTime(attributeOf(childOf(forwarded, 'delay', ns.delay), 'stamp')) ?? row.time;
  return [{ node, row, carriedBy: 'carbon', time }];
}

function inSubscription(outer: XmlNode, items: XmlNode, kind: string, row: Row): readonly Stanza[] | Nothing {
  if (!/:(?:messages|subject)$/.test(kind)) return { none: 'notices of rooms to subscribers', isLost: false };
  const room = parseJid(attributeOf(outer, 'from'))?.bare;
  const found: Stanza[] = [];
  for (const item of childrenOf(items, 'item')) {
    for (const node of elementsIn(item)) {
      if (node.name !== 'message') continue;
      if (room === undefined || parseJid(attributeOf(node, 'from'))?.bare !== room)
        return forged('Expected a message of the room that sent the notice, found one of another address');
      found.push({ node, row, carriedBy: 'subscription', time: row.time });
    }
  }
  return found.length > 0 ? found : { none: 'notices of rooms to subscribers', isLost: false };
}

/** When it was written: the earliest time that a delayed delivery says, if it is not after the archive's own. */
export function sentAt({ node, time }: Stanza): RowTime | undefined {
  let earliest = time;
  const stamps = [...childrenOf(node, 'delay', ns.delay), ...childrenOf(node, 'x', ns.oldDelay)];
  for (const delay of stamps) {
    const at = stampTime(attributeOf(delay, 'stamp'));
    if (at !== undefined && (earliest === undefined || at.atMs < earliest.atMs)) earliest = at;
  }
  return earliest;
}
