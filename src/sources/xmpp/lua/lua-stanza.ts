import type { XmlNode } from '../xml/xml-node.ts';
import { clientNamespace } from '../xml/parse-stanza.ts';
import { isTable, type LuaTable, luaText } from './lua-table.ts';

/** Attributes that Prosody adds when it stores a stanza. */
const stored: ReadonlySet<string> = new Set(['stamp', 'stamp_legacy']);

/**
 * The element that a table describes: `name`, `attr`, and children in order.
 *
 * @param ns Of the element around it: one without `xmlns` is in the same.
 * @returns undefined if it describes none.
 */
export function luaStanza(table: LuaTable, ns = clientNamespace): XmlNode | undefined {
  const name = luaText(table.byKey.get('name'));
  const given = table.byKey.get('attr');
  if (name === undefined || (given !== undefined && !isTable(given))) return undefined;
  const attributes = new Map<string, string>();
  for (const [key, value] of given?.byKey ?? []) {
    const text = luaText(value);
    if (text !== undefined && !stored.has(key)) attributes.set(key, text.toWellFormed());
  }
  const own = attributes.get('xmlns') ?? ns;
  const children: (XmlNode | string)[] = [];
  for (const child of table.list) {
    if (typeof child === 'string') children.push(child);
    else if (isTable(child)) {
      const element = luaStanza(child, own);
      if (element === undefined) return undefined;
      children.push(element);
    } else return undefined;
  }
  return { name, ns: own, attributes, children };
}
