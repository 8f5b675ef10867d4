import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { sources } from '../../src/sources/registry.ts';
import { authorId, unknownAuthor } from '../../src/mapping/ids.ts';
import { filesOf, readEdited } from './kinds/edited-samples.ts';
import type { Files } from './kinds/kind.ts';
import { type Sample, samplesOf } from './samples.ts';
import { messagesOf } from './source/check.ts';

/** Keys under which rows of platforms have their author as an object, and keys of its id and name. */
const authorKeys = new Set(['sender', 'senders', 'author', 'user', 'u', 'createdBy', 'application']);
const idKeys = ['id', '_id', 'user_id', 'userId', 'actorId', 'deliveryIdentifier', 'email'];
const nameKeys = ['name', 'nickname', 'displayName', 'username', 'first', 'last', 'available_name'];

const names = ['Tide bot', 'Gate bot'] as const;

/** Takes the ids of authors away, and gives them two names in turn. @returns how many were changed. */
function takeIds(value: unknown, key: string, count = { authors: 0 }): number {
  if (typeof value !== 'object' || value === null) return count.authors;
  const object = value as Record<string, unknown>;
  const named = nameKeys.filter((name) => typeof object[name] === 'string');
  if (authorKeys.has(key) && named.length > 0 && idKeys.some((id) => object[id] !== undefined)) {
    for (const id of idKeys) delete object[id];
    for (const name of named) object[name] = name === named[0] ? names[count.authors % 2]! : '';
    count.authors++;
    return count.authors;
  }
  for (const [inner, one] of Object.entries(object)) takeIds(one, Array.isArray(value) ? key : inner, count);
  return count.authors;
}

function withoutIds(files: Files): { readonly files: Files; readonly count: number } {
  let count = 0;
  const changed = Object.entries(files).map(([path, content]) => {
    if (typeof content !== 'string' || !/^\s*[[{]/.test(content)) return [path, content] as const;
    try {
      const lines = path.endsWith('ndjson') || path.endsWith('jsonl') ? content.trimEnd().split('\n') : [content];
      const values = lines.map((line) => JSON.parse(line) as unknown);
      for (const value of values) count += takeIds(value, '');
      return [path, values.map((value) => JSON.stringify(value)).join('\n')] as const;
    } catch {
      return [path, content] as const;
    }
  });
  return { files: Object.fromEntries(changed), count };
}

/**
 * Returns complaints about a source whose authors have two names, and no ids: a new author under both, and messages of whose author nothing
 * is known any more.
 */
async function nameComplaints(adapter: SourceAdapter, sample: Sample, files: Files): Promise<string[]> {
  const before = messagesOf(await readEdited(adapter, { sample: sample.name, edits: [] }));
  const entries = await readEdited(adapter, { sample: sample.name, edits: [() => files] });
  const shown = new Map<string, Set<string>>();
  const show = (id: string, name: string | undefined) => {
    if (name !== undefined) shown.set(id, (shown.get(id) ?? new Set()).add(name));
  };
  for (const entry of entries)
    if (entry.type === 'record' && entry.record.kind === 'user') show(entry.record.id, entry.record.name);
  const messages = messagesOf(entries);
  for (const message of messages) show(authorId(message), message.authorDetails?.name);
  const ids = new Set(before.map(({ author }) => author));
  const both = [...shown].filter(([id, said]) => !ids.has(id) && names.every((name) => said.has(name)));
  const [lost, known] = [messages, before].map((all) => all.filter((one) => authorId(one) === unknownAuthor).length);
  return [
    ...both.map(([id]) => `"${id}" has both names`),
    ...(lost! > known! ? [`${lost! - known!} messages of authors with a name have none`] : []),
  ];
}

/** A source that drops what a message says of an author without an id. */
const nameless = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.map(withoutName);
  },
});

function withoutName(entry: Entry): Entry {
  if (entry.type !== 'record' || entry.record.kind !== 'message') return entry;
  const { author, authorDetails: _, ...record } = entry.record;
  return { ...entry, record: names.some((name) => author?.endsWith(name)) ? record : { ...record, author } };
}

const samples = await Promise.all(
  sources.flatMap((adapter) =>
    samplesOf(adapter.name).map(async (sample) => ({ adapter, sample, ...withoutIds(await filesOf(sample)) })),
  ),
);
const cases = samples.filter(({ count }) => count > 1).map((one) => [one.adapter.name, one.sample.name, one] as const);

describe('authors without an id', () => {
  it.each(cases)('are told apart by their names (%s, %s)', async (_, __, { adapter, sample, files }) => {
    expect(await nameComplaints(adapter, sample, files)).toEqual([]);
  });

  it('are missed where a source drops their names', async () => {
    const [, , { adapter, sample, files }] = cases.find(([source]) => source === 'crisp')!;
    expect(await nameComplaints(nameless(adapter), sample, files)).not.toEqual([]);
  });
});
