import type { EditorNode } from './editor-node.ts';

/** A part of a delta of Quill: a text or one thing, such as a picture; styles of a line are those of the line end behind it. */
interface Insert {
  readonly insert: string | object;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

const isInsert = (value: unknown): value is Insert =>
  typeof value === 'object' &&
  value !== null &&
  'insert' in value &&
  ['string', 'object'].includes(typeof value.insert);

/** A list, a quotation or a block of code goes on over several lines. */
interface Block extends EditorNode {
  readonly type: string;
  readonly children: EditorNode[];
}

/** @returns The lines of a delta as nodes; undefined if it is none. */
export function readDelta(ops: readonly unknown[]): readonly EditorNode[] | undefined {
  if (!ops.every(isInsert) || ops.length === 0) return undefined;
  const blocks: Block[] = [];
  let line: EditorNode[] = [];
  const end = (attributes: Insert['attributes'] = {}) => {
    const { block, type, ...more } = readLine(attributes);
    const inner: EditorNode = { type, ...more, children: line.length > 0 ? line : [{ type: 'break' }] };
    const last = blocks.at(-1);
    if (block !== '' && last?.type === block) last.children.push(inner);
    else blocks.push(block === '' ? (inner as Block) : { type: block, children: [inner] });
    line = [];
  };
  for (const { insert, attributes } of ops as readonly Insert[]) {
    if (typeof insert !== 'string') {
      line.push(...Object.entries(insert ?? {}).map(([type, value]) => readThing(type, value)));
      continue;
    }
    const marks = Object.entries(attributes ?? {}).flatMap(([type, value]) => (value ? [{ type, href: value }] : []));
    for (const [index, text] of insert.split('\n').entries()) {
      if (index > 0) end(attributes);
      if (text !== '') line.push({ text, marks });
    }
  }
  if (line.length > 0) end();
  return blocks;
}

const readThing = (type: string, value: unknown): EditorNode =>
  typeof value === 'object' ? { type, data: value } : { type, data: { src: value, value } };

/** The block around a line, and what the line is in it. */
function readLine({ header, list, blockquote, 'code-block': code }: NonNullable<Insert['attributes']>) {
  if (code) return { block: 'pre', type: 'line' };
  if (blockquote) return { block: 'blockquote', type: 'line' };
  if (typeof header === 'number') return { block: '', type: `h${header}` };
  if (typeof list !== 'string') return { block: '', type: 'line' };
  const checked = list === 'checked' ? true : list === 'unchecked' ? false : undefined;
  return { block: list === 'ordered' ? 'ol' : 'ul', type: 'li', ...(checked !== undefined && { data: { checked } }) };
}
