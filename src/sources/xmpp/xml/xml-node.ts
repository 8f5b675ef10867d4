/** An element of XML. */
export interface XmlNode {
  /** Without its prefix. */
  readonly name: string;
  /** Namespace; empty if there is none. */
  readonly ns: string;
  /** By their names, with prefixes. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (XmlNode | string)[];
}

type Namespace = string | RegExp | readonly string[];

export const isIn = (ns: string, wanted: Namespace): boolean => {
  if (typeof wanted === 'string') return ns === wanted;
  return wanted instanceof RegExp ? wanted.test(ns) : wanted.includes(ns);
};

export const elementsIn = (node: XmlNode): XmlNode[] =>
  node.children.filter((child): child is XmlNode => typeof child !== 'string');

/** Children of a name. @param wanted Default: the namespace of the element itself. */
export const childrenOf = (node: XmlNode, name: string, wanted: Namespace = node.ns): XmlNode[] =>
  elementsIn(node).filter((child) => child.name === name && isIn(child.ns, wanted));

export const childOf = (node: XmlNode | undefined, name: string, wanted?: Namespace): XmlNode | undefined =>
  node && childrenOf(node, name, wanted)[0];

/** The text of an element and of all that is in it. */
export function textOf(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  return node.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** An attribute that is not empty. */
export const attributeOf = (node: XmlNode | undefined, name: string): string | undefined =>
  node?.attributes.get(name) || undefined;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);

/** The content of an element as HTML, without namespaces. */
export function htmlIn(node: XmlNode): string {
  return node.children
    .map((child) => {
      if (typeof child === 'string') return escaped(child);
      const attributes = [...child.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
      return `<${child.name}${attributes}>${/^(?:br|img|hr)$/i.test(child.name) ? '' : `${htmlIn(child)}</${child.name}>`}`;
    })
    .join('');
}
