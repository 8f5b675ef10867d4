import type { ExportInput } from '../../../io/input/export-input.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { RowProblem } from '../../kit/entries.ts';
import { type RowTime, timeOfSeconds } from '../format.ts';
import { type LuaItem, LuaItems } from '../lua/lua-items.ts';
import { luaStanza } from '../lua/lua-stanza.ts';
import { isTable, type LuaTable, luaDigits, luaText, parseLuaTable } from '../lua/lua-table.ts';
import type { XmlNode } from '../xml/xml-node.ts';
import { brokenRow, type Row, stampTime } from './row.ts';

/** Facts from the path of a list: `data/example%2ecom/archive/ines.list`. */
export interface ProsodyList {
  readonly store: 'archive' | 'muc_log' | 'offline';
  /** The address of the person, or of the room. */
  readonly owner: string;
  readonly host: string;
}

const listed = /(?:^|\/)([^/]+)\/(archive2?|muc_log|offline)\/([^/]+)\.list$/;

export function prosodyList(path: string): ProsodyList | undefined {
  const [, host, store, user] = listed.exec(path) ?? [];
  if (host === undefined || store === undefined || user === undefined) return undefined;
  const [name, domain] = [decodedName(user), decodedName(host)];
  return {
    store: store === 'archive2' ? 'archive' : (store as ProsodyList['store']),
    owner: `${name}@${domain}`,
    host: domain,
  };
}

/** Names of files are encoded as in addresses, each byte by itself. */
function decodedName(name: string): string {
  const bytes = Buffer.from(name, 'utf8')
    .toString('latin1')
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').toLowerCase();
}

/** The stanzas of a list of Prosody, in lists. @throws SourceError if the file cannot be read (any further). */
export async function* prosodyRows(
  input: ExportInput,
  path: string,
  list: ProsodyList | undefined,
): AsyncGenerator<readonly Row[]> {
  const items = new LuaItems();
  for await (const chunk of input.open(path)) {
    const found = items.push(chunk);
    if (found.length > 0) yield found.map((item) => readRow(item, path, list));
  }
  yield items.end().map((item) => readRow(item, path, list));
}

function readRow(item: LuaItem, path: string, list: ProsodyList | undefined): Row {
  const location = { path, line: item.line };
  if (item.fault !== undefined)
    return brokenRow(location, item.isEnd === true ? 'xmpp-cut-off' : 'xmpp-bad-stanza', item.fault);
  return new ProsodyRow(item.text, location, list);
}

/** Most rows are only looked at in a first pass: the table is read when it is needed. */
class ProsodyRow implements Row {
  readonly location: Location;
  readonly archive: string;
  readonly owner: string | undefined;
  readonly written: string;
  #table: LuaTable | undefined | null = null;

  constructor(text: string, location: Location, list: ProsodyList | undefined) {
    this.location = location;
    this.owner = list?.owner;
    this.archive = list?.store === 'offline' ? `${list.owner} offline` : (list?.owner ?? '');
    this.written = text;
  }

  /** Lists of waiting messages, and old archives, have the time in the attributes alone. */
  get time(): RowTime | undefined {
    const when = this.#when();
    return when === undefined ? stampTime(this.#stamp()) : timeOfSeconds(when);
  }

  get writtenTime(): string | undefined {
    return this.#when() ?? this.#stamp();
  }

  get archiveId(): string | undefined {
    return luaText(this.#read()?.byKey.get('key'));
  }

  read(): XmlNode | RowProblem {
    const table = this.#read();
    const expected = table ? 'Expected a stanza with "name", "attr" and children' : 'Expected a table of Lua';
    return (table && luaStanza(table)) ?? { code: 'xmpp-bad-stanza', reason: `${expected}, found something else` };
  }

  #read(): LuaTable | undefined {
    if (this.#table === null) this.#table = parseLuaTable(this.written);
    return this.#table;
  }

  #when(): string | undefined {
    const when = this.#read()?.byKey.get('when');
    return luaDigits(when) ?? luaText(when);
  }

  #stamp(): string | undefined {
    const attributes = this.#read()?.byKey.get('attr');
    return isTable(attributes) ? luaText(attributes.byKey.get('stamp')) : undefined;
  }
}
