import type { ExportInput } from '../../../io/input/export-input.ts';
import { detectEncoding, isEncoding, utf8Chunks } from '../../../io/text-encoding.ts';
import { ns } from '../format.ts';
import { XmlElements } from '../../../io/xml-elements.ts';
import { attributeOf, childOf, isIn, textOf, type XmlNode } from '../xml/xml-node.ts';
import { type FoundTree, XmlTrees } from '../xml/xml-trees.ts';
import { brokenRow, type Row, stampTime } from './row.ts';

/** Receives the data around the messages of a file. */
export interface Surroundings {
  /** A person's own name, by address. */
  name(jid: string, name: string): void;
  /** Another file of the export, as `<xi:include>` names it. */
  include(href: string, line: number): void;
  /** Data of a user that is no message. */
  other(what: string): void;
}

const declared = /^\ufeff?<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]{1,40})["']/;
const damaged = 'The element is damaged, or larger than a stanza may be';

/**
 * The messages of a file of XEP-0227, in lists. Memory: a chunk and one stanza.
 *
 * @throws SourceError if the file cannot be read (any further).
 */
export async function* xep0227Rows(
  input: ExportInput,
  path: string,
  around: Surroundings,
): AsyncGenerator<readonly Row[]> {
  const watcher = new Watcher(path, around);
  const trees = new XmlTrees(watcher);
  const elements = new XmlElements(trees);
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of utf8Chunks(input.open(path), await findEncoding(input, path))) {
    elements.push(decoder.decode(chunk, { stream: true }));
    if (watcher.rows.length > 0) yield watcher.take();
  }
  elements.end();
  const rows = watcher.take();
  if (!trees.isWhole) {
    const where = trees.isInTree
      ? `inside of the message that begins on line ${trees.treeLine}`
      : 'before its last end tag';
    rows.push(brokenRow({ path }, 'xmpp-cut-off', `The file ends ${where}`));
  }
  yield rows;
}

async function findEncoding(input: ExportInput, path: string): Promise<string> {
  const head = await input.head(path, 4096);
  const found = detectEncoding(head);
  const label = declared.exec(Buffer.from(head).toString('latin1'))?.[1];
  return found.encoding === 'utf-8' || label === undefined || !isEncoding(label) ? found.encoding : label;
}

class Watcher {
  rows: Row[] = [];
  readonly #path: string;
  readonly #around: Surroundings;

  constructor(path: string, around: Surroundings) {
    this.#path = path;
    this.#around = around;
  }

  take(): Row[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  begins(node: XmlNode, parents: readonly XmlNode[], line: number): boolean {
    const parent = parents.at(-1);
    if (node.name === 'include' && node.ns === ns.include) this.#around.include(attributeOf(node, 'href') ?? '', line);
    else if (isArchive(parent) || isOffline(parent)) return true;
    else if (parent?.name === 'user' && isIn(parent.ns, ns.pie)) {
      if (node.name === 'vCard' && node.ns === ns.vcard) return true;
      if (!isArchive(node) && !isOffline(node)) this.#around.other(`<${node.name}> of a user`);
    } else if (parent?.name === 'room' && !isArchive(node)) this.#around.other(`<${node.name}> of a room`);
    return false;
  }

  ends({ node, parents, line, isDamaged }: FoundTree): void {
    const location = { path: this.#path, line };
    const room = attributeOf(
      parents.find(({ name }) => name === 'room'),
      'jid',
    )?.toLowerCase();
    const owner = room ?? ownerIn(parents);
    if (node.name === 'vCard') this.#name(node, owner);
    else if (isDamaged) this.rows.push(brokenRow(location, 'xmpp-bad-stanza', damaged));
    else if (isOffline(parents.at(-1))) this.rows.push(offlineRow(node, location, owner));
    else if (node.name === 'result') this.rows.push(resultRow(node, location, owner, room));
    else this.#around.other(`<${node.name}> of an archive`);
  }

  #name(card: XmlNode, owner: string | undefined): void {
    const name = textOf(childOf(card, 'FN')).trim() || textOf(childOf(card, 'NICKNAME')).trim();
    if (owner?.includes('@') && name !== '') this.#around.name(owner, name.slice(0, 500));
    this.#around.other('details of people (vCard)');
  }
}

const isArchive = (node: XmlNode | undefined): boolean => node?.name === 'archive' && node.ns === ns.pieArchive;
const isOffline = (node: XmlNode | undefined): boolean => node?.name === 'offline-messages' && isIn(node.ns, ns.pie);

/** In a file of one user the host is not said. */
function ownerIn(parents: readonly XmlNode[]): string | undefined {
  const of = (name: string, attribute: string) =>
    attributeOf(
      parents.find((node) => node.name === name && isIn(node.ns, ns.pie)),
      attribute,
    )?.toLowerCase();
  const [user, host] = [of('user', 'name'), of('host', 'jid')];
  return user === undefined || host === undefined ? user : `${user}@${host}`;
}

function resultRow(
  result: XmlNode,
  location: Row['location'],
  owner: string | undefined,
  room: string | undefined,
): Row {
  const forwarded = childOf(result, 'forwarded', ns.forward);
  const stamp = attributeOf(childOf(forwarded, 'delay', ns.delay), 'stamp');
  const message = forwarded?.children.find(
    (child): child is XmlNode => typeof child !== 'string' && child.name !== 'delay',
  );
  const archived = { location, archive: owner ?? '', owner, time: stampTime(stamp), writtenTime: stamp };
  const read = () => message ?? { code: 'xmpp-bad-stanza', reason: 'Expected a message in <forwarded>, found none' };
  const archiveId = attributeOf(result, 'id');
  if (room === undefined) return { ...archived, archiveId, read, written: undefined };
  const facts = { jid: room, nick: undefined, peer: attributeOf(result, 'sender') };
  return { ...archived, archiveId, room: facts, read, written: undefined };
}

/** It has no time but that of its own delay. */
function offlineRow(message: XmlNode, location: Row['location'], owner: string | undefined): Row {
  const [delay, old] = [childOf(message, 'delay', ns.delay), childOf(message, 'x', ns.oldDelay)];
  const stamp = attributeOf(delay, 'stamp') ?? attributeOf(old, 'stamp');
  const archived = { location, archive: `${owner ?? ''} offline`, owner, time: stampTime(stamp), writtenTime: stamp };
  return { ...archived, archiveId: undefined, read: () => message, written: undefined };
}
