import anyAscii from 'any-ascii';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosenId } from '../../../src/mapping/ids.ts';
import { serviceId } from '../../../src/mapping/service-id.ts';
import { sha256Hex } from '../../../src/lib/hash.ts';
import { idPattern } from '../../../src/service/profiles.ts';
import { anyText } from '../../arbitrary-text.ts';

const goodIds = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789_-'),
  minLength: 1,
  maxLength: 100,
});

describe('serviceId()', () => {
  it.each([
    ['U024BE7LH', 'u024be7lh'],
    ['ann.lee@example.com', 'ann-lee-example-com-w7qnqnzk'],
    ['Łukasz', 'lukasz'],
    ['Küche', 'kuche'],
    ['Ku\u0308che', 'kuche'],
    ['Straße', 'strasse'],
    ['Ольга', 'olga'],
    ['Δημήτρης', 'dimitris'],
    ['Trần', 'tran'],
    ['日本', 'riben-z4vl6dc3'],
    ['张伟', 'zhangwei-uoqlv7il'],
    ['محمد', 'mhmd-bs2mtmqq'],
    ['😀🎉', 'grinning-tada-65si5h26'],
    ['\ue000', '-2o77f5dn'],
  ])('makes of %j %j', (id, made) => {
    expect(serviceId(id)).toBe(made);
  });

  it.each([
    ['Łukasz', '-ukasz-yv5u6owe'],
    ['日本', '--z4vl6dc3'],
    ['ann.lee@example.com', 'ann-lee-example-com-w7qnqnzk'],
  ])('replaces non-ASCII characters if asked to: %j becomes %j', (id, made) => {
    expect(serviceId(id, 'replace')).toBe(made);
  });

  it('writes characters as stores have them: where this fails, their people would get other uids', () => {
    const all = Array.from({ length: 0x20000 }, (_, code) => anyAscii(String.fromCodePoint(code)));
    expect(sha256Hex(all.join('\n'))).toBe('c468d21c1e718d3a30f06a923017b40113416c1f0137e9879916627e90101e33');
  });

  it('makes an id that the service takes, of any text', () => {
    fc.assert(fc.property(anyText, (id) => idPattern.test(serviceId(id))));
    fc.assert(fc.property(fc.string({ minLength: 90, maxLength: 300 }), (id) => idPattern.test(serviceId(id))));
  });

  it('leaves a good id as it is', () => {
    fc.assert(fc.property(goodIds, (id) => serviceId(id) === id));
  });

  it('makes different ids of different ones, except where only upper and lower case differ', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        fc.pre(a.toLowerCase() !== b.toLowerCase() && a.toWellFormed() !== b.toWellFormed());
        expect(serviceId(a, 'replace')).not.toBe(serviceId(b, 'replace'));
      }),
    );
  });

  it('maps different ids to the same one only if they are Latin, Greek or Cyrillic', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aäáöлλ李里カ😀 ١') });
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        fc.pre(a !== b && /[李里カ😀 ١]/u.test(a));
        expect(serviceId(a)).not.toBe(serviceId(b));
      }),
    );
  });

  it('returns the same for ASCII, regardless of the mode for other letters', () => {
    fc.assert(fc.property(fc.string({ maxLength: 150 }), (id) => serviceId(id) === serviceId(id, 'replace')));
  });

  it('distinguishes ids that become the same when they are shortened or replaced', () => {
    const long = 'x'.repeat(120);
    const ids = [`${long}1`, `${long}2`, 'a b', 'a.b', 'a  b', 'a-b', 'ä', 'ö', '李', '里', ''];
    expect(new Set(ids.map((id) => serviceId(id))).size).toBe(ids.length);
  });
});

describe('chosenId()', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'finds no chosen id for a person called %j',
    (id) => {
      expect(chosenId({}, id)).toBeUndefined();
    },
  );

  it('finds a chosen id', () => {
    expect(chosenId({ constructor: 'ann' }, 'constructor')).toBe('ann');
  });
});
