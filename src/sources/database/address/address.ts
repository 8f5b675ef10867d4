import { userInfo } from 'node:os';
import { holdsPassword } from '../../../io/input/server-input.ts';
import { UsageError } from '../../../lib/errors.ts';
import { isLoopback } from '../../../lib/loopback.ts';
import { nearestName } from '../../../lib/text/nearest-name.ts';
import { oneLine } from '../../../lib/text/plain-text.ts';

/** Address of a database, and the user who reads it. */
export interface DatabaseAddress {
  readonly system: 'PostgreSQL' | 'MySQL' | 'MariaDB';
  /** A name, an IP address without brackets, or an absolute path: the folder of PostgreSQL's socket, MySQL's socket itself. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Parameters of the URL, by name, that are not in the other fields: `{ sslmode: 'verify-full' }`. Only names that the system knows. */
  readonly parameters: Readonly<Record<string, string>>;
  /** For messages: `postgres://db.example.org:5432/app`. Without user and password. */
  readonly shown: string;
}

/** Differences between one system and the next. */
interface Dialect {
  readonly system: DatabaseAddress['system'];
  readonly scheme: string;
  readonly port: number;
  /** Variables that fill in what the URL lacks. */
  readonly variables: Readonly<Record<Part, readonly string[]>>;
  /** Parameters that fill in or replace a part of the URL. */
  readonly parts: Readonly<Record<string, Part>>;
  readonly parameters: readonly string[];
  /** In which the system's own programs look for a password. */
  readonly passwordVariable: PasswordVariable;
  /** Possible locations of a password, in words. */
  readonly passwordPlaces: string;
}

/** A variable of the environment with the password of a database. */
export type PasswordVariable = 'PGPASSWORD' | 'MYSQL_PWD';

type Part = 'host' | 'port' | 'user' | 'database';

const postgres: Dialect = {
  system: 'PostgreSQL',
  scheme: 'postgres',
  port: 5432,
  variables: { host: ['PGHOST'], port: ['PGPORT'], user: ['PGUSER'], database: ['PGDATABASE'] },
  parts: { host: 'host', port: 'port', user: 'user', dbname: 'database' },
  parameters: ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  passwordVariable: 'PGPASSWORD',
  passwordPlaces: 'the variable PGPASSWORD, ~/.pgpass or a passwordFile',
};

const mysql: Dialect = {
  system: 'MySQL',
  scheme: 'mysql',
  port: 3306,
  variables: { host: ['MYSQL_UNIX_PORT', 'MYSQL_HOST'], port: ['MYSQL_TCP_PORT'], user: [], database: [] },
  parts: { socket: 'host' },
  parameters: ['ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key'],
  passwordVariable: 'MYSQL_PWD',
  passwordPlaces: 'the variable MYSQL_PWD, ~/.my.cnf or a passwordFile',
};

const dialects: Readonly<Record<string, Dialect>> = {
  postgres,
  postgresql: postgres,
  mysql,
  mariadb: { ...mysql, system: 'MariaDB', scheme: 'mariadb' },
};

