import { describe, expect, it } from 'vitest';
import { versionOfRecord } from '../../src/model/record-digest.ts';
import type { MessageRecord } from '../../src/model/records.ts';

type Marks = Pick<MessageRecord, 'version' | 'isDeleted' | 'edited' | 'internal'>;

describe('versionOfRecord()', () => {
  it.each<[string, Marks, Marks]>([
    ['a later update time', { version: { changedAtMs: 2 } }, { version: { changedAtMs: 1 }, isDeleted: true }],
    ['an update time of more digits', { version: { changedAtMs: 36 } }, { version: { changedAtMs: 35 } }],
    ['a deletion', { isDeleted: true }, { edited: { atMs: 5 } }],
    ['a note that is internal by now', { internal: 'note' }, {}],
    ['a later edit', { edited: { atMs: 2 } }, { edited: { atMs: 1 }, version: { exportedAtMs: 9 } }],
    ['an edit without a time', { edited: {} }, { version: { exportedAtMs: 9 } }],
    ['a later mark', { version: { markedAtMs: 3 } }, { edited: { atMs: 2 } }],
    ['a later export', { version: { exportedAtMs: 2 } }, { version: { exportedAtMs: 1 } }],
    ['any word of it', { version: { exportedAtMs: 1 } }, {}],
  ])('is greater for %s', (_, later, earlier) => {
    expect(versionOfRecord(later) > versionOfRecord(earlier)).toBe(true);
  });

  it('is empty for a message that says nothing of it', () => {
    expect([versionOfRecord({}), versionOfRecord({ version: { changedAtMs: -5 } })]).toEqual(['', '']);
  });
});
