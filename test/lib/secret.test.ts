import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { redact, Secret } from '../../src/lib/secret.ts';

const value = 'k3y/with+"signs';
const secret = new Secret(value);

describe('Secret', () => {
  it('gives its value to whoever asks for it by name', () => {
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

  it('leaves other text and an empty secret alone', () => {
    expect(redact('nothing here', [secret, new Secret('')])).toBe('nothing here');
  });
});
