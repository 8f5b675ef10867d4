import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FollowUp, followUpPayload } from '../../src/mapping/payload.ts';
import { metadataSchema } from '../../src/mapping/message/metadata.ts';
import { followUpMuid, followUpMuidInGeneration, muidShape } from '../../src/mapping/ids.ts';
import type { ChangeKind } from '../../src/model/change.ts';

const of = 'm1aaaaaaaaaaaaaaaaaaaaaaaaa';
const key = 'm1bbbbbbbbbbbbbbbbbbbbbbbbb';

const payload = (text: string, ours: object = {}, more: object = {}) =>
  JSON.stringify({
    category: 'message',
    type: 'text',
    data: { text, ...more, metadata: { chatferry: { v: 1, key: of, ...ours }, origin: 'old system' } },
    tags: ['moved'],
  });

const change = (changes: Partial<FollowUp>): FollowUp => ({
  kind: 'edited',
  muid: key,
  follows: of,
  before: payload('old'),
  after: payload('new'),
  sentAtMs: Date.UTC(2024, 2, 1, 9, 30, 59),
  dataBytesMax: undefined,
  ...changes,
});

const made = (changes: Partial<FollowUp>) => {
  const json = followUpPayload(change(changes));
  return json === undefined ? undefined : JSON.parse(json);
};

describe('followUpPayload()', () => {
  it.each<[kind: ChangeKind, unsent: ChangeKind, told: ChangeKind | undefined]>([
    ['reactions', 'edited', 'edited'],
    ['changed', 'edited', 'edited'],
    ['changed', 'reactions', 'reactions'],
    ['reactions', 'restored', 'restored'],
    ['edited', 'restored', 'restored'],
    ['restored', 'deleted', 'restored'],
    ['deleted', 'edited', 'deleted'],
    ['changed', 'changed', undefined],
    ['changed', 'deleted', undefined],
  ])('combines a change (%s) with an unsent one before it (%s): %s', (kind, change, told) => {
    const unsent = [payload('told of', { change })];
    expect(made({ kind, unsent })?.data.metadata.chatferry.change).toBe(told);
  });

  it('contains the change, its message and thread, and the values that the mapping sets for every message', () => {
    const after = payload('new', { thread: 'm1root', edited: 1700000000, mentions: ['ann'], pinned: true });
    expect(made({ after })).toEqual({
      category: 'message',
      type: 'text',
      tags: ['moved'],
      data: {
        text: 'Edited (message of 2024-03-01 09:30 UTC): new',
        metadata: {
          chatferry: { v: 1, key, follows: of, change: 'edited', thread: 'm1root', edited: 1700000000 },
          origin: 'old system',
        },
      },
    });
  });

  it('repeats no deleted content', () => {
    for (const after of [null, payload('old', { deleted: true }, { attachments: [{ url: 'x' }] })]) {
      const { type, data } = made({ kind: 'deleted', after });
      expect([type, data.text]).toEqual(['text', 'Deleted at the source: message of 2024-03-01 09:30 UTC']);
      expect(JSON.stringify(data)).not.toMatch(/old"|attachments/);
    }
  });

  it('includes files only if they differ', () => {
    const files = { attachments: [{ name: 'a', extension: '', mimeType: 'image/png', url: 'https://x.example/a' }] };
    const after = payload('new', {}, files);
    expect(made({ after })).toMatchObject({ type: 'image', data: files });
    expect(made({ after, before: payload('old', {}, files) }).data).not.toHaveProperty('attachments');
    expect(made({ kind: 'changed', after }).data.text).toBe('Changed (message of 2024-03-01 09:30 UTC): new');
  });

  it.each<[string, Partial<FollowUp>]>([
    ['a change that a text cannot tell', { kind: 'changed' }],
    ['reactions that the mapping does not send', { kind: 'reactions' }],
    ['an edit of what the mapping leaves out by now', { after: null }],
    ['a deletion of what it left out before', { kind: 'deleted', before: null, after: null }],
  ])('is nothing for %s', (_, changes) => expect(made(changes)).toBeUndefined());

  it('lists reactions, and says when none is left', () => {
    const reactions = [
      { emoji: '👍', count: 2 },
      { emoji: ':party:', count: 1, by: ['ann'] },
    ]; // prettier-ignore
    const text = (before: string, after: string) => made({ kind: 'reactions', before, after }).data.text;
    expect(text(payload('a'), payload('a', { reactions }))).toMatch(/: 👍 2, :party: 1$/);
    expect(text(payload('a', { reactions }), payload('a'))).toMatch(/: none any more$/);
  });

  it('fits the limit of the destination for any text, without splitting a character', () => {
    const property = fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.integer({ min: 0, max: 800 }),
      (text, dataBytesMax) => {
        const found = made({ after: payload(text), dataBytesMax });
        if (!found) return;
        expect(Buffer.byteLength(JSON.stringify(found.data))).toBeLessThanOrEqual(dataBytesMax);
        expect(found.data.text.isWellFormed()).toBe(text.isWellFormed());
        metadataSchema.parse(found.data.metadata.chatferry);
      },
    );
    fc.assert(property, { numRuns: 300 });
    expect(made({ after: payload('x'.repeat(999)), dataBytesMax: 400 }).data.text).toMatch(/^Edited .*x…$/);
  });
});

describe('followUpMuid()', () => {
  it('is that of the published rule', () => {
    expect(followUpMuid(of, 'digest', 1)).toBe('m1h2ooqa4kqzlll4nzscrorcdpk');
  });

  it('differs by message, version, number and generation, and always has the form of a muid', () => {
    const muids = ['a', 'b'].flatMap((message) =>
      ['', 'd'].flatMap((digest) =>
        [1, 2].flatMap((number) =>
          [1, 2, 3].map((generation) => followUpMuidInGeneration(followUpMuid(message, digest, number), generation)),
        ),
      ),
    );
    expect(new Set(muids).size).toBe(24);
    for (const muid of muids) expect(muid).toMatch(muidShape);
  });
});
