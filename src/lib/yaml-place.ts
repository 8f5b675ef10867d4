import { type Document, isMap, isNode, isScalar, type LineCounter } from 'yaml';

/** Finds things of a YAML document again, to say where they stand. */
export interface YamlPlaces {
  /** `my.yaml:12:5` of an offset. */
  at(offset: number): string;
  /** The same of the key at a path, or of the element of a list; where there is none, of its nearest ancestor. */
  of(path: readonly PropertyKey[]): string;
}

/** @param file As the user named it. */
export function yamlPlaces(document: Document, lines: LineCounter, file: string): YamlPlaces {
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  return { at, of: (path) => at(offsetOf(document, path)) };
}

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
