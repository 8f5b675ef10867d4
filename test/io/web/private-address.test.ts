import { describe, expect, it } from 'vitest';
import { isPrivateAddress, isSpecialIp } from '../../../src/io/web/private-address.ts';

describe('isSpecialIp()', () => {
  it.each([
    ...['::127.0.0.1', '::ffff:127.0.0.1', '::ffff:0:7f00:1', '::ffff:0:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
    ...['fec0::1', 'feff::1', '192.88.99.1', '3fff::1', '3fff:fff::1', '5f00::1', '2001:1ff::1', '100:0:0:1::1'],
  ])('knows %s', (ip) => expect(isSpecialIp(ip)).toBe(true));

  it.each([
    '192.88.98.1',
    '192.88.100.1',
    '2606:4700::1',
    '2001:4860:4860::8888',
    '2a00:1450::1',
    '4000::1',
    '5f01::1',
  ])('leaves %s alone', (ip) => expect(isSpecialIp(ip)).toBe(false));
});

describe('isPrivateAddress()', () => {
  it.each([
    'https://127.0.0.1/a',
    'https:///127.0.0.1/a',
    'https://\t/127.0.0.1/a',
    'https:\\\\127.0.0.1\\a',
    'https://example.com@127.0.0.1/a',
    'https://0x7f.1/',
    'https://127.0.0.1?a',
    'https://127.0.0.1:8443/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://files.local/a',
    'https://LOCALHOST/',
  ])('knows %j by its host, however it is spelled', (url) => {
    expect([isPrivateAddress(url), isPrivateAddress(url)]).toEqual([true, true]);
  });

  it.each([
    'https://example.com/127.0.0.1',
    'https://example.com?@127.0.0.1',
    'https://127.0.0.1.example.com/',
    'nowhere',
  ])('leaves %j alone', (url) => {
    expect([isPrivateAddress(url), isPrivateAddress(url)]).toEqual([false, false]);
  });

  it('answers the same after more hosts than it remembers', () => {
    for (let host = 0; host < 2500; host++) {
      expect(isPrivateAddress(`https://h${host}.example.com/`)).toBe(false);
      expect(isPrivateAddress(`https://10.0.${host % 250}.1/`)).toBe(true);
    }
  });
});
