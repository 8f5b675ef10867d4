import { type Document, isScalar, visit } from 'yaml';

/** What a YAML document says that cannot be meant. */
export interface YamlFault {
  readonly offset: number;
  readonly what: string;
}

/**
 * The first key that stands twice in its map, or alias that stands inside of what it stands for. Parse with `uniqueKeys: false`: the
 * parser compares every key with every other, which takes half a minute for 40,000 of them.
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
        what: `the alias "*${alias.source}" stands inside of what it stands for`,
      };
      return visit.BREAK;
    },
  });
  return fault;
}
