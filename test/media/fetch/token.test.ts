import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { getsToken, readMediaToken, defaultTokenHosts } from '../../../src/media/fetch/token.ts';
import { makeFolder } from './scene.ts';

function tokenFile(text: string, mode = 0o600): string {
  const path = join(makeFolder(), 'token');
  writeFileSync(path, text, { mode });
  return path;
}

describe('readMediaToken()', () => {
  it('takes the token from a file, for the hosts of its source', () => {
    const token = readMediaToken({ token: tokenFile('xoxp-1\n'), tokenHosts: undefined }, ['slack', 'csv']);
    expect(token?.secret.reveal()).toBe('xoxp-1');
    expect(token?.origins).toEqual(defaultTokenHosts('slack').map((host) => `https://${host}`));
    expect(inspect(token) + JSON.stringify(token)).not.toContain('xoxp-1');
  });

  it('takes the hosts that the rules name in their place', () => {
    const rules = { token: tokenFile('xoxp-1'), tokenHosts: ['Files.Example.com', '*.example.org'] };
    expect(readMediaToken(rules, ['slack'])?.origins).toEqual(['https://files.example.com', 'https://*.example.org']);
  });

  it('is nothing without a file', () => {
    expect(readMediaToken({ token: undefined, tokenHosts: ['a.example.com'] }, [])).toBeUndefined();
  });

  it.each<[string, string, undefined]>([
    ['others may read', tokenFile('xoxp-1', 0o644), undefined],
    ['ENOENT', '/nowhere/token', undefined],
    ['is empty', tokenFile(' \n'), undefined],
    ['more than one word', tokenFile('two words'), undefined],
    ['more than one word', tokenFile('a\r\nx-a: b'), undefined],
  ])('refuses a file: %s', (words, token, tokenHosts) => {
    expect(() => readMediaToken({ token, tokenHosts }, ['slack'])).toThrow(words);
  });

  it.each([
    '*',
    '*.com',
    'com',
    'ftp://a.example',
    'https://a.example/',
    'a.example/b',
    'a.example:x',
    '',
    'a b.example',
    '*.*.example.com',
  ])('refuses %j as a host', (host) => {
    const rules = { token: tokenFile('xoxp-1'), tokenHosts: [host] };
    expect(() => readMediaToken(rules, ['slack'])).toThrow('expected a host name');
  });

  it('rejects a token if no hosts are set for it', () => {
    const rules = { token: tokenFile('xoxp-1'), tokenHosts: undefined };
    expect(() => readMediaToken(rules, ['mattermost', 'constructor'])).toThrow('no hosts are set for it');
  });
});

describe('getsToken()', () => {
  const token = readMediaToken(
    {
      token: tokenFile('t'),
      tokenHosts: ['files.example.com', '*.slack.com', 'http://files.lan.test:8080', '*.port.test:444'],
    },
    [],
  )!;

  it.each([
    'https://files.example.com/x',
    'https://files.example.com:443/',
    'https://a.slack.com',
    'https://a.b.slack.com',
    'http://files.lan.test:8080/y',
    'https://a.port.test:444',
  ])('is true for %s', (address) => {
    expect(getsToken(token, new URL(address))).toBe(true);
  });

  it.each([
    'https://example.com',
    'https://a.files.example.com',
    'http://files.example.com',
    'https://files.example.com:8443',
    'https://slack.com',
    'https://evilslack.com',
    'http://a.slack.com',
    'https://a.slack.com:444',
    'https://a.slack.com.evil.com',
    'https://a.slack.com.',
    'https://files.lan.test:8080',
    'http://files.lan.test',
    'https://a.port.test',
  ])('is false for %j', (address) => {
    expect(getsToken(token, new URL(address))).toBe(false);
  });
});
