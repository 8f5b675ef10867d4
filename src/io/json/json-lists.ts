import { type JsonOptions, withDefaults } from './json-element.ts';
import { type JsonListElement, JsonListScanner } from './json-list-scanner.ts';
import { ToUtf8 } from '../to-utf8.ts';

/**
 * The values of the lists that `pattern` names in a file of any size, in lists, one for a chunk. UTF-8 or UTF-16.
 *
 * Never throws for what is in the file: errors stand in their places among the elements. A fault of `chunks` itself is
 * thrown after everything before it has been yielded.
 *
 * @param pattern Parts of a JSON pointer, `*` for any key or index: none for the file's own array or object.
 */
export async function* readJsonLists(
  chunks: AsyncIterable<Uint8Array>,
  pattern: readonly string[],
  options: JsonOptions = {},
): AsyncGenerator<readonly JsonListElement[]> {
  const text = new ToUtf8();
  let scanner: JsonListScanner | undefined;
  for await (const chunk of chunks) {
    const bytes = text.push(chunk);
    if (bytes.length === 0) continue;
    scanner ??= new JsonListScanner(pattern, withDefaults(options), text.markBytes);
    const elements = scanner.push(bytes);
    if (elements.length > 0) yield elements;
    if (scanner.isDone) return;
  }
  scanner ??= new JsonListScanner(pattern, withDefaults(options), text.markBytes);
  yield [...scanner.push(text.end()), ...scanner.end()];
}
