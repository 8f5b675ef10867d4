import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonHead } from '../../src/io/json/json-head.ts';

const head = (text: string) => parseJsonHead(Buffer.from(text));

describe('parseJsonHead()', () => {
  it.each<readonly [text: string, value: unknown, isComplete: boolean]>([
    ['[1,{"a":2}] ', [1, { a: 2 }], true],
    ['{"a":[1,2,{"b":"x","c', { a: [1, 2, { b: 'x' }] }, false],
    ['{"a":[1,2', { a: [1] }, false],
    ['{"a":{"b":[', { a: { b: [] } }, false],
    ['[{"a":1},', [{ a: 1 }], false],
    ['{"a":"]}', {}, false],
    ['{"a":1}{"b":2}', { a: 1 }, true],
    ['{"a":tru}', undefined, true],
    ['12', undefined, false],
    ['', undefined, false],
  ])('%s is, as far as it goes, %j', (text, value, isComplete) => {
    expect(head(text)).toMatchObject({ isComplete });
    expect(head(text)?.value).toEqual(value);
  });

  it('returns where the value ends', () => {
    expect(head(' {"a":1} {"b":2}')?.byteCount).toBe(8);
  });

  it('rejects text that is nested too deep', () => {
    expect(head('['.repeat(100_000))).toBeUndefined();
    expect(head('[{"a":'.repeat(33))).toBeUndefined();
  });

  it('parses the beginning of any text, cut at any byte', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
        fc.nat(),
        (value, cut) => {
          const bytes = Buffer.from(JSON.stringify(value));
          const end = 1 + (cut % bytes.length);
          const found = parseJsonHead(bytes.subarray(0, end));
          if (found === undefined) return;
          expect(found.value).toBeTypeOf('object');
          expect(found.isComplete).toBe(end === bytes.length);
          if (found.isComplete) expect(JSON.stringify(found.value)).toBe(JSON.stringify(JSON.parse(bytes.toString())));
        },
      ),
    );
  });
});
