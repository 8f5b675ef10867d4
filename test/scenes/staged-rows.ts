import fc from 'fast-check';
import { muidLength, type StagedRow } from '../../src/model/staged-item.ts';
import { anyCharacter } from '../arbitrary-text.ts';

const muid = (number: number) => `m1${String(number).padStart(muidLength - 2, 'x')}`;

/** As nearly all rows are, and what some of them have otherwise. */
export const stagedRow = (number: number, changes: Partial<StagedRow> = {}): StagedRow => ({
  muid: muid(number),
  source: 'slack',
  workspace: 'T1',
  conversation: 'C1',
  sender: 'U1',
  originId: `1700000${number}.000100`,
  sentAtMs: 1_700_000_000_000 + number,
  sortKey: `1700000${number}.000100`,
  editedAtMs: null,
  recordDigest: 'd'.repeat(22),
  verdict: 'planned',
  reason: null,
  detail: null,
  payload: `{"data":{"text":"message ${number}"}}`,
  rootMuid: null,
  facts: null,
  place: `/${number}`,
  ...changes,
});

export const texts = fc.oneof(
  fc.string({ minLength: 1, unit: anyCharacter }),
  fc.string({ minLength: 1 }),
  fc.constantFrom('\ud83d', '\ude00', '日本\0', '🎉'),
);
export const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: null });
/** Changes of rows from the values that nearly all have. */
export const rowChanges: fc.Arbitrary<Partial<StagedRow>> = fc.oneof(
  fc.constant({}),
  fc.record({ sortKey: texts, originId: texts, place: fc.string({ unit: anyCharacter }) }),
  fc.record({ rootMuid: maybe(texts), facts: maybe(texts), editedAtMs: maybe(fc.integer()) }),
  fc.record({ verdict: fc.constant('skipped' as const), reason: texts, payload: maybe(texts) }),
  fc.record({ verdict: fc.constant('invalid' as const), reason: texts, detail: texts, payload: fc.constant(null) }),
  fc.record({ payload: texts.map((text) => text.repeat(fc.sample(fc.constantFrom(1, 40_000), 1)[0]!)) }),
  fc.record({ muid: texts, recordDigest: texts }),
  fc.record({ part: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ originId: fc.constant(null), sortKey: fc.constant(null), muid: fc.constant(null) }),
);
