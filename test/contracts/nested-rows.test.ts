import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { everyNth } from '../tier.ts';
import { casesOf, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import { type EditedSample, inner, innerId } from './kinds/kind.ts';

/** How often a reading says that something could not be read or kept. */
const namedIn = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => {
    if (entry.type === 'invalid') return sum + 1;
    if (entry.type === 'problem') return sum + (entry.count ?? 1);
    if (entry.type !== 'record' || entry.record.kind !== 'message') return sum;
    // A report counts the earlier versions of what was edited.
    const versions = entry.record.edited ? 1 : 0;
    return sum + versions + Object.values(entry.record.lost ?? {}).reduce((all, count) => all + count, 0);
  }, 0);

const says = new RegExp(`${inner}|${innerId}`);

/** Returns complaints about a source that reads a row with another row in it. */
async function nestedComplaints(adapter: SourceAdapter, { sample, edits }: EditedSample): Promise<string[]> {
  const whole = await readEdited(adapter, { sample, edits: [] });
  const found = await readEdited(adapter, { sample, edits });
  const isRead = found.some((entry) => entry.type === 'record' && says.test(JSON.stringify(entry.record)));
  return isRead || namedIn(found) > namedIn(whole) ? [] : ['the inner row is neither read nor named'];
}

/** A source that reads the outer row alone. */
const shallow = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.flatMap((entry) => withoutInner(entry) ?? []);
  },
});

function withoutInner(entry: Entry): Entry | undefined {
  if (entry.type === 'invalid' || entry.type === 'problem') return undefined;
  if (entry.type !== 'record' || entry.record.kind !== 'message') return entry;
  const { lost: _, custom: __, quoteOf: ___, threadRoot: ____, edited: _____, ...record } = entry.record;
  return { ...entry, record: { ...record, text: record.text.replaceAll(inner, '') } };
}

const cases = casesOf('nestedRows').map(([source, one]) => [source, one.where, one] as const);

describe('a row inside of another', () => {
  it.each(cases)('is read, or named (%s: %s)', async (source, _, one) => {
    expect(await nestedComplaints(sourceNamed(source), one)).toEqual([]);
  });

  it.each(everyNth(4, cases))('is reported if a source drops it (%s: %s)', async (source, _, one) => {
    const adapter = sourceNamed(source);
    expect(await nestedComplaints(shallow(adapter), one)).not.toEqual([]);
  });
});
