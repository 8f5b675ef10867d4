import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { UsageError } from '../lib/errors.ts';

/** A mapping file as YAML, with the places of what stands in it. */
export interface MappingYaml {
  readonly value: unknown;
  /** `my.yaml:12:5` of the key at a path, or of the element of a list; where there is none, of its nearest ancestor. */
  placeOf(path: readonly PropertyKey[]): string;
}

/**
 * Keys are taken as they are written: `01` is not 1.
 *
 * @param path For messages.
 * @throws UsageError
 */
export function readMappingYaml(text: string, path: string): MappingYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const syntax = document.errors[0];
  if (syntax) throw unreadable(place(syntax.pos[0]), syntax.message);
  keepKeysAsWritten(document);
  return { value: readValue(document, place), placeOf: (at) => place(offsetOf(document, at)) };
}

const unreadable = (place: string, message: string) =>
  new UsageError(`Cannot read the mapping at ${place}: ${message.split('\n')[0]}`);

/** YAML reads `12345678901234567890: x` as a number; ids of exports are longer than numbers are exact. */
function keepKeysAsWritten(document: Document): void {
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && typeof key.value !== 'string') key.value = key.source ?? String(key.value);
    },
  });
}

/** @throws UsageError where an alias stands for nothing, or for too much. */
function readValue(document: Document, place: (offset: number) => string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    let alias = 0;
    visit(document, {
      Node(_, node) {
        if (!isAlias(node)) return undefined;
        alias = node.range?.[0] ?? 0;
        return node.resolve(document) ? undefined : visit.BREAK;
      },
    });
    throw unreadable(place(alias), (error as Error).message);
  }
}

/** Where the key at a path stands, or the element of a list; where the path does not exist, its nearest ancestor. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const last = String(path[depth - 1]);
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
