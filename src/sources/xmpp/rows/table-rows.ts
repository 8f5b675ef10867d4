import type { Location } from '../../../lib/text/location.ts';
import type { RowProblem } from '../../kit/entries.ts';
import { timeOfMicroseconds, timeOfSeconds } from '../format.ts';
import { parseStanza } from '../xml/parse-stanza.ts';
import type { XmlNode } from '../xml/xml-node.ts';
import { brokenRow, type Row } from './row.ts';

/** Tables of servers: `archive` of ejabberd, `prosodyarchive` of Prosody. */
export type TableKind = 'ejabberd' | 'prosody';

/** Columns that are read, and those by which a table is known. */
export const columns: Readonly<Record<TableKind, readonly string[]>> = {
  ejabberd: ['username', 'server_host', 'timestamp', 'peer', 'xml', 'kind', 'nick'],
  prosody: ['host', 'user', 'store', 'when', 'key', 'type', 'value'],
};
export const telling: Readonly<Record<TableKind, readonly string[]>> = {
  ejabberd: ['username', 'timestamp', 'peer', 'xml', 'kind'],
  prosody: ['host', 'user', 'store', 'when', 'with', 'value'],
};

/** Columns that hold what the stanza says, or what only the database needs. */
const unneeded: ReadonlySet<string> = new Set([
  ...['bare_peer', 'txt', 'id', 'created_at', 'origin_id', 'sort_id', 'with'],
]);

export const isColumn = (kind: TableKind, name: string): boolean => columns[kind].includes(name) || unneeded.has(name);

/** A table with other columns is one of the user's own. */
export const tableKind = (names: readonly string[]): TableKind | undefined =>
  (['ejabberd', 'prosody'] as const).find(
    (kind) => telling[kind].every((name) => names.includes(name)) && names.every((name) => isColumn(kind, name)),
  );

/** Stores of Prosody that hold messages; others hold items of services. */
const stores: ReadonlySet<string> = new Set(['archive', 'archive2', 'muc_log', 'offline']);

/** Programs that write tables write a missing value so. */
const isNull = (value: string | undefined): boolean => value === undefined || value === 'NULL' || value === '\\N';

export type Cell = (name: string) => string | undefined;

/** @returns a word for a row that is no message. */
export function tableRow(kind: TableKind, cell: Cell, location: Location): Row | string {
  const get: Cell = (name) => (isNull(cell(name)) ? undefined : cell(name));
  return kind === 'ejabberd' ? ejabberdRow(get, location) : prosodyRow(get, location);
}

function ejabberdRow(get: Cell, location: Location): Row {
  const [username, host, time, kind] = [
    get('username')?.toLowerCase(),
    get('server_host')?.toLowerCase(),
    get('timestamp'),
    get('kind'),
  ];
  if (username === undefined) return brokenRow(location, 'xmpp-bad-row', 'Expected "username", found nothing');
  if (kind !== 'chat' && kind !== 'groupchat') {
    const reason = `Expected "kind" to be chat or groupchat, found ${kind === undefined ? 'nothing' : 'another word'}`;
    return brokenRow(location, 'xmpp-bad-row', reason);
  }
  const owner = host === undefined || username.includes('@') ? username : `${username}@${host}`;
  const archived = { location, archive: owner, owner, writtenTime: time, archiveId: time };
  return {
    ...archived,
    time: time === undefined ? undefined : timeOfMicroseconds(time),
    ...(kind === 'groupchat' && { room: { jid: username, nick: get('nick'), peer: get('peer') } }),
    ...laterStanza(get('xml'), 'xml'),
  };
}

function prosodyRow(get: Cell, location: Location): Row | string {
  const [host, user = '', store = '', when] = [get('host'), get('user'), get('store'), get('when')];
  if (!stores.has(store)) return `rows of the store "${store.slice(0, 40)}"`;
  const owner = host === undefined ? undefined : `${user}@${host}`.toLowerCase();
  if (owner === undefined) return brokenRow(location, 'xmpp-bad-row', 'Expected "host", found nothing');
  if (get('type') !== 'xml')
    return brokenRow(location, 'xmpp-bad-row', 'Expected "type" to be xml, found another word');
  const archived = { location, archive: store === 'offline' ? `${owner} offline` : owner, owner, writtenTime: when };
  return {
    ...archived,
    time: when === undefined ? undefined : timeOfSeconds(when),
    archiveId: get('key'),
    ...laterStanza(get('value'), 'value'),
  };
}

function laterStanza(text: string | undefined, column: string): Pick<Row, 'read' | 'written'> {
  return { written: text ?? '', read: () => readStanza(text, column) };
}

function readStanza(text: string | undefined, column: string): XmlNode | RowProblem {
  if (text === undefined) return { code: 'xmpp-bad-stanza', reason: `Expected a stanza in "${column}", found nothing` };
  if (!/^\s*</.test(text)) {
    const reason = `Expected a stanza as XML in "${column}", found something else, as ejabberd writes it with "compress_xml: true"`;
    return { code: 'xmpp-compressed', reason };
  }
  const stanza = parseStanza(text);
  return typeof stanza === 'string' ? { code: 'xmpp-bad-stanza', reason: stanza } : stanza;
}
