import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap, unwrapAll } from '../../../src/sources/json/unwrap.ts';

describe('unwrap() of MongoDB Extended JSON', () => {
  it.each<readonly [wrapped: unknown, plain: unknown]>([
    [{ $oid: '65e1a0b2c3d4e5f601234567' }, '65e1a0b2c3d4e5f601234567'],
    [{ $date: '2024-03-01T10:00:00.123Z' }, '2024-03-01T10:00:00.123Z'],
    [{ $date: 1709287200123 }, '2024-03-01T10:00:00.123Z'],
    [{ $date: { $numberLong: '1709287200123' } }, '2024-03-01T10:00:00.123Z'],
    [{ $date: { $numberLong: '-1' } }, '1969-12-31T23:59:59.999Z'],
    [{ $date: { $numberLong: '99999999999999999999' } }, { $numberLong: '99999999999999999999' }],
    [{ $date: 'yesterday' }, 'yesterday'],
    [{ $numberInt: '3' }, 3],
    [{ $numberLong: '1709287200123' }, 1709287200123],
    [{ $numberLong: '9223372036854775807' }, '9223372036854775807'],
    [{ $numberLong: 5 }, 5],
    [{ $numberDouble: '2.5' }, 2.5],
    [{ $numberDouble: 'NaN' }, 'NaN'],
    [{ $numberDecimal: '0.10' }, '0.10'],
    [{ $uuid: '00112233-4455-6677-8899-aabbccddeeff' }, '00112233-4455-6677-8899-aabbccddeeff'],
    [{ $binary: { base64: 'ABEiM0RVZneImaq7zN3u/w==', subType: '04' } }, '00112233-4455-6677-8899-aabbccddeeff'],
    [{ $binary: 'ABEiM0RVZneImaq7zN3u/w==', $type: '03' }, '00112233-4455-6677-8899-aabbccddeeff'],
    [{ $type: '00', $binary: 'aGk=' }, 'aGk='],
    [{ $undefined: true }, undefined],
    [
      { $ref: 'users', $id: 'u1' },
      { $ref: 'users', $id: 'u1' },
    ],
  ])('%j is %j', (wrapped, plain) => expect(unwrap(wrapped)).toEqual(plain));
});

describe('unwrap() of Firestore', () => {
  it.each<readonly [wrapped: unknown, plain: unknown]>([
    [{ stringValue: 'hi' }, 'hi'],
    [{ integerValue: '3' }, 3],
    [{ integerValue: '9223372036854775807' }, '9223372036854775807'],
    [{ doubleValue: 1.5 }, 1.5],
    [{ booleanValue: false }, false],
    [{ nullValue: null }, null],
    [{ timestampValue: '2024-03-01T10:00:00.123456Z' }, '2024-03-01T10:00:00.123456Z'],
    [{ arrayValue: { values: [{ stringValue: 'a' }] } }, [{ stringValue: 'a' }]],
    [{ arrayValue: {} }, []],
    [{ mapValue: { fields: { a: 1 } } }, { a: 1 }],
    [{ mapValue: {} }, {}],
    [{ _seconds: 1709287200, _nanoseconds: 123456789 }, '2024-03-01T10:00:00.123456789Z'],
    [{ seconds: -1, nanoseconds: 0 }, '1969-12-31T23:59:59.000000000Z'],
    [{ type: 'firestore/timestamp/1.0', seconds: 0, nanoseconds: 1 }, '1970-01-01T00:00:00.000000001Z'],
    [{ __datatype__: 'timestamp', value: { _seconds: 0, _nanoseconds: 0 } }, '1970-01-01T00:00:00.000000000Z'],
    [{ __datatype__: 'documentReference', value: 'rooms/r1' }, 'rooms/r1'],
    [
      { seconds: 1, nanoseconds: 2, more: 3 },
      { seconds: 1, nanoseconds: 2, more: 3 },
    ],
    [
      { seconds: 1e300, nanoseconds: 0 },
      { seconds: 1e300, nanoseconds: 0 },
    ],
    [
      { type: 'photo', value: 3 },
      { type: 'photo', value: 3 },
    ],
    [
      { stringValue: 'a', other: 'b' },
      { stringValue: 'a', other: 'b' },
    ],
  ])('%j is %j', (wrapped, plain) => expect(unwrap(wrapped)).toEqual(plain));
});

describe('unwrapAll()', () => {
  it('reaches everything inside', () => {
    const wrapped = { mapValue: { fields: { by: { mapValue: { fields: { id: { integerValue: '7' } } } } } } };
    expect(unwrapAll([wrapped, { $oid: 'a' }])).toEqual([{ by: { id: 7 } }, 'a']);
  });

  it('leaves other values as they are, whatever their keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        if (/\$|Value|econds|__datatype__/.test(text)) return;
        expect(JSON.stringify(unwrapAll(JSON.parse(text)))).toBe(text);
      }),
    );
    const hostile = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}') as object;
    expect(JSON.stringify(unwrapAll(hostile))).toBe('{"__proto__":{"isAdmin":true},"constructor":1}');
  });
});
