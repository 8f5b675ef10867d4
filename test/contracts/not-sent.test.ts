import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { everyNth } from '../tier.ts';
import { casesOf, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import { type EditedSample, unsent } from './kinds/kind.ts';

const reasonsIn = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap((entry) => (entry.type === 'problem' ? [`${entry.code} ${entry.reason}`] : []));

/** Returns complaints about a source that reads a message of which its row says that nobody received it. */
async function unsentComplaints(adapter: SourceAdapter, { sample, edits }: EditedSample): Promise<string[]> {
  const known = new Set(reasonsIn(await readEdited(adapter, { sample, edits: [] })));
  const entries = await readEdited(adapter, { sample, edits });
  const isNamed = reasonsIn(entries).some((reason) => !known.has(reason));
  const isSent = entries.some(
    (entry) =>
      entry.type === 'record' &&
      entry.record.kind === 'message' &&
      entry.record.text.includes(unsent) &&
      entry.record.systemEvent === undefined &&
      entry.record.internal === undefined,
  );
  const isKept = entries.some((entry) => entry.type === 'record' && JSON.stringify(entry.record).includes(unsent));
  if (isSent && !isNamed) return ['it is sent as if it had been sent'];
  return isKept || isNamed ? [] : ['it is gone without a word'];
}

/** A source that does not look at how far a message came. */
const trusting = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request))
      yield entries.flatMap((entry): Entry[] => {
        if (entry.type === 'problem') return [];
        if (entry.type !== 'record' || entry.record.kind !== 'message') return [entry];
        const { systemEvent: _, internal: __, ...record } = entry.record;
        return [{ ...entry, record }];
      });
  },
});

const cases = casesOf('notSent').map(([source, one]) => [source, one.sample, one] as const);

describe('a message that nobody received, by its row', () => {
  it.each(cases)('is skipped, or asked about (%s, %s)', async (source, _, one) => {
    expect(await unsentComplaints(sourceNamed(source), one)).toEqual([]);
  });

  it.each(everyNth(4, cases))('is noticed if a source sends it or drops it (%s, %s)', async (source, _, one) => {
    expect(await unsentComplaints(trusting(sourceNamed(source)), one)).not.toEqual([]);
  });
});
