import { describe, expect, it } from 'vitest';
import type { PlannedAttachment } from '../../../src/store/problems.ts';
import { chooseAddresses } from '../../../src/plan/check-media.ts';

const at = (url: string): PlannedAttachment => ({ name: 'a', url, mimeType: '', file: 1, place: 'x' });
const many = (host: string, count: number) =>
  Array.from({ length: count }, (_, index) => at(`https://${host}/${index}`));
const size = { perHostMax: 20, totalMax: 200 };
const hostOf = ({ url }: PlannedAttachment) => new URL(url).host;

describe('chooseAddresses()', () => {
  it('takes at most 20 of a host, each once', () => {
    const chosen = chooseAddresses([...many('a.example', 100), ...many('a.example', 100)], ['a.example'], size);
    expect(new Set(chosen.map(({ url }) => url)).size).toBe(20);
    expect(chosen.length).toBe(20);
  });

  it('takes the same ones in whatever order they come, and not the first ones', () => {
    const all = many('a.example', 100);
    const urls = (attachments: PlannedAttachment[]) =>
      chooseAddresses(attachments, ['a.example'], size).map(({ url }) => url);
    expect(urls(all.toReversed())).toEqual(urls(all));
    expect(urls(all)).not.toEqual(all.slice(0, 20).map(({ url }) => url));
  });

  it('takes one address of each host in turn if there are too many', () => {
    const hosts = Array.from({ length: 150 }, (_, index) => `h${index}.example`);
    const chosen = chooseAddresses(
      hosts.flatMap((host) => many(host, 5)),
      hosts,
      size,
    );
    expect(chosen.length).toBe(200);
    expect(chosen.slice(0, 150).map(hostOf)).toEqual(hosts);
    expect(chosen.slice(150).map(hostOf)).toEqual(hosts.slice(0, 50));
  });

  it('leaves out other hosts and invalid addresses', () => {
    expect(chooseAddresses([...many('b.example', 3), at('nowhere')], ['a.example'], size)).toEqual([]);
  });
});
