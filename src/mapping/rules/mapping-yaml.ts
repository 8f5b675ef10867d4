import { type Document, isAlias, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { UsageError } from '../../lib/errors.ts';
import { yamlPlaces } from '../../lib/yaml-place.ts';

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
  const places = yamlPlaces(document, lines, path);
  const syntax = document.errors[0];
  if (syntax) throw unreadable(places.at(syntax.pos[0]), syntax.message);
  keepKeysAsWritten(document);
  return { value: readValue(document, places.at), placeOf: places.of };
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
