import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { redact, redactId, Secret, toSecret } from '../../src/lib/secret.ts';

const value = 'k3y/with+"signs';
const secret = new Secret(value);

describe('Secret', () => {
  it('returns its value on an explicit call', () => {
    expect(secret.reveal()).toBe(value);
  });

  it.each([
    ['joined to text', `${secret}`],
    ['added to text', `${'key: '.concat(String(secret))}`],
    ['as JSON', JSON.stringify({ secret })],
    ['inspected', inspect(secret)],
    ['inspected inside something else', inspect({ options: { secret } }, { depth: 9, showHidden: true })],
    ['formatted', format('%s %o %j', secret, secret, secret)],
    ['in the message of an error', new Error(`failed with ${secret}`).message],
    ['spread', JSON.stringify({ ...secret })],
  ])('is not shown %s', (_, text) => {
    expect(text).not.toContain(value);
    expect(text).not.toContain('k3y');
  });
});

describe('toSecret()', () => {
  it('wraps a text without the blanks around it, and passes a Secret on', () => {
    expect(toSecret(` ${value}\n`)!.reveal()).toBe(value);
    expect(toSecret(secret)).toBe(secret);
  });

  it.each([undefined, '', ' \n'])('takes %j for no key', (key) => {
    expect(toSecret(key)).toBeUndefined();
  });

  it('refuses anything else without showing it', () => {
    const refused = (key: unknown) => () => toSecret(key as string);
    expect(refused({ key: value })).toThrow(new UsageError('apiKey must be a string or a Secret (got: object)'));
    expect(refused(null)).toThrow('(got: null)');
  });
});

describe('redact()', () => {
  it.each([
    ['as it is', `apikey: ${value};`],
    ['URL-encoded', `/path?key=${encodeURIComponent(value)}&x`],
    ['inside JSON', JSON.stringify({ apikey: value })],
    ['in base64', `basic ${Buffer.from(value).toString('base64')}`],
    ['twice', `${value} ${value}`],
  ])('removes a secret %s', (_, text) => {
    const safe = redact(text, [secret]);
    expect(safe).toContain('[redacted]');
    expect(safe).not.toContain('k3y');
  });

  const key = '6f1D0c9b7a+2e/4d5c6b7a8';
  const spelled: [string, string][] = [
    ['in hex', Buffer.from(key).toString('hex')],
    ['in upper-case hex', Buffer.from(key).toString('hex').toUpperCase()],
    ['in other letters', key.toUpperCase()],
    ['backwards', [...key].reverse().join('')],
    ...['', 'a', 'ab'].flatMap((before): [string, string][] => [
      [`in base64 behind "${before}"`, Buffer.from(`${before}${key}`).toString('base64')],
      [`in base64url behind "${before}"`, Buffer.from(`${before}${key}?`).toString('base64url')],
    ]),
  ];
  it.each(spelled)('removes a long secret %s', (_, text) => {
    expect(redact(`before ${text} after`, [new Secret(key)])).toMatch(/^before .{0,4}\[redacted\].{0,4} after$/);
    expect(redactId(`${text}7`, new Secret(key))).toContain('[redacted]');
  });

  it('does not change ids that may contain a short secret by chance', () => {
    expect(redactId('group_12345', new Secret('123'))).toBe('group_12345');
    expect(redact('Wrong key 321', [new Secret('123')])).toBe('Wrong key 321');
  });

  it('leaves other text and an empty secret alone', () => {
    expect(redact('nothing here', [secret, new Secret('')])).toBe('nothing here');
  });
});
