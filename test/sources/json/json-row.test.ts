import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonRow, type RowPlace } from '../../../src/sources/json/json-row.ts';
import { pathStep } from '../../../src/sources/tables/row.ts';
import { anyText } from '../../arbitrary-text.ts';

const row = (value: object, place: RowPlace = {}) => new JsonRow(value, { path: 'a.json' }, place);

describe('JsonRow', () => {
  const message = row({
    _id: { $oid: '65e1a0' },
    'user.name': 'dotted',
    user: { name: 'Ada', 'say "hi"': 1 },
    files: [{ url: 'a' }, { url: { stringValue: 'b' } }],
    none: null,
  });

  it.each<readonly [name: string, value: unknown]>([
    ['_id', '65e1a0'],
    ['user.name', 'Ada'],
    ['"user.name"', 'dotted'],
    ['files.0.url', 'a'],
    ['files.1.url', 'b'],
    ['files', [{ url: 'a' }, { url: 'b' }]],
    ['none', null],
    ['none.deeper', undefined],
    ['files.length', undefined],
    ['files.2.url', undefined],
    ['files.01', { url: 'b' }],
    ['toString', undefined],
    ['__proto__', undefined],
    ['user.constructor.name', undefined],
    ['user.name.length', undefined],
    ['', undefined],
    ['$key', undefined],
    ['$outer.id', undefined],
  ])('has at %s: %j', (name, value) => expect(message.get(name)).toEqual(value));

  it('names its fields by paths that lead to them', () => {
    expect(message.names()).toEqual(['_id', '"user.name"', 'user.name', 'user."say ""hi"""', 'files', 'none']);
    for (const name of message.names()) expect(message.get(name)).not.toBeUndefined();
  });

  it('names the fields of each row, whatever the row before had', () => {
    const surroundings = [new Map([['id', 'r1']])];
    const rows = [
      row({ a: 1, b: ['x'] }),
      row({ a: 2, b: null }),
      row({ b: 3, a: 1 }),
      row({ a: 1 }),
      row({ a: 1, b: { c: 1 } }),
      row({ a: 1, b: { $oid: '65e1' } }),
      row({ a: 1, b: 2 }, { key: 'k' }),
      row({ a: 1, b: 2 }, { surroundings }),
      row({ a: 1, b: 2 }),
      row({}),
    ];
    expect(rows.map((one) => one.names().join())).toEqual([
      ...['a,b', 'a,b', 'b,a', 'a', 'a,b.c', 'a,b', 'a,b,$key', 'a,b,$outer.id', 'a,b', ''],
    ]);
  });

  it('has its index as key, and lists the key if the array has gaps', () => {
    const at = { path: 'a.json', pointer: '/messages/r1/3' };
    const [whole, holed] = [false, true].map((isBesideHoles) => new JsonRow({ a: 1 }, at, {}, isBesideHoles));
    expect(whole!.get('$key')).toBe('3');
    expect(whole!.names()).toEqual(['a']);
    expect(holed!.names()).toEqual(['a', '$key']);
  });

  it('reads surrounding values without database wrappers', () => {
    const surroundings = [new Map<string, unknown>([['by', { name: 'x' }]]), new Map([['by', { $oid: '65e1' }]])];
    const placed = row({ a: 1 }, { surroundings });
    expect(placed.get('$outer.by')).toBe('65e1');
    expect(placed.names()).toEqual(['a', '$outer.by']);
    expect(row({ a: 1 }, { surroundings: [surroundings[0]!] }).names()).toEqual(['a']);
  });

  it('knows its key and the surrounding values', () => {
    const surroundings = [
      new Map([['id', 'r1']]),
      new Map([
        ['id', 'team'],
        ['page', '2'],
      ]),
    ];
    const placed = row({ a: 1, $key: 'own' }, { key: '-Na', parentKey: 'r1', surroundings });
    expect(placed.get('$key')).toBe('own');
    expect(placed.get('$parentKey')).toBe('r1');
    expect(placed.get('$outer.id')).toBe('r1');
    expect(placed.get('$outer.page')).toBe('2');
    expect(placed.get('$outer')).toBeUndefined();
    expect(placed.names()).toEqual(['a', '$key', '$parentKey', '$outer.id', '$outer.page']);
  });

  it('takes the keys of a Firestore document out of its name', () => {
    const name = 'projects/p/databases/(default)/documents/rooms/r1/messages/m1';
    const document = row({ name, fields: { text: { stringValue: 'hi' } } });
    expect(document.get('fields.text')).toBe('hi');
    expect(document.get('$key')).toBe('m1');
    expect(document.get('$parentKey')).toBe('r1');
    expect(document.names()).toEqual(['name', 'fields.text', '$key', '$parentKey']);
  });

  it('finds any key by its quoted path, and nothing that is not there', () => {
    fc.assert(
      fc.property(anyText, anyText, (key, other) => {
        const value = Object.fromEntries([[key, Object.fromEntries([[key, 7]])]]);
        const path = `${pathStep(key)}.${pathStep(key)}`;
        expect(row(value).get(path)).toBe(7);
        if (other !== key && !other.startsWith('$')) expect(row(value).get(pathStep(other))).toBeUndefined();
      }),
    );
  });
});
