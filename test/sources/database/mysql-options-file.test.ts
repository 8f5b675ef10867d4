import { describe, expect, it } from 'vitest';
import { parseOptionsFile } from '../../../src/sources/database/mysql/options-file.ts';

describe('parseOptionsFile()', () => {
  it('takes client options, from either group, and the last of two', () => {
    const text = `
# a comment
user = nobody
[mysqld]
user = mysql
password = servers
[client]
user=reader
; another
password = "two # words" # not of it
ssl_mode=VERIFY_CA
loose-whatever = 1
skip-auto-rehash
[mysql]
  ssl-ca = /etc/my ca.pem   # behind a space
password = 'late''r'
[mysqldump]
password = other`;
    expect(parseOptionsFile(text.replaceAll('\n', '\r\n'))).toEqual({
      user: 'reader',
      password: "late''r",
      'ssl-mode': 'VERIFY_CA',
      'ssl-ca': '/etc/my ca.pem',
    });
  });

  it.each([
    ['a#b', 'a#b'],
    ['"a #b"', 'a #b'],
    ["'a'", 'a'],
    ['"a', '"a'],
    ['a\\sb\\tc\\\\d', 'a b\tc\\d'],
    ['a=b', 'a=b'],
    ['C:\\ferry', 'C:\\ferry'],
    ['', ''],
    ['héllo', 'héllo'],
  ])('reads the value %s', (written, value) => {
    expect(parseOptionsFile(`[client]\npassword = ${written}`)).toEqual({ password: value });
  });

  it('is not led astray by names that objects have, or by long lines', () => {
    const long = `[client]\npassword=${' '.repeat(100_000)}x${' '.repeat(100_000)}#`;
    expect(parseOptionsFile(`${long}\n__proto__=1\nconstructor=2`)).toEqual({ password: `x` });
  });
});
