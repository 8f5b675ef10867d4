import type { Attachment } from '../../../model/records.ts';
import { nameIn } from '../../kit/text/html-body.ts';
import { ns } from '../format.ts';
import { attributeOf, childOf, childrenOf, elementsIn, textOf, type XmlNode } from '../xml/xml-node.ts';

/** Files of a message. */
const filesMax = 100;

/** Shared files (XEP-0447, and XEP-0385 before it), then addresses alone (XEP-0066), each once. */
export function filesIn(node: XmlNode): readonly Attachment[] {
  const shared = [
    ...childrenOf(node, 'file-sharing', ns.sfs),
    ...childrenOf(node, 'reference', ns.reference).flatMap((reference) =>
      childrenOf(reference, 'media-sharing', ns.sims),
    ),
  ];
  const files = shared.slice(0, filesMax).map(sharedFile);
  for (const x of childrenOf(node, 'x', ns.oob)) {
    const url = textOf(childOf(x, 'url')).trim();
    if (url !== '' && files.length < filesMax && !files.some((file) => file.url === url)) files.push(plainFile(url));
  }
  return files;
}

function sharedFile(sharing: XmlNode): Attachment {
  const file = elementsIn(sharing).find(({ name }) => name === 'file');
  const of = (name: string): string => textOf(file && elementsIn(file).find((child) => child.name === name)).trim();
  const sources = childOf(sharing, 'sources');
  const url =
    attributeOf(childOf(sources, 'url-data', ns.urlData), 'target') ??
    elementsIn(sources ?? sharing)
      .map((source) => attributeOf(source, 'uri'))
      .find((uri) => /^https?:/i.test(uri ?? ''));
  const size = of('size');
  const about = {
    name: of('name') || (url === undefined ? 'file' : plainName(url)),
    mimeType: of('media-type') || undefined,
    ...(/^\d{1,15}$/.test(size) && { sizeBytes: Number(size) }),
  };
  // Encrypted files have their address and key in an element of their own: XEP-0448.
  const isEncrypted = sources && elementsIn(sources).some(({ name }) => name === 'encrypted');
  if (url === undefined) return { ...about, unavailable: isEncrypted ? 'encrypted' : 'not-in-export' };
  return { ...about, url };
}

function plainFile(url: string): Attachment {
  const name = plainName(url);
  return /^aesgcm:/i.test(url) ? { name, unavailable: 'encrypted' } : { name, url };
}

function plainName(url: string): string {
  try {
    return decodeURIComponent(nameIn(url));
  } catch {
    return nameIn(url);
  }
}
