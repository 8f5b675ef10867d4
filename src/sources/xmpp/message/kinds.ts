import { ns } from '../format.ts';
import { attributeOf, childOf, childrenOf, elementsIn, isIn, textOf, type XmlNode } from '../xml/xml-node.ts';

/** A stanza about another message. `target` is one of its names. */
export type About =
  | { readonly kind: 'edit'; readonly target: string }
  | { readonly kind: 'deletion'; readonly target: string; readonly isByRoom: boolean }
  | { readonly kind: 'reaction'; readonly target: string; readonly emoji: readonly string[] };

/** Reactions of one person to one message. */
const emojiMax = 50;

/** Texts that come with these are for programs that do not know them. */
export function aboutOther(node: XmlNode): About | undefined {
  const reactions = childOf(node, 'reactions', ns.reactions);
  const reactedTo = attributeOf(reactions, 'id');
  if (reactions && reactedTo !== undefined) {
    const emoji = childrenOf(reactions, 'reaction').map((reaction) => textOf(reaction).trim().slice(0, 100));
    return { kind: 'reaction', target: reactedTo, emoji: [...new Set(emoji)].filter(Boolean).slice(0, emojiMax) };
  }
  const deletion = deletionIn(node);
  if (deletion) return deletion;
  const replaced = attributeOf(childOf(node, 'replace', ns.correct), 'id');
  return replaced === undefined ? undefined : { kind: 'edit', target: replaced };
}

/** `<retract id>`, before 2023 inside of `<apply-to id>`; a moderator's is `<moderated>` in or around it, and comes from the room. */
function deletionIn(node: XmlNode): About | undefined {
  const applied = childOf(node, 'apply-to', ns.fasten);
  const inside = applied ?? node;
  const moderated = childOf(inside, 'moderated', ns.moderate);
  const retract = childOf(moderated ?? inside, 'retract', ns.retract);
  const target = attributeOf(applied ?? retract ?? moderated, 'id') ?? attributeOf(retract, 'id');
  if (!retract || target === undefined) return undefined;
  const isByRoom = moderated !== undefined || childOf(retract, 'moderated', ns.moderate) !== undefined;
  return { kind: 'deletion', target, isByRoom };
}

/** Whether it marks a message whose content the server deleted. */
export const isTombstone = (node: XmlNode): boolean =>
  childOf(node, 'retracted', ns.retract) !== undefined ||
  elementsIn(node).some((child) => child.name === 'moderated' && childOf(child, 'retracted', ns.retract) !== undefined);

/** Into a room, by the room or by a person. */
export function isInvitation(node: XmlNode): boolean {
  const isMediated = childrenOf(node, 'x', ns.mucUser).some((x) =>
    elementsIn(x).some(({ name }) => name === 'invite' || name === 'decline'),
  );
  return isMediated || childOf(node, 'x', ns.conference) !== undefined;
}

interface Silent {
  readonly ns: string | RegExp;
  readonly what: string;
  /** It means something that is not migrated. */
  readonly isLost?: true;
}

/** Stanzas without a text, by an element of theirs. */
const silent: readonly Silent[] = [
  { ns: 'urn:xmpp:receipts', what: 'receipts of delivery' },
  { ns: /^urn:xmpp:chat-markers:/, what: 'marks of what was read' },
  { ns: 'http://jabber.org/protocol/chatstates', what: 'signs of typing' },
  { ns: /^urn:xmpp:(?:jingle-message|call-invites|jingle):/, what: 'signals of calls', isLost: true },
  { ns: /^urn:xmpp:attention:/, what: 'calls for attention', isLost: true },
];

/** Why a stanza without a text is no message. @param unread Elements with words that nothing reads. */
export function silentReason(node: XmlNode, unread: readonly string[]) {
  for (const { ns: wanted, what, isLost = false } of silent)
    if (elementsIn(node).some((child) => isIn(child.ns, wanted))) return { none: what, isLost };
  if (unread.length > 0)
    return { code: 'xmpp-unknown-content', reason: `no text, but content in ${unread.join(', ')}` };
  return { none: 'stanzas without a text', isLost: false };
}

const omemo = /^(?:eu\.siacs\.conversations\.axolotl|urn:xmpp:omemo:\d+)$/;
const otherEncryption: readonly (readonly [name: string, ns: string])[] = [
  ['openpgp', 'urn:xmpp:openpgp:0'],
  ['x', 'jabber:x:encrypted'],
  ['encryption', 'urn:xmpp:eme:0'],
];
const encryptedBody = /^\s*(?:\?OTR|-----BEGIN PGP MESSAGE-----)/;

/** `keys`: programs exchange keys, and there is no text. */
export function findEncryption(node: XmlNode): 'text' | 'keys' | undefined {
  const encrypted = childOf(node, 'encrypted', omemo);
  if (encrypted) return (childOf(encrypted, 'payload') ?? childOf(node, 'body')) ? 'text' : 'keys';
  if (otherEncryption.some(([name, wanted]) => childOf(node, name, wanted) !== undefined)) return 'text';
  return encryptedBody.test(textOf(childOf(node, 'body'))) ? 'text' : undefined;
}
