import { UsageError } from '../errors.ts';
import { readPrivateFile } from './private-file.ts';

/** Headers that Chatferry sets itself, or that concern the connection itself. */
const refused = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|if-.*|range|cookie2)$/i;

/**
 * Headers for requests, one `Name: value` a line; they may hold a token, so only their owner may read the file. Names in lower case.
 *
 * @throws UsageError
 */
export function readHeaders(path: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [index, line] of readPrivateFile(path, 'the headers').split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e]+)$/.exec(line);
    // The line is not quoted: it may hold a token.
    if (!match) throw new UsageError(`Cannot use the headers at ${path}:${index + 1}: expected "Name: value"`);
    const [, name, value] = match;
    if (refused.test(name!)) {
      throw new UsageError(
        `Cannot use the headers at ${path}:${index + 1}: "${name}" is for the request itself to set`,
      );
    }
    headers[name!.toLowerCase()] = value!.trim();
  }
  return headers;
}
