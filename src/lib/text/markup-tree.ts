/** An element of markup that `html.ts` has made. */
export interface MarkupElement {
  readonly name: string;
  /** Those without a value are true. */
  readonly attributes: Readonly<Record<string, string | true>>;
  readonly children: readonly MarkupNode[];
}
export type MarkupNode = MarkupElement | string;

interface Open extends MarkupElement {
  readonly children: MarkupNode[];
}

const tokens = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*?)?)(\/?)>|[^<]+/gi;
const attributes = /([a-z][a-z-]*)(?:="([^"]*)")?/gi;
const withoutEnd = new Set(['br']);
const characters: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#96;': '`' },
};

const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|#96);/g, (one) => characters[one]!);

/**
 * Reads markup of `html.ts` back: text stays text, whatever it says. A page that makes elements of this tree needs no right to turn text
 * into markup. Throws a TypeError for markup of others: there every element has an end, and `<`, `>` and `"` are escaped.
 */
export function parseMarkup(markup: string): readonly MarkupNode[] {
  const open: Open[] = [{ name: '', attributes: {}, children: [] }];
  let end = 0;
  for (const { 0: text, 1: slash, 2: name, 3: values = '', 4: isAlone, index } of markup.matchAll(tokens)) {
    const parent = open.at(-1)!;
    if (index !== end || (slash === '/' && parent.name !== name)) break;
    end += text.length;
    if (name === undefined) parent.children.push(unescapeHtml(text));
    else if (slash === '/') open.pop();
    else {
      const element: Open = { name, attributes: readAttributes(values), children: [] };
      parent.children.push(element);
      if (isAlone !== '/' && !withoutEnd.has(name)) open.push(element);
    }
  }
  if (end !== markup.length || open.length !== 1)
    throw new TypeError(`Cannot read markup at character ${end}: expected what html.ts makes`);
  return open[0]!.children;
}

const readAttributes = (text: string): MarkupElement['attributes'] =>
  Object.fromEntries(
    Array.from(text.matchAll(attributes), ([, name, value]) => [
      name,
      value === undefined ? true : unescapeHtml(value),
    ]),
  );
