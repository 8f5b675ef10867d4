import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../../lib/errors.ts';

/** Of our own making, or about the connection itself. */
const refused = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|if-.*|range|cookie2)$/i;

/** Headers for a download, one `Name: value` a line; they may hold a token, so only their owner may read the file. @throws UsageError */
export function readHeaders(path: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [index, line] of readPrivately(path).split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e]+)$/.exec(line);
    // The line is not quoted: it may hold a token.
    if (!match) throw new UsageError(`Cannot use the headers at ${path}:${index + 1}: expected "Name: value"`);
    const [, name, value] = match;
    if (refused.test(name!)) {
      throw new UsageError(
        `Cannot use the headers at ${path}:${index + 1}: "${name}" is for the download itself to set`,
      );
    }
    headers[name!.toLowerCase()] = value!.trim();
  }
  return headers;
}

function readPrivately(path: string): string {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      throw new UsageError(`Cannot read the headers: others may read "${path}"`, { hint: `Run: chmod 600 ${path}` });
    }
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`Cannot read the headers from "${path}": ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}
