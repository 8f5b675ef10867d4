import type { Document, LineCounter, YAMLError } from 'yaml';
import { yaml } from '../late.ts';

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
    const pair = yaml().isMap(parent)
      ? parent.items.find(({ key }) => yaml().isScalar(key) && key.value === last)
      : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, depth), true);
    if (yaml().isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Fault of a YAML document that cannot be meant as written. */
export interface YamlFault {
  readonly offset: number;
  readonly what: string;
}

/** Words for a fault, by the code of the parser, whose own words need its source to be understood. */
const words: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  ALIAS_PROPS: 'an alias has no tag and no anchor of its own',
  BAD_ALIAS: 'an alias has a name that is none; quote a value that begins with *',
  BAD_COLLECTION_TYPE: 'its tag does not fit the list or the keys behind it',
  BAD_DIRECTIVE: 'a line that begins with % is none that is known',
  BAD_DQ_ESCAPE:
    'the text in double quotes has a backslash before a letter that means nothing; write it twice, or use single quotes',
  BAD_INDENT: 'the line begins further left or right than those that it belongs to',
  BAD_SCALAR_START: 'a value that begins with @, ` or % has to be quoted',
  BLOCK_AS_IMPLICIT_KEY: 'there is a second "key: value" in a line; quote the value, or begin a new line',
  BLOCK_IN_FLOW: 'inside of brackets there is a list or a text of several lines that needs lines of its own',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MISSING_CHAR: 'a bracket, a quotation mark or a colon is missing',
  MULTILINE_IMPLICIT_KEY:
    'a key goes over several lines; the line before it may lack a colon, or a quotation mark its end',
  MULTIPLE_DOCS: 'a line --- begins a second document; there may be one',
  TAB_AS_INDENT: 'the line begins with a tab; use blanks',
  TAG_RESOLVE_FAILED: 'its tag is not known',
  UNEXPECTED_TOKEN: 'this does not belong here',
};

/** The reason for which a document cannot be read. */
export function yamlWords({ message, code }: Error & { readonly code?: YAMLError['code'] }): string {
  if (/call stack/.test(message)) return 'it is nested too deeply';
  if (code === 'UNEXPECTED_TOKEN' && /alias/.test(message)) return 'a value that begins with * has to be quoted';
  if (code === undefined && /alias/i.test(message))
    return 'an alias (*name) has no anchor (&name), or expands to too much';
  return (code && words[code]) ?? 'it is no YAML';
}

/**
 * Returns what keeps the document from being read, the first key that occurs twice in its map, or the first alias inside its own anchor. Parse with `uniqueKeys:
 * false`: the parser compares every key with every other, which takes half a minute for 40,000 of them.
 */
export function yamlFault(document: Document): YamlFault | undefined {
  const [error] = document.errors;
  if (error) return { offset: error.pos[0], what: yamlWords(error) };
  let fault: YamlFault | undefined;
  yaml().visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!yaml().isScalar(key)) continue;
        if (keys.has(key.value))
          fault ??= { offset: key.range?.[0] ?? 0, what: `the key ${JSON.stringify(key.value)} is there twice` };
        keys.add(key.value);
      }
      return fault && yaml().visit.BREAK;
    },
    Alias(_, alias, path) {
      const target = alias.resolve(document);
      if (target === undefined || !path.includes(target)) return undefined;
      fault = {
        offset: alias.range?.[0] ?? 0,
        what: `the alias "*${alias.source}" is inside the node that it refers to`,
      };
      return yaml().visit.BREAK;
    },
  });
  return fault;
}
