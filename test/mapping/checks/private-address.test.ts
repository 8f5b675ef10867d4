import { describe, expect, it } from 'vitest';
import { isPrivateAddress } from '../../../src/mapping/checks/private-address.ts';

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
