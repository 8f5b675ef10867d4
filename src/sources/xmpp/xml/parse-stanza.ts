import { SourceError } from '../../../lib/errors.ts';
import { XmlElements } from '../../../io/xml-elements.ts';
import type { XmlNode } from './xml-node.ts';
import { type FoundTree, XmlTrees } from './xml-trees.ts';

/** Namespace of a stanza that names none. */
export const clientNamespace = 'jabber:client';

/** One stanza from a cell of a table. @returns why it is none, as text. */
export function parseStanza(text: string): XmlNode | string {
  const found: FoundTree[] = [];
  const trees = new XmlTrees({ begins: () => true, ends: (tree) => void found.push(tree) });
  const elements = new XmlElements(trees);
  try {
    elements.push(text);
    elements.end();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.message;
  }
  const [tree, more] = found;
  if (tree === undefined) return trees.isInTree ? 'The stanza ends in the middle' : 'Expected a stanza, found no XML';
  if (more !== undefined || trees.isInTree) return 'Expected one stanza, found several elements';
  return tree.isDamaged ? 'The XML of the stanza is damaged, or too large' : tree.node;
}