/** User, host, port, database, parameters. The last @ ends the user: a password that was not encoded may hold one. */
const shape = /^([a-z]+):\/\/(?:([^/?#]*)@)?(\[[^\]]*\]|[^:/?#[\]]*)(?::(\d*))?(?:\/([^/?#]*))?(?:\?([^#]*))?$/i;

/**
 * Parses `postgres://`, `postgresql://`, `mysql://` and `mariadb://`. Parts that the URL leaves out come from the
 * variables that the system's own programs read (`PGHOST`, `MYSQL_TCP_PORT`). Without them the host is `localhost` over
 * TCP, and the user is the one who runs this process.
 *
 * @throws UsageError for a password in the URL (argv, the shell's history and files would hold it), unknown parameters,
 *   no name of a database. No error repeats the URL.
 */
export function parseDatabaseAddress(url: string, env: NodeJS.ProcessEnv): DatabaseAddress {
  const found = shape.exec(url);
  const dialect = findDialect(url);
  refusePassword(url, found?.[2], dialect);
  if (!found) throw unusable(`expected ${dialect.scheme}://USER@HOST:PORT/DATABASE`);
  const [user, host, port, database] = found.slice(2, 6).map((part) => part && decode(part));
  const { parts, parameters } = parseParameters(found[6] ?? '', dialect);
  const partOf = (part: Part, written: string | undefined) =>
    [parts[part], written, ...dialect.variables[part].map((name) => env[name])].find((value) => value);
  const where = {
    host: partOf('host', host?.replace(/^\[(.*)\]$/, '$1')) ?? 'localhost',
    port: parsePort(partOf('port', port) ?? String(dialect.port)),
    database: partOf('database', database) ?? '',
  };
  if (where.host.includes(',')) throw unusable('it names several hosts', 'Name the one to read from');
  if (where.database === '')
    throw unusable('it names no database', `Write it as ${dialect.scheme}://USER@HOST:PORT/DATABASE`);
  return {
    system: dialect.system,
    ...where,
    user: partOf('user', user) ?? ownName(dialect),
    parameters,
    shown: show(dialect, where),
  };
}

/** The variable with the password of a database. @throws UsageError for another scheme */
export const passwordVariableFor = (url: string): PasswordVariable => findDialect(url).passwordVariable;

/** Whether what is sent to it stays on this machine. */
export const isOnThisMachine = ({ host }: DatabaseAddress): boolean => host.startsWith('/') || isLoopback(host);

function findDialect(url: string): Dialect {
  const scheme = /^[a-z]+(?=:\/\/)/i.exec(url)?.[0].toLowerCase() ?? '';
  if (Object.hasOwn(dialects, scheme)) return dialects[scheme]!;
  throw unusable('it begins with none of the schemes that are read', `Known: ${Object.keys(dialects).join(', ')}`);
}

function refusePassword(url: string, user: string | undefined, { passwordPlaces }: Dialect): void {
  if (user?.includes(':') !== true && !holdsPassword(url)) return;
  throw unusable(
    'it holds a password, which process lists, the history of the shell and files would show',
    `Take it out of the URL and put it into ${passwordPlaces}`,
  );
}

function parseParameters(query: string, dialect: Dialect) {
  const parts: Partial<Record<Part, string>> = {};
  const parameters: Record<string, string> = {};
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map(decode);
    const isPart = Object.hasOwn(dialect.parts, name);
    if (!isPart && !dialect.parameters.includes(name)) throw unknownParameter(name, dialect);
    const target: Record<string, string> = isPart ? parts : parameters;
    const key = isPart ? dialect.parts[name]! : name;
    if (Object.hasOwn(target, key)) throw unusable(`it has the parameter "${name}" twice`);
    target[key] = value;
  }
  return { parts, parameters };
}

function unknownParameter(name: string, { parts, parameters }: Dialect): UsageError {
  const known = [...parameters, ...Object.keys(parts)];
  const meant = nearestName(name, known);
  const guess = meant ? `Did you mean "${meant}"? ` : '';
  return unusable(`the parameter "${name}" is not known`, `${guess}Known: ${known.join(', ')}`);
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw unusable('a % in it begins no character', 'Write a % itself as %25');
  }
  if (/\p{Cc}/u.test(decoded)) throw unusable('there is a control character in it');
  return decoded;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw unusable('its port is no number from 1 to 65535');
}

/** As the system's own programs do. */
function ownName({ scheme }: Dialect): string {
  try {
    return userInfo().username;
  } catch {
    throw unusable(
      'it names no user, and the one who runs this has no name',
      `Write it as ${scheme}://USER@HOST/DATABASE`,
    );
  }
}

function show({ scheme, parts }: Dialect, where: Pick<DatabaseAddress, 'host' | 'port' | 'database'>): string {
  const { host, port, database } = where;
  const socket = Object.keys(parts).find((name) => parts[name] === 'host');
  if (host.startsWith('/')) return oneLine(`${scheme}:///${database}?${socket}=${host}`);
  return oneLine(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`);
}

const unusable = (words: string, hint?: string): UsageError =>
  new UsageError(`Cannot use the address of the database: ${words}`, { hint });
