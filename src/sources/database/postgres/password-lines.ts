import type { DatabaseAddress } from '../address/address.ts';

/**
 * The password that a file in the format of `~/.pgpass` has for a connection: of the first line that fits.
 *
 *     # host:port:database:user:password
 *     db.example.org:5432:*:reader:two\:words
 *
 * https://www.postgresql.org/docs/current/libpq-pgpass.html, 2026-11: `*` alone fits anything, `\` makes the next character an ordinary one,
 * `localhost` also stands for the usual socket.
 */
export function passwordInLines(text: string, address: DatabaseAddress): string | undefined {
  const host = usualSockets.has(address.host) ? 'localhost' : address.host;
  const wanted = [[host, address.host], [String(address.port)], [address.database], [address.user]];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const found = lineShape.exec(line);
    const fits = found && wanted.every((values, at) => fitsField(found[at + 1]!, values));
    if (fits) return unescaped(found[5]!);
  }
  return undefined;
}

/** Default socket folders of upstream PostgreSQL and of Debian's packages. */
const usualSockets: ReadonlySet<string> = new Set(['/var/run/postgresql', '/run/postgresql', '/tmp']);

/** Four fields, then everything after the fourth colon. */
const lineShape = /^((?:[^:\\]|\\.)*):((?:[^:\\]|\\.)*):((?:[^:\\]|\\.)*):((?:[^:\\]|\\.)*):(.*)$/s;

const fitsField = (field: string, values: readonly string[]): boolean =>
  field === '*' || values.includes(unescaped(field));

const unescaped = (text: string): string => text.replace(/\\(.)/gs, '$1');
