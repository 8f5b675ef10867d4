import { describe, expect, it } from 'vitest';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { everyNth } from '../tier.ts';
import { type CaseOf, casesOf, readEdited, sourceNamed } from './kinds/edited-samples.ts';

type Case = CaseOf<'partialExports'>;

/** Returns complaints about a source that reads an export which declares missing parts. */
async function partialComplaints(
  adapter: SourceAdapter,
  { codes = ['export-is-partial'], ...edited }: Case,
): Promise<string[]> {
  const said = async (edits: Case['edits']) =>
    (await readEdited(adapter, { ...edited, edits })).flatMap((entry) =>
      entry.type === 'problem' && codes.includes(entry.code) ? [entry.reason] : [],
    );
  const before = await said([]);
  const now = (await said(edited.edits)).filter((reason) => !before.includes(reason));
  return now.length > 0 ? [] : ['that something is missing is not passed on'];
}

/** A source that keeps to itself what an export says of its own gaps. */
const trusting = (adapter: SourceAdapter, codes: readonly string[] = ['export-is-partial']): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request))
      yield entries.filter((entry) => entry.type !== 'problem' || !codes.includes(entry.code));
  },
});

const cases = casesOf('partialExports').map(([source, one]) => [source, one.says, one] as const);

describe('an export that says that it is not whole', () => {
  it.each(cases)('is asked about (%s: %s)', async (source, _, one) => {
    expect(await partialComplaints(sourceNamed(source), one)).toEqual([]);
  });

  it.each(everyNth(3, cases))('is reported if the source hides that (%s: %s)', async (source, _, one) => {
    expect(await partialComplaints(trusting(sourceNamed(source), one.codes), one)).not.toEqual([]);
  });
});
