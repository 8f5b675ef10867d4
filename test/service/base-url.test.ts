import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { normaliseBaseUrl } from '../../src/service/profiles.ts';

describe('normaliseBaseUrl()', () => {
  it.each([
    ['https://chat.example.com', 'https://chat.example.com'],
    ['https://Chat.Example.COM/', 'https://chat.example.com'],
    ['https://chat.example.com:443/v3', 'https://chat.example.com'],
    ['https://chat.example.com/v3/', 'https://chat.example.com'],
    ['HTTPS://chat.example.com//v3//', 'https://chat.example.com'],
    ['https://chat.example.com:8443/proxy/v3', 'https://chat.example.com:8443/proxy'],
    ['https://chat.example.com/proxy/', 'https://chat.example.com/proxy'],
    ['https://chat.example.com/v33', 'https://chat.example.com/v33'],
    ['http://localhost:4310/v3', 'http://localhost:4310'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
    ['http://0x7f.1:4310', 'http://127.0.0.1:4310'],
    ['http://[::1]:4310', 'http://[::1]:4310'],
  ])('makes %s to %s', (url, normalised) => {
    expect(normaliseBaseUrl(url)).toBe(normalised);
    expect(normaliseBaseUrl(normalised)).toBe(normalised);
  });

  it.each([
    ['chat.example.com', 'not an address'],
    ['', 'not an address'],
    ['ftp://chat.example.com', 'not https'],
    ['http://chat.example.com', 'unprotected'],
    ['http://127.0.0.1.example.com', 'unprotected'],
    ['http://192.168.1.1', 'unprotected'],
    ['http://localhost.example.com', 'unprotected'],
    ['https://chat.example.com/v3?x=1', 'query'],
    ['https://chat.example.com/#top', 'fragment'],
  ])('refuses %s', (url, reason) => {
    expect(() => normaliseBaseUrl(url)).toThrow(UsageError);
    expect(() => normaliseBaseUrl(url)).toThrow(reason);
  });

  it('refuses credentials without repeating them', () => {
    const attempt = () => normaliseBaseUrl('https://ann:hunter2@chat.example.com');
    expect(attempt).toThrow('credentials');
    expect(attempt).not.toThrow('hunter2');
  });
});
