import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dropOrder,
  dropPart,
  type Metadata,
  metadataJson,
  metadataSchema,
} from '../../src/mapping/message/metadata.ts';

const uid = fc.string({ unit: fc.constantFrom(...'abc123_-'), minLength: 1 });
const metadata: fc.Arbitrary<Metadata> = fc.record(
  {
    v: fc.constant(1 as const),
    key: fc.constant(`m1${'a'.repeat(25)}`),
    thread: uid,
    pinned: fc.constant(true as const),
    edited: fc.nat(),
    system: fc.string(),
    files: fc.array(fc.record({ name: fc.string(), why: fc.string() }), { minLength: 1 }),
    mentions: fc.array(uid, { minLength: 1 }),
    reactions: fc.array(fc.record({ emoji: fc.string(), count: fc.nat(), by: fc.array(uid) }), { minLength: 1 }),
  },
  { requiredKeys: ['v', 'key'] },
);

describe('metadataJson()', () => {
  it('is the JSON of any metadata', () => {
    fc.assert(
      fc.property(metadata, (given) => {
        expect(JSON.parse(metadataJson(given))).toEqual(given);
      }),
    );
  });
});

describe('dropPart()', () => {
  it('drops one part, says so, and stays within the schema', () => {
    fc.assert(
      fc.property(metadata, fc.constantFrom(...dropOrder), (given, part) => {
        const kept = dropPart(given, part);
        metadataSchema.parse(kept);
        expect(kept.dropped).toEqual(kept === given ? undefined : [part]);
        if (part === 'reactedBy') expect(kept.reactions?.some(({ by }) => by?.length) ?? false).toBe(false);
        else expect(kept).not.toHaveProperty(part);
      }),
    );
  });

  it('leaves what says who and where, whatever is dropped', () => {
    fc.assert(
      fc.property(metadata, (given) => {
        const { files: _files, mentions: _mentions, reactions: _reactions, ...firm } = given;
        expect(dropOrder.reduce(dropPart, given)).toMatchObject(firm);
      }),
    );
  });
});

describe('metadataSchema', () => {
  it.each([[{ v: 2, key: 'm1' }], [{ v: 1 }], [{ v: 1, key: 'm1', raw: {} }]])('refuses %j', (given) => {
    expect(metadataSchema.safeParse(given).success).toBe(false);
  });
});
