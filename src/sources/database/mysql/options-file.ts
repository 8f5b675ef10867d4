/** Options of a file that Chatferry uses; by name, with `-` between words. */
export type FileOptions = Readonly<Record<string, string>>;

const groups: ReadonlySet<string> = new Set(['client', 'mysql']);
const names: ReadonlySet<string> = new Set([
  'user',
  'password',
  'host',
  'socket',
  'ssl-mode',
  'ssl-ca',
  'ssl-cert',
  'ssl-key',
]);

/**
 * The options for clients that a file in the format of `~/.my.cnf` has; of one that is there twice, the last.
 *
 *     [client]
 *     user = reader
 *     password = "two # words"   # a comment
 *
 * https://dev.mysql.com/doc/refman/8.4/en/option-files.html, 2026-11: dashes and underscores are the same, `\s` is a space. Files that it
 * includes are not read.
 */
export function parseOptionsFile(text: string): FileOptions {
  const found: Record<string, string> = {};
  let group = '';
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line);
    if (header) group = header[1]!.trim();
    const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    const key = name?.replaceAll('_', '-') ?? '';
    if (groups.has(group) && names.has(key)) found[key] = readValue(value!);
  }
  return found;
}

/** In quotes of either kind, or up to a comment. */
function readValue(text: string): string {
  const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(text);
  const value = quoted ? quoted[2]! : text.replace(/\s#.*$/, '').trimEnd();
  return value.replace(/\\([btnrs\\"'])/g, (_, letter: string) => escapes[letter] ?? letter);
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', r: '\r', s: ' ' };
