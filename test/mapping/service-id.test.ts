import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosenId, serviceId } from '../../src/mapping/muid.ts';
import { idPattern } from '../../src/service/limits.ts';
import { anyText } from '../arbitrary-text.ts';

const goodIds = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789_-'),
  minLength: 1,
  maxLength: 100,
});

describe('serviceId()', () => {
  it.each([
    ['U024BE7LH', 'u024be7lh'],
    ['ann.lee@example.com', 'ann-lee-example-com-w7qnqnzk'],
    ['日本', '--z4vl6dc3'],
  ])('makes of %j %j, as docs/mapping.md says', (id, made) => {
    expect(serviceId(id)).toBe(made);
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
        expect(serviceId(a)).not.toBe(serviceId(b));
      }),
    );
  });

  it('tells apart what becomes the same when it is cut or replaced', () => {
    const long = 'x'.repeat(120);
    const ids = [`${long}1`, `${long}2`, 'a b', 'a.b', 'a  b', 'a-b', 'ä', 'ö', ''];
    expect(new Set(ids.map(serviceId)).size).toBe(ids.length);
  });
});

describe('chosenId()', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'finds nothing by hand for a person called %j',
    (id) => {
      expect(chosenId({}, id)).toBeUndefined();
    },
  );

  it('finds what was chosen', () => {
    expect(chosenId({ constructor: 'ann' }, 'constructor')).toBe('ann');
  });
});
