import type { LeftOut } from './mapping.ts';
import { commentedOut } from './suggestions.ts';

/** `chatferry.mapping.yaml` → `chatferry.mapping.rest.yaml`. */
export const restPath = (mappingPath: string): string => `${mappingPath.replace(/\.ya?ml$/i, '')}.rest.yaml`;

/** The suggestions that the mapping has no place for, to copy from. As many as there are people: never held as a whole. */
export function* restLines(leftOut: readonly LeftOut[], mappingPath: string): Generator<string> {
  yield `# More of what "${mappingPath.replaceAll(/\s/g, ' ')}" lists, in the same order. Nothing reads this file, and "chatferry init" replaces it:\n`;
  yield '# copy what you need below the key of the same name there, and take the "#" away.\n';
  for (const { path, because, suggestions } of leftOut) {
    yield `\n# ${path.join('.')}: ${because}\n`;
    for (const suggestion of suggestions()) yield `${commentedOut(suggestion).join('\n')}\n`;
  }
}
