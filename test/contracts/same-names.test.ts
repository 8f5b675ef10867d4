import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { everyNth } from '../tier.ts';
import { type CaseOf, casesOf, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import { shared } from './kinds/kind.ts';
import { messagesOf } from './source/check.ts';

type Case = CaseOf<'sameNames'>;

/** Returns complaints about a source that reads two conversations of one name. */
async function sameNameComplaints(adapter: SourceAdapter, { name = shared, asks, ...edited }: Case): Promise<string[]> {
  const entries = await readEdited(adapter, edited);
  const named = entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'conversation' && entry.record.name.includes(name)
      ? [entry.record.id]
      : [],
  );
  const written = new Set(messagesOf(entries).map(({ origin }) => origin.conversation));
  const isAsked = entries.some((entry) => entry.type === 'problem' && entry.code === asks);
  const complaints: string[] = [];
  if (new Set(named).size < 2) complaints.push(`${new Set(named).size} conversation has the name`);
  if ([...new Set(named)].filter((id) => written.has(id)).length < 2) complaints.push('messages of both are in one');
  if (asks !== undefined && !isAsked) complaints.push('it is not asked whether they are one');
  return complaints;
}

/** A source that takes the name of a conversation for its id: the second is the first. */
const byName = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    const entries = (await Array.fromAsync(adapter.read(...request))).flat();
    const ids = new Map<string, string>();
    const firstIds = new Map<string, string>();
    for (const entry of entries) {
      if (entry.type !== 'record' || entry.record.kind !== 'conversation') continue;
      const { id, name } = entry.record;
      const first = firstIds.get(name) ?? id;
      firstIds.set(name, first);
      ids.set(id, first);
    }
    yield entries.map((entry) => renamed(entry, ids));
  },
});

function renamed(entry: Entry, ids: ReadonlyMap<string, string>): Entry {
  if (entry.type !== 'record') return entry;
  const { record } = entry;
  if (record.kind === 'conversation') return { ...entry, record: { ...record, id: ids.get(record.id) ?? record.id } };
  if (record.kind !== 'message') return entry;
  const conversation = ids.get(record.origin.conversation) ?? record.origin.conversation;
  return { ...entry, record: { ...record, origin: { ...record.origin, conversation } } };
}

const cases = casesOf('sameNames').map(([source, one]) => [source, one.by, one] as const);

describe('two conversations of one name', () => {
  it.each(cases)('stay two (%s, by %s)', async (source, _, one) => {
    expect(await sameNameComplaints(sourceNamed(source), one)).toEqual([]);
  });

  it.each(everyNth(4, cases))('are missed where their name is their id (%s)', async (source, _, one) => {
    expect(await sameNameComplaints(byName(sourceNamed(source)), one)).not.toEqual([]);
  });
});
