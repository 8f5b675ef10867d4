import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/lib/errors.ts';
import { isOnThisMachine, parseDatabaseAddress } from '../../../src/sources/database/address/address.ts';
import { encryptionProblems, tlsOptions, usualEncryption } from '../../../src/sources/database/address/encryption.ts';
import { connectionFault, DatabaseUnreachable } from '../../../src/sources/database/address/unreachable.ts';

function refusal(url: string, env: NodeJS.ProcessEnv = {}): string {
  try {
    parseDatabaseAddress(url, env);
  } catch (error) {
    if (error instanceof UsageError) return `${error.message}; ${error.hint}`;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseDatabaseAddress()', () => {
  it.each([
    ['postgres://me@db.example.org:6432/app', 'PostgreSQL', 'db.example.org', 6432, 'me', 'app'],
    ['postgresql://me@db.example.org/app', 'PostgreSQL', 'db.example.org', 5432, 'me', 'app'],
    ['POSTGRES://me@DB/app', 'PostgreSQL', 'DB', 5432, 'me', 'app'],
    ['mysql://me@db/app', 'MySQL', 'db', 3306, 'me', 'app'],
    ['mariadb://me@db/app', 'MariaDB', 'db', 3306, 'me', 'app'],
    ['postgres://me@[::1]:5433/app', 'PostgreSQL', '::1', 5433, 'me', 'app'],
    ['postgres://me%40corp@db/my%20app%3F', 'PostgreSQL', 'db', 5432, 'me@corp', 'my app?'],
    ['postgres://me@corp@db/app', 'PostgreSQL', 'db', 5432, 'me@corp', 'app'],
    ['postgres:///app?host=/var/run/postgresql&user=me', 'PostgreSQL', '/var/run/postgresql', 5432, 'me', 'app'],
    ['postgres://me@%2Frun%2Fpg/app', 'PostgreSQL', '/run/pg', 5432, 'me', 'app'],
    ['postgres://me@?dbname=app&port=1', 'PostgreSQL', 'localhost', 1, 'me', 'app'],
    ['mysql://me@localhost/app?socket=/run/mysqld.sock', 'MySQL', '/run/mysqld.sock', 3306, 'me', 'app'],
  ])('reads %s', (url, system, host, port, user, database) => {
    expect(parseDatabaseAddress(url, {})).toMatchObject({ system, host, port, user, database, parameters: {} });
  });

  it('takes only the missing parts of the URL from the environment', () => {
    const env = { PGHOST: 'other', PGPORT: '7', PGUSER: 'reader', PGDATABASE: 'chat', MYSQL_TCP_PORT: '8' };
    expect(parseDatabaseAddress('postgres://', env)).toMatchObject({
      host: 'other',
      port: 7,
      user: 'reader',
      database: 'chat',
    });
    expect(parseDatabaseAddress('postgres://me@db:1/app', env)).toMatchObject({
      host: 'db',
      port: 1,
      user: 'me',
      database: 'app',
    });
    expect(parseDatabaseAddress('mysql://me@db/app', env)).toMatchObject({ host: 'db', port: 8 });
    expect(parseDatabaseAddress('postgres://db/app', {}).user).toBe(userInfo().username);
  });

  it('keeps other parameters for the driver', () => {
    const { parameters } = parseDatabaseAddress(
      'postgres://me@db/app?sslmode=verify-full&sslrootcert=%2Fetc%2Fca%26.pem',
      {},
    );
    expect(parameters).toEqual({ sslmode: 'verify-full', sslrootcert: '/etc/ca&.pem' });
  });

  it.each([
    ['postgres://me@db/app', 'postgres://db:5432/app'],
    ['postgresql://me@[fe80::1]:1/app?sslmode=disable', 'postgres://[fe80::1]:1/app'],
    ['postgres:///app?host=/run/pg', 'postgres:///app?host=/run/pg'],
    ['mysql://me@db/app?socket=/run/m.sock', 'mysql:///app?socket=/run/m.sock'],
    ['postgres://me@db/a%E2%80%AEpp', 'postgres://db:5432/app'],
  ])('shows %s as %s', (url, shown) => {
    expect(parseDatabaseAddress(url, {}).shown).toBe(shown);
  });

  it.each([
    'postgres://me:hunter2@db/app',
    'postgres://me:hun/ter2@db/app',
    'postgres://me:1/hunter2@db',
    'postgres://me:1?hunter2@db/app',
    'postgres://me:hun#ter2@db/app',
    'postgres://me:hun@ter2@db/app',
    'postgres://me:hun%zzter2@db/app',
    'postgres://me@db/app?password=hunter2',
    'mysql://me:hunter2@db/app',
  ])('refuses a password, and does not repeat it: %s', (url) => {
    const words = refusal(url);
    expect(words).toContain('it holds a password');
    expect(words).toContain(url.startsWith('mysql') ? 'MYSQL_PWD' : 'PGPASSWORD');
    expect(words).not.toMatch(/hun|ter2/);
  });

  it.each([
    ['postgres://me@db', 'names no database'],
    ['postgres://me@db/', 'names no database'],
    ['postgres://me@a,b/app', 'several hosts'],
    ['postgres://me@a:1,b:2/app', 'expected postgres://USER@HOST:PORT/DATABASE'],
    ['postgres://me@db:70000/app', 'no number from 1 to 65535'],
    ['postgres://me@db/app/more', 'expected postgres://'],
    [
      'postgres://me@db/app?ssl-mode=REQUIRED',
      'the parameter "ssl-mode" is not known; Did you mean "sslmode"? Known: sslmode',
    ],
    ['mysql://me@db/app?sslmode=require', 'Did you mean "ssl-mode"?'],
    ['postgres://me@db/app?sslmode=disable&sslmode=require', '"sslmode" twice'],
    ['postgres://me@db/app?constructor=1', 'the parameter "constructor" is not known'],
    ['postgres://me@db/%00', 'a control character'],
    ['postgres://me@db/%zz', 'a % in it'],
    ['mongodb://db/app', 'Known: postgres, postgresql, mysql, mariadb'],
    ['constructor://db/app', 'Known: postgres'],
    ['app.sqlite', 'Known: postgres'],
  ])('refuses %s: %s', (url, words) => {
    expect(refusal(url)).toContain(words);
  });
});

