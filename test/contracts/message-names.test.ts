import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { casesOf, sourceNamed } from './kinds/edited-samples.ts';
import { memoryInput } from './memory-input.ts';
import { readAll } from './source/check.ts';

type Files = Parameters<typeof memoryInput>[0];

/**
 * Returns complaints about a source that reads messages with the name of their author at that time: the messages that
 * would be shown under another name. The text of each message is that name.
 */
async function nameComplaints(adapter: SourceAdapter, files: Files): Promise<string[]> {
  const names = new Map<string, string>();
  const shown: (readonly [author: string, said: string, own: string | undefined])[] = [];
  for (const entry of await readAll(adapter, memoryInput(files))) {
    if (entry.type !== 'record') continue;
    const { record } = entry;
    if (record.kind === 'user') names.set(record.id, record.name);
    else if (record.kind === 'message' && record.systemEvent === undefined)
      shown.push([record.author ?? '', record.text, record.authorDetails?.name]);
  }
  // A plan keeps the last description of a person.
  return shown.flatMap(([author, said, own]) => {
    const name = names.get(author) ?? own;
    return name === said ? [] : [`"${said}" is shown as "${name}"`];
  });
}

/** A source that takes the name of a message for the name of its id. */
const forgetful = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.map(withoutNames);
  },
});

function withoutNames(entry: Entry): Entry {
  if (entry.type !== 'record') return entry;
  const { record } = entry;
  const plain = (id: string) => id.replace(/:(?:Mia|Ole).*$/, '');
  if (record.kind === 'user') return { ...entry, record: { ...record, id: plain(record.id) } };
  if (record.kind !== 'message' || record.author === undefined) return entry;
  return { ...entry, record: { ...record, author: plain(record.author) } };
}

const cases = casesOf('messageNames').map(([source, { form, files }]) => [source, form, files] as const);

describe('messages of one id that were written under several names', () => {
  it.each(cases)('are shown under their own, never under the last one seen (%s, %s)', async (source, _, files) => {
    expect(await nameComplaints(sourceNamed(source), files)).toEqual([]);
  });

  it.each(cases)('are reported if a source keeps only the last name (%s, %s)', async (source, _, files) => {
    expect(await nameComplaints(forgetful(sourceNamed(source)), files)).not.toEqual([]);
  });
});
