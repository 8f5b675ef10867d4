import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifier, muidOf } from '../../../src/mapping/ids.ts';
import type { MessageRecord, Origin } from '../../../src/model/records.ts';
import { anyText } from '../../arbitrary-text.ts';

/** RFC 4648, written down again and differently: the bits of the digest, five at a time. */
function independentMuid({ source, workspace, conversation, id }: Origin): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([source, workspace, conversation, id]), 'utf8')
    .digest();
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g)!.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)]);
  return `m1${letters.join('').slice(0, 25)}`;
}

const origins: fc.Arbitrary<Origin> = fc.record({
  source: anyText,
  workspace: anyText,
  conversation: anyText,
  id: anyText,
});

describe('muidOf()', () => {
  it('never changes for an identity: stores and destinations hold it', () => {
    const origin = { source: 'slack', workspace: 'T1', conversation: 'C1', id: '1772366400.000100' };
    expect(muidOf(origin)).toBe('m1etlte47lsvvi67kcqtrvbh2f7');
    expect(muidOf(origin)).toBe(independentMuid(origin));
  });

  it('is what an independent implementation of the published rule gives, for any identity', () => {
    fc.assert(
      fc.property(origins, (origin) => {
        expect(muidOf(origin)).toBe(independentMuid(origin));
        expect(muidOf(origin)).toMatch(/^m1[a-z2-7]{25}$/);
      }),
    );
  });

  it('ignores all other fields of an origin', () => {
    const origin = { source: 's', workspace: 'w', conversation: 'c', id: 'i' };
    expect(muidOf({ ...origin, path: 'a.json' } as Origin)).toBe(muidOf(origin));
  });

  it('is different for each of 100,000 identities that differ little', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 100_000; index++) {
      // Neighbouring times, few conversations, and parts that would run together if they were only joined.
      const conversation = `C${index % 10}`;
      const id = `${1_700_000_000 + (index >> 4)}.${String(index).padStart(6, '0')}`;
      seen.add(muidOf({ source: 'slack', workspace: index % 2 === 0 ? '' : 'T1', conversation, id }));
    }
    expect(seen.size).toBe(100_000);
  });

  it.each([
    [
      { workspace: 'a', conversation: 'b' },
      { workspace: 'ab', conversation: '' },
    ],
    [
      { workspace: '"', conversation: ',' },
      { workspace: '","', conversation: '' },
    ],
    [
      { workspace: '\ud800', conversation: '' },
      { workspace: '\ud801', conversation: '' },
    ],
    [
      { workspace: '\\', conversation: '' },
      { workspace: '\\\\', conversation: '' },
    ],
  ])('distinguishes %j from %j', (a, b) => {
    expect(muidOf({ source: 's', id: '1', ...a })).not.toBe(muidOf({ source: 's', id: '1', ...b }));
  });
});

describe('identifier()', () => {
  const few = fc.constantFrom('', 'a', 'b');
  const related = fc.record({ source: few, workspace: few, conversation: few, id: anyText });
  const records = fc.record({ origin: fc.oneof(origins, related), threadRoot: fc.option(anyText, { nil: undefined }) });
  const recordOf = (origin: Origin, threadRoot?: string): MessageRecord => ({
    kind: 'message',
    origin,
    sortKey: '1',
    sentAtMs: 1,
    text: '',
    ...(threadRoot !== undefined && { threadRoot }),
  });

  it('gives the muids of a message and of its root, whatever it was asked for before', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 2, maxLength: 6 }), (list) => {
        const identityOf = identifier();
        for (const { origin, threadRoot } of list) {
          const { muid, rootMuid } = identityOf(recordOf(origin, threadRoot));
          expect(muid).toBe(independentMuid(origin));
          expect(rootMuid).toBe(threadRoot === undefined ? undefined : independentMuid({ ...origin, id: threadRoot }));
        }
      }),
    );
  });

  it('gives another for the same id in another conversation, workspace or source, asked for one after the other', () => {
    const origin = { source: 's', workspace: 'w', conversation: 'c', id: 'i' };
    const others = (['conversation', 'workspace', 'source'] as const).map((part) => ({ ...origin, [part]: 'x' }));
    for (const other of others) {
      const identityOf = identifier();
      expect([origin, other].map((each) => identityOf(recordOf(each)).muid)).toEqual(
        [origin, other].map(independentMuid),
      );
    }
  });
});
