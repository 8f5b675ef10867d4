import { SourceError } from '../../../lib/errors.ts';
import type { XmlHandler } from '../../../io/xml-elements.ts';
import type { XmlNode } from './xml-node.ts';

/** An element that a caller asked for, whole. */
export interface FoundTree {
  readonly node: XmlNode;
  /** Elements around it, from the outermost. They hold no children. */
  readonly parents: readonly XmlNode[];
  /** 1-based. */
  readonly line: number;
  /** Something in it is too large, or not closed as it was opened. */
  readonly isDamaged: boolean;
}

export interface TreeWatcher {
  /** @returns whether the element is wanted whole. Not asked of what is inside of one. */
  begins(node: XmlNode, parents: readonly XmlNode[], line: number): boolean;
  ends(tree: FoundTree): void;
}

const depthMax = 200;
const elementsMax = 10_000;
const textMax = 2 ** 20;

interface Open {
  /** With its prefix. */
  readonly written: string;
  readonly node: XmlNode;
  readonly namespaces: Namespaces;
}

interface Namespaces {
  readonly standard: string;
  readonly byPrefix: ReadonlyMap<string, string>;
}

const none: Namespaces = { standard: '', byPrefix: new Map() };

/** Gathers those elements that are wanted whole, with the namespaces that are valid there. Memory: one of them. */
export class XmlTrees implements XmlHandler {
  readonly #watcher: TreeWatcher;
  readonly #open: Open[] = [];
  /** Depth of the element that is gathered; 0 for none. */
  #rootDepth = 0;
  #rootLine = 0;
  #elements = 0;
  #length = 0;
  #isDamaged = false;
  /** Elements that are open and not held. */
  #tooDeep = 0;
  /** The tag of the next element was not read as it was written. */
  #isNextDamaged = false;
  /** An outermost element was closed. */
  isWhole = false;

  constructor(watcher: TreeWatcher) {
    this.#watcher = watcher;
  }

  get isInTree(): boolean {
    return this.#rootDepth > 0;
  }

  /** Line of the element that is gathered. */
  get treeLine(): number {
    return this.#rootLine;
  }

  open(written: string, attributes: ReadonlyMap<string, string>, line: number): void {
    if (this.#open.length >= depthMax) return void this.#openTooDeep();
    const namespaces = namespacesIn(attributes, this.#open.at(-1)?.namespaces ?? none);
    const colon = written.indexOf(':');
    const ns = colon === -1 ? namespaces.standard : (namespaces.byPrefix.get(written.slice(0, colon)) ?? '');
    const node: XmlNode = { name: written.slice(colon + 1), ns, attributes, children: [] };
    if (this.isInTree) this.#gather(node);
    else if (this.#watcher.begins(node, this.#parents(), line)) {
      this.#rootDepth = this.#open.length + 1;
      this.#rootLine = line;
      this.#elements = 0;
      this.#length = 0;
      this.#isDamaged = this.#isNextDamaged;
    }
    this.#isNextDamaged = false;
    this.#open.push({ written, node, namespaces });
  }

  text(text: string): void {
    if (!this.isInTree) return;
    this.#length += text.length;
    if (this.#length > textMax) this.#isDamaged = true;
    else this.#open.at(-1)!.node.children.push(text);
  }

  close(written: string): void {
    // The end of the whole element ends all of it, whatever was left open in it.
    if (this.#tooDeep > 0 && written !== this.#open[this.#rootDepth - 1]!.written) {
      this.#tooDeep -= 1;
      return;
    }
    this.#tooDeep = 0;
    const at = this.#open.findLastIndex((open) => open.written === written);
    if (at !== this.#open.length - 1) this.#isDamaged = true;
    if (at === -1) return;
    while (this.#open.length > at) this.#pop();
    this.isWhole ||= this.#open.length === 0;
  }

  damage(part: Parameters<XmlHandler['damage']>[0]): void {
    this.#isDamaged = true;
    this.#isNextDamaged ||= part !== 'content';
  }

  /** Holds nothing of an element that nests too deeply. */
  #openTooDeep(): void {
    if (!this.isInTree) throw new SourceError('Cannot read the XML: it is nested too deeply');
    this.#isDamaged = true;
    this.#tooDeep += 1;
  }

  #pop(): void {
    const { node } = this.#open.pop()!;
    if (this.#open.length !== this.#rootDepth - 1) return;
    this.#rootDepth = 0;
    this.#watcher.ends({ node, parents: this.#parents(), line: this.#rootLine, isDamaged: this.#isDamaged });
  }

  #gather(node: XmlNode): void {
    this.#elements += 1;
    if (this.#elements > elementsMax) this.#isDamaged = true;
    else this.#open.at(-1)!.node.children.push(node);
  }

  #parents(): readonly XmlNode[] {
    return this.#open.map(({ node }) => node);
  }
}

function namespacesIn(attributes: ReadonlyMap<string, string>, before: Namespaces): Namespaces {
  let { standard } = before;
  let byPrefix: Map<string, string> | undefined;
  for (const [name, value] of attributes) {
    if (name === 'xmlns') standard = value;
    else if (name.startsWith('xmlns:')) byPrefix = (byPrefix ?? new Map(before.byPrefix)).set(name.slice(6), value);
  }
  return standard === before.standard && !byPrefix ? before : { standard, byPrefix: byPrefix ?? before.byPrefix };
}
