import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeKind, type StagedVersion } from '../../src/mapping/payload.ts';

interface Shape {
  readonly text?: string;
  readonly ours?: object;
  readonly attachments?: readonly object[];
  readonly facts?: object;
  readonly editedAtMs?: number;
}

const version = ({ text = 'hi', ours = {}, attachments, facts, editedAtMs }: Shape): StagedVersion => ({
  editedAtMs: editedAtMs ?? null,
  facts: facts ? JSON.stringify(facts) : null,
  payload: JSON.stringify({
    category: 'message',
    type: 'text',
    data: { text, ...(attachments && { attachments }), metadata: { chatferry: { v: 1, key: 'm1', ...ours } } },
  }),
});

const names: Readonly<Record<string, string>> = { ann: 'Ann Archer', bob: 'Bob (ops)' };
const kindOf = (before: Shape, after: Shape) => changeKind(version(before), version(after), (uid) => names[uid]);
const reaction = (emoji: string) => ({ reactions: [{ emoji, count: 1, by: ['ann'] }] });

describe('changeKind()', () => {
  it.each<[kind: string, what: string, before: Shape, after: Shape]>([
    ['edited', 'another text', { text: 'a' }, { text: 'b' }],
    ['edited', 'a later edit with the same text', { editedAtMs: 1 }, { editedAtMs: 2 }],
    ['edited', 'another text and another reaction', { ours: reaction('👍') }, { text: 'b', ours: reaction('🎉') }],
    ['deleted', 'a mark of deletion', {}, { text: '', facts: { deleted: 1 } }],
    ['restored', 'a mark of deletion that is gone', { facts: { deleted: 1 } }, {}],
    ['reactions', 'another reaction', { ours: reaction('👍') }, { ours: reaction('🎉') }],
    ['reactions', 'the first reaction', {}, { ours: reaction('🎉'), facts: { reactions: 1 } }],
    ['reactions', 'one that the mapping does not send', { facts: { reactions: 1 } }, { facts: { reactions: 2 } }],
    ['changed', 'a pin', {}, { ours: { pinned: true } }],
    ['changed', 'a file', {}, { attachments: [{ name: 'a.png' }] }],
    ['changed', 'a pin beside a reaction', { ours: reaction('👍') }, { ours: { ...reaction('🎉'), pinned: true } }],
    ['changed', 'something that nothing shows', {}, {}],
  ])('says %s for %s', (kind, _, before, after) => expect(kindOf(before, after)).toBe(kind));

  it('uses only the facts of two versions if one of them is not sent', () => {
    const unsent = (shape: Shape) => ({ ...version(shape), payload: null });
    const kind = (before: StagedVersion, after: StagedVersion) => changeKind(before, after, () => undefined);
    expect(kind(version({}), unsent({}))).toBe('changed');
    expect(kind(version({}), unsent({ facts: { deleted: 1 } }))).toBe('deleted');
    expect(kind(unsent({ facts: { reactions: 1 } }), version({ facts: { reactions: 2 } }))).toBe('reactions');
    expect(kind(unsent({ editedAtMs: 1 }), version({ editedAtMs: 2 }))).toBe('edited');
  });

  it.each<[kind: string, before: string, after: string, mentions: string[]]>([
    ['changed', 'hello @Ann, and bye', 'hello @Ann Archer, and bye', ['ann']],
    ['changed', '@A and @B: look', '@Ann Archer and @Bob (ops): look', ['ann', 'bob']],
    ['changed', '@A @A', '@Ann Archer @Ann Archer', ['ann']],
    ['edited', 'hello @Ann, and bye', 'hello @Ann Archer, and ciao', ['ann']],
    ['edited', 'hello @Ann, and bye', 'good day @Ann Archer, and bye', ['ann']],
    ['edited', '@A and @B: look', '@Ann Archer or @Bob (ops): look', ['ann', 'bob']],
    ['edited', 'hello @Ann', 'hello @somebody', ['nobody-we-know']],
    ['edited', 'hello', 'hello @Ann Archer', ['ann']],
  ])('says %s where "%s" becomes "%s"', (kind, before, after, mentions) => {
    expect(kindOf({ text: before, ours: { mentions } }, { text: after, ours: { mentions } })).toBe(kind);
  });

  it('takes a new name in any text for no edit, and a text that lost something else for one', () => {
    const piece = fc.stringMatching(/^[ a-z.*+?()\\[\]]{0,8}$/);
    const property = fc.property(fc.array(piece, { minLength: 2, maxLength: 6 }), piece, (pieces, old) => {
      const text = (name: string) => pieces.join(`@${name}`);
      const mentions = { ours: { mentions: ['ann'] } };
      fc.pre(text(`x${old}`) !== text('Ann Archer'));
      expect(kindOf({ text: text(`x${old}`), ...mentions }, { text: text('Ann Archer'), ...mentions })).toBe('changed');
      const longer = { text: `#${text(`x${old}`)}`, ...mentions };
      expect(kindOf(longer, { text: text('Ann Archer'), ...mentions })).toBe('edited');
    });
    fc.assert(property, { numRuns: 200 });
  });
});
