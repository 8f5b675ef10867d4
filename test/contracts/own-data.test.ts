import { describe, expect, it } from 'vitest';
import type { MessageRecord } from '../../src/model/records.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { everyNth } from '../tier.ts';
import { casesOf, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import type { Edit, OwnData } from './kinds/kind.ts';

/** Data with which apps hide a message from some people: at the top, inside, as text, in every spelling. */
const marks: readonly unknown[] = [
  { internal: true },
  { is_private: 't' },
  { staffOnly: '1' },
  { ephemeral: 1 },
  { app: { flags: { isInternalNote: 'yes' } } },
  { app: '{"shown":{"visibility":"agents"}}' },
  { audience: ['staff'] },
  { type: 'internal_note' },
  { public: 'false' },
  { visible_to: ['ines'] },
];
const words = ['internal_note', 'staff-only', 'PrivateNote'];
/** Data that hides nothing. */
const harmless: readonly unknown[] = [
  { internal: false, visibility: 'all', is_public: 1, note: 'Ask Ines', internal_id: 1, user: { is_private: true } },
];

async function shownIn(adapter: SourceAdapter, source: string, sample: string, edits: readonly Edit[]) {
  const entries = await readEdited(adapter, { sample, edits }, source);
  const messages = entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'message' ? entry.record : [],
  );
  const count = (isCounted: (message: MessageRecord) => boolean) => messages.filter(isCounted).length;
  return {
    shown: count(({ internal }) => internal === undefined),
    hidden: count(({ internal }) => internal === 'restricted'),
  };
}

/** Returns the data that a source does not notice, or takes for a mark that it is not. */
async function complaintsAbout(adapter: SourceAdapter, source: string, field: OwnData): Promise<string[]> {
  const { shown, hidden } = await shownIn(adapter, source, field.sample, []);
  const complaints: string[] = [];
  const tryEdits = async (said: unknown, edits: readonly Edit[], by: number) => {
    const found = await shownIn(adapter, source, field.sample, edits);
    if (found.shown !== shown - by || found.hidden !== hidden + by) complaints.push(JSON.stringify(said));
  };
  if ('mark' in field) await tryEdits(field.where, field.mark, 1);
  else {
    for (const data of field.isWord ? words : marks) await tryEdits(data, field.edits(data), 1);
    for (const data of field.isWord ? ['question'] : harmless) await tryEdits(data, field.edits(data), 0);
  }
  return complaints;
}

/** A source that sends everything. */
const blind = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) {
      for (const entry of entries)
        if (entry.type === 'record' && entry.record.kind === 'message') entry.record.internal = undefined;
      yield entries;
    }
  },
});

const cases = casesOf('ownData').map(([source, one]) => [source, one.where, one] as const);

describe('a message that is hidden from some people of its conversation', () => {
  it.each(cases)('is restricted (%s: %s)', async (source, _, field) => {
    expect(await complaintsAbout(sourceNamed(source), source, field)).toEqual([]);
  });

  it.each(everyNth(4, cases))('is noticed if a source sends it (%s: %s)', async (source, _, field) => {
    expect(await complaintsAbout(blind(sourceNamed(source)), source, field)).not.toEqual([]);
  });
});
