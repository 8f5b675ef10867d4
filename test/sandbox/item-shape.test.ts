import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isItem } from '../../src/sandbox/rules/item-shape.ts';
import { importItem } from '../../src/service/import-item.ts';
import { direct, toGroup } from './fixture.ts';

/** Every field of a message and of what is inside it, as a path. */
const paths = [
  'muid',
  'sender',
  'receiverType',
  'receiver',
  'category',
  'type',
  'sentAt',
  'deliveredAt',
  'readAt',
  'tags',
  'tags.0',
  'data',
  'data.text',
  'data.metadata',
  'data.custodata',
  'data.customData',
  'data.attachments',
  'data.attachments.0',
  ...['url', 'name', 'extension', 'mimeType', 'size'].map((field) => `data.attachments.0.${field}`),
  ...['senderUserDetails', 'receiverGroupOwnerDetails', 'mentionedUserDetails.dan'].flatMap((details) => [
    details,
    ...['uid', 'name', 'avatar', 'link', 'role', 'tags', 'createdAt', 'lastActiveAt', 'metadata'].map(
      (field) => `${details}.${field}`,
    ),
  ]),
  'mentionedUserDetails',
  ...['receiverUserDetails', 'receiverGroupDetails'].flatMap((details) => [
    details,
    ...['uid', 'guid', 'name', 'avatar', 'link', 'role', 'tags', 'lastActiveAt', 'createdAt', 'metadata'].map(
      (field) => `${details}.${field}`,
    ),
    ...['type', 'description', 'icon', 'owner'].map((field) => `${details}.${field}`),
  ]),
  'unknown',
];

const values = [
  ...['text', '', 'user', 'group', '1700000000', '17000000000', '-1', '1.5'],
  ...[0, -0, 1_700_000_000, 9_999_999_999, 10_000_000_000, -1, 1.5, 1e300],
  ...[true, null, [], {}, ['a'], [1], [{ url: 'x' }], { name: 'N' }, { uid: 'u', name: 'N' }],
];

const full = {
  ...toGroup('m1'),
  tags: ['t'],
  data: { text: 'x', attachments: [{ url: 'u', name: 'n' }], metadata: { a: 1 } },
  receiverGroupDetails: { guid: 'g', name: 'G' },
  receiverGroupOwnerDetails: { uid: 'olga', name: 'Olga' },
  mentionedUserDetails: { dan: { uid: 'dan', name: 'Dan' } },
};

/** Returns a copy with the value at the path, or without the field if the value is `undefined`. */
function changed(item: object, path: string, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(item));
  const fields = path.split('.');
  const last = fields.pop()!;
  const parent = fields.reduce((object, field) => object?.[field], copy);
  if (typeof parent === 'object' && parent !== null) parent[last] = value;
  return JSON.parse(JSON.stringify(copy));
}

describe('the shape of a message, checked by hand,', () => {
  it('is the shape that the contract declares, for every value in every field', () => {
    for (const item of [direct('m1'), full]) {
      for (const path of paths) {
        for (const value of [undefined, ...values]) {
          const candidate = changed(item, path, value);
          expect([path, value, isItem(candidate)]).toEqual([path, value, importItem.safeParse(candidate).success]);
        }
      }
    }
  });

  it('is the shape that the contract declares, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.jsonValue(),
        fc.constantFrom(...paths),
        fc.jsonValue(),
        (p, v, q, w) => {
          const candidate = changed(changed(full, p, v) as object, q, w);
          return isItem(candidate) === importItem.safeParse(candidate).success;
        },
      ),
    );
  });

  it.each([null, 5, 'x', [], [direct('m1')]])('is not that of %j', (value) => {
    expect(isItem(value)).toBe(false);
  });
});
