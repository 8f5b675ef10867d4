import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../../../src/sources/database/address/address.ts';
import { findPassword, refuseVariables } from '../../../src/sources/database/postgres/credentials.ts';
import { postgresEncryption } from '../../../src/sources/database/postgres/encryption.ts';
import { passwordInLines } from '../../../src/sources/database/postgres/password-lines.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const addressOf = (url: string) => parseDatabaseAddress(url, {});
const address = addressOf('postgres://reader@db.example.org/app');

describe('passwordInLines()', () => {
  it.each([
    ['the line that fits', 'other:5432:app:reader:no\ndb.example.org:5432:app:reader:yes', 'yes'],
    ['the first of two', '*:*:*:*:first\ndb.example.org:5432:app:reader:second', 'first'],
    ['a line with wildcards', 'db.example.org:*:*:reader:yes', 'yes'],
    ['nothing for another port', 'db.example.org:5433:*:*:no', undefined],
    ['nothing for another user', '*:*:*:somebody:no', undefined],
    ['nothing for a part of a name', '*.example.org:*:*:*:no', undefined],
    ['an escaped * for nothing but a *', '\\*:*:*:*:no', undefined],
    ['a password with escapes', '*:*:*:*:a\\:b\\\\c\\d', 'a:b\\cd'],
    ['a password with colons', '*:*:*:*:a:b', 'a:b'],
    ['a password with spaces at its end', '*:*:*:*: a \r\n', ' a '],
    ['nothing in a comment', '#*:*:*:*:no', undefined],
    ['nothing in a line that is too short', '*:*:*:no', undefined],
    ['nothing in an empty file', '', undefined],
  ])('finds %s', (_, text, password) => {
    expect(passwordInLines(text, address)).toBe(password);
  });

  it('compares names as they are once escapes are gone', () => {
    const strange = addressOf('postgres://a%3Ab%5C@[::1]:1/app');
    expect(passwordInLines('\\:\\:1:1:app:a\\:b\\\\:yes', strange)).toBe('yes');
  });

  it('takes localhost for the usual socket, and for no other', () => {
    const lines = 'localhost:*:*:*:yes';
    expect(passwordInLines(lines, addressOf('postgres://me@/app?host=/var/run/postgresql'))).toBe('yes');
    expect(passwordInLines(lines, addressOf('postgres://me@/app?host=/srv/socket'))).toBeUndefined();
    expect(passwordInLines('/srv/socket:*:*:*:yes', addressOf('postgres://me@/app?host=/srv/socket'))).toBe('yes');
  });

  it('takes no time for a hostile line', () => {
    expect(passwordInLines('\\:'.repeat(200_000), address)).toBeUndefined();
  });
});

describe('findPassword()', () => {
  function homeWith(text: string, mode = 0o600): string {
    const folder = home.make();
    writeFileSync(join(folder, '.pgpass'), text, { mode });
    return folder;
  }

  it('prefers the file that is named, then the variable, then .pgpass', () => {
    const folder = homeWith('*:*:*:*:third');
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, 'first\n', { mode: 0o600 });
    const found = (places: object) => findPassword(address, { env: {}, home: folder, ...places });
    expect(found({ passwordFile, env: { PGPASSWORD: 'second' } }).password?.reveal()).toBe('first');
    expect(found({ env: { PGPASSWORD: 'second' } }).password?.reveal()).toBe('second');
    expect(found({}).password?.reveal()).toBe('third');
    expect(found({ env: { PGPASSFILE: passwordFile } }).password).toBeUndefined();
    expect(JSON.stringify(found({}))).not.toContain('third');
  });

  it('reports where it looked if there is none', () => {
    const folder = home.make();
    expect(findPassword(address, { env: {}, home: folder })).toEqual({ place: `"${join(folder, '.pgpass')}"` });
  });

  it.skipIf(process.platform === 'win32')('refuses a file that others may read, with the command that helps', () => {
    const folder = homeWith('*:*:*:*:secret');
    chmodSync(join(folder, '.pgpass'), 0o640);
    expect(() => findPassword(address, { env: {}, home: folder })).toThrow(
      expect.objectContaining({ hint: `Run: chmod 600 ${join(folder, '.pgpass')}` }),
    );
  });
});

describe('postgresEncryption()', () => {
  const places = { env: {}, home: home.path };
  const tlsOf = (url: string, env: NodeJS.ProcessEnv = {}) =>
    postgresEncryption(addressOf(url), { ...places, env }).tls;

  it.each([
    ['', { rejectUnauthorized: true }],
    ['verify-full', { rejectUnauthorized: true }],
    ['require', { rejectUnauthorized: true }],
    ['prefer', { rejectUnauthorized: true }],
    ['no-verify', { rejectUnauthorized: false }],
    ['disable', false],
  ])('takes sslmode=%s for %j', (mode, tls) => {
    expect(tlsOf(`postgres://me@db/app?sslmode=${mode}`)).toEqual(tls);
    expect(tlsOf('postgres://me@db/app', { PGSSLMODE: mode })).toEqual(tls);
  });

  it('encrypts nothing on this machine unless it is asked to', () => {
    expect(tlsOf('postgres://me@localhost/app')).toBe(false);
    expect(tlsOf('postgres://me@localhost/app?sslmode=prefer')).toBe(false);
    expect(tlsOf('postgres://me@localhost/app?sslmode=require')).toEqual({ rejectUnauthorized: true });
    expect(tlsOf('postgres:///app?host=/run/pg&sslmode=require')).toBe(false);
  });

  it('refuses a mode that it does not know', () => {
    expect(() => tlsOf('postgres://me@db/app?sslmode=verify')).toThrow('Cannot use "verify" as sslmode');
    expect(() => tlsOf('postgres://me@db/app?sslmode=constructor')).toThrow('Cannot use "constructor"');
  });

  it('finds certificates where libpq does, and fails if a named one cannot be read', () => {
    const folder = home.make();
    mkdirSync(join(folder, '.postgresql'));
    writeFileSync(join(folder, '.postgresql', 'root.crt'), 'authority');
    const { tls } = postgresEncryption(address, { env: {}, home: folder });
    expect(tls).toEqual({ rejectUnauthorized: true, ca: 'authority' });
    expect(tlsOf('postgres://me@db/app?sslrootcert=system')).toEqual({ rejectUnauthorized: true });
    expect(() => tlsOf('postgres://me@db/app', { PGSSLROOTCERT: '/nowhere.crt' })).toThrow(
      'Cannot read the certificate',
    );
  });
});

describe('refuseVariables()', () => {
  it.each(['PGOPTIONS', 'PGSERVICE', 'PGHOSTADDR'])('refuses %s, which would change where or how is read', (name) => {
    expect(() => refuseVariables({ [name]: 'x' })).toThrow(`with ${name} set`);
    expect(() => refuseVariables({ [name]: '' })).not.toThrow();
  });
});