describe('the encryption of a connection', () => {
  const at = (host: string) => parseDatabaseAddress(`postgres://me@${host}/app`, {});

  it.each([
    ['localhost', 'none'],
    ['127.0.0.1', 'none'],
    ['[::1]', 'none'],
    ['%2Frun%2Fpg', 'none'],
    ['db.example.org', 'full'],
    ['10.0.0.7', 'full'],
    ['localhost.example.org', 'full'],
  ])('to %s is usually %s', (host, encryption) => {
    expect(usualEncryption(at(host))).toBe(encryption);
    expect(isOnThisMachine(at(host))).toBe(encryption === 'none');
  });

  it('reports the protection it gives up, except on this machine', () => {
    const codes = (['none', 'unverified', 'authority', 'full'] as const).map((encryption) =>
      encryptionProblems(encryption, at('db'), 'sslmode=verify-full').map(({ code }) => code),
    );
    expect(codes).toEqual([['database-not-encrypted'], ['database-not-verified'], ['database-not-verified'], []]);
    expect(encryptionProblems('none', at('localhost'), 'sslmode=verify-full')).toEqual([]);
  });

  it('is checked unless it is said to be unverified', () => {
    expect(tlsOptions('none', {})).toBe(false);
    expect(tlsOptions('unverified', {})).toEqual({ rejectUnauthorized: false });
    expect(tlsOptions('full', {})).toEqual({ rejectUnauthorized: true });
    expect(() => tlsOptions('full', { authority: '/nowhere/ca.pem' })).toThrow('Cannot read the certificate');
  });
});

describe('connectionFault()', () => {
  const address = parseDatabaseAddress('postgres://me@db/app', {});
  const faultOf = (code: string) =>
    connectionFault(Object.assign(new Error('words'), { code }), address, 'sslrootcert');

  it.each([
    ['ECONNREFUSED', 'Cannot reach postgres://db:5432/app: no server listens there'],
    ['ENOTFOUND', 'Cannot reach postgres://db:5432/app: no host has this name'],
    ['ECONNRESET', 'Lost the connection to postgres://db:5432/app'],
  ])('says that another try may help after %s', (code, message) => {
    expect(faultOf(code)).toBeInstanceOf(DatabaseUnreachable);
    expect(faultOf(code)?.message).toBe(message);
  });

  it('names the parameter that sets the authority, and leaves faults outside the network to others', () => {
    expect(faultOf('DEPTH_ZERO_SELF_SIGNED_CERT')?.hint).toContain('?sslrootcert=ca.pem');
    expect(faultOf('ERR_TLS_CERT_ALTNAME_INVALID')?.hint).toContain('the name of the host');
    expect(faultOf('42501')).toBeUndefined();
    const both = new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]);
    expect(connectionFault(both, address, 'sslrootcert')).toBeInstanceOf(DatabaseUnreachable);
  });
});
