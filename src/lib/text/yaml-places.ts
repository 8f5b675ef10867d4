import { type Document, isMap, isNode, isScalar, type LineCounter, visit } from 'yaml';

/** Positions of parts of a YAML document. */
export interface YamlPlaces {
  /** `my.yaml:12:5` of an offset. */
  at(offset: number): string;
  /** Returns the same for the key at a path, or for the element of a list; if there is none, for its nearest ancestor. */
  of(path: readonly PropertyKey[]): string;
}

/** @param file As the user named it. */
export function yamlPlaces(document: Document, lines: LineCounter, file: string): YamlPlaces {
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  return { at, of: (path) => at(findOffset(document, path)) };
}

function findOffset(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const last = String(path[depth - 1]);
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Fault of a YAML document that cannot be meant as written. */
export interface YamlFault {
  readonly offset: number;
  readonly what: string;
}

/**
 * Returns the first key that occurs twice in its map, or the first alias inside its own anchor. Parse with `uniqueKeys:
 * false`: the parser compares every key with every other, which takes half a minute for 40,000 of them.
 */
export function yamlFault(document: Document): YamlFault | undefined {
  let fault: YamlFault | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) fault ??= { offset: key.range?.[0] ?? 0, what: 'Map keys must be unique' };
        keys.add(key.value);
      }
      return fault && visit.BREAK;
    },
    Alias(_, alias, path) {
      const target = alias.resolve(document);
      if (target === undefined || !path.includes(target)) return undefined;
      fault = {
        offset: alias.range?.[0] ?? 0,
        what: `the alias "*${alias.source}" is inside the node that it refers to`,
      };
      return visit.BREAK;
    },
  });
  return fault;
}
