/**
 * Archives of XMPP servers. Looked at 2026-11:
 * - XEP-0227 https://xmpp.org/extensions/xep-0227.html: `<server-data xmlns="urn:xmpp:pie:0"><host jid><user name>` with
 *   `<archive xmlns="urn:xmpp:pie:0#mam">` of results of XEP-0313, and `<offline-messages>`. Any part may be a file of its own, which `<xi:include href>` names.
 *   Tigase (tigase-muc, MUCRepositoryManagerExtension) adds rooms: `<muc xmlns="tigase:xep-0227:muc:0"><room jid>` with an archive, and the real
 *   address of who wrote as `sender` of each result.
 * - Prosody, plugins/mod_storage_internal.lua, util/datamanager.lua, util/serialization.lua: `data/<host>/<store>/<user>.list`, names encoded as in
 *   addresses (`example%2ecom`), one `item({…});` for each stanza. Stores: `archive` (`archive2` of the older module), `muc_log` of rooms, `offline`.
 * - Prosody, plugins/mod_storage_sql.lua: `prosodyarchive(host, user, store, when, with, key, type, value)`; `when` in whole seconds.
 * - ejabberd, sql/*.sql and src/mod_mam_sql.erl: `archive(username, server_host, timestamp, peer, bare_peer, xml, txt, id, kind, nick, created_at)`;
 *   `timestamp` in µs. In rows of rooms `username` is the address of the room, `nick` the name in it and `peer` the real address of who wrote.
 *   With `compress_xml: true` the stanza is not XML.
 *
 * Every local participant of a chat of two has a copy of each message. A copy has another time and other ids of the server, and the same stanza.
 * The owner of an archive is never the author: `from` of the stanza is.
 */

/** Namespaces, by the number of the extension that defines them. */
export const ns = {
  pie: ['urn:xmpp:pie:0', 'http://www.xmpp.org/extensions/xep-0227.html#ns'],
  pieArchive: 'urn:xmpp:pie:0#mam',
  include: 'http://www.w3.org/2001/XInclude',
  forward: 'urn:xmpp:forward:0',
  delay: 'urn:xmpp:delay',
  oldDelay: 'jabber:x:delay',
  carbons: 'urn:xmpp:carbons:2',
  pubsubEvent: 'http://jabber.org/protocol/pubsub#event',
  mucUser: 'http://jabber.org/protocol/muc#user',
  conference: 'jabber:x:conference',
  ids: 'urn:xmpp:sid:0',
  vcard: 'vcard-temp',
  xhtmlIm: 'http://jabber.org/protocol/xhtml-im',
  xhtml: 'http://www.w3.org/1999/xhtml',
  oob: 'jabber:x:oob',
  sfs: 'urn:xmpp:sfs:0',
  fileMetadata: 'urn:xmpp:file:metadata:0',
  urlData: 'http://jabber.org/protocol/url-data',
  reference: 'urn:xmpp:reference:0',
  sims: 'urn:xmpp:sims:1',
  correct: 'urn:xmpp:message-correct:0',
  fasten: 'urn:xmpp:fasten:0',
  retract: /^urn:xmpp:message-retract:[01]$/,
  moderate: /^urn:xmpp:message-moderate:[01]$/,
  reactions: 'urn:xmpp:reactions:0',
  reply: 'urn:xmpp:reply:0',
  fallback: /^urn:xmpp:(?:feature-)?fallback:0$/,
  geoloc: 'http://jabber.org/protocol/geoloc',
} as const;

/** Instant of a row: ms since 1970, and ns below a millisecond. */
export interface RowTime {
  readonly atMs: number;
  readonly nanoseconds: number;
}

/** Digits are kept apart: a number of µs is no exact number of JavaScript once it is multiplied. */
export function timeOfMicroseconds(text: string): RowTime | undefined {
  if (!/^\d{13,17}$/.test(text)) return undefined;
  return { atMs: Number(text.slice(0, -3)), nanoseconds: Number(text.slice(-3)) * 1000 };
}

/** `1772442900`, or with a fraction as Lua writes it. */
export function timeOfSeconds(text: string): RowTime | undefined {
  const [, whole, fraction = ''] = /^(\d{1,11})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const nanoseconds = fraction.padEnd(9, '0').slice(0, 9);
  return { atMs: Number(whole) * 1000 + Number(nanoseconds.slice(0, 3)), nanoseconds: Number(nanoseconds.slice(3)) };
}
