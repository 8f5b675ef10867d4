import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { sources } from '../../src/sources/registry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { decisionsAbout, filesOf, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import { type Edit, put } from './kinds/kind.ts';
import { rowAt } from './kinds/row-at.ts';
import { openSample, type Sample, sampleOptions, samplesOf } from './samples.ts';
import { readAll } from './source/check.ts';

/** Content that no platform has. */
const structure = { heading: 'High water at six', rows: [{ berth: 'North', metres: 4 }] };

interface Emptied {
  /** Takes the text of a message away. */
  readonly blank: Edit;
  /** Puts a structure into the message. */
  readonly fill: Edit;
}

/** The first message of a sample that has nothing but a text, and fields of a file of JSON that say it. */
async function findPlainMessage(adapter: SourceAdapter, sample: Sample): Promise<Emptied | undefined> {
  const files = await filesOf(sample);
  for (const entry of await readAll(adapter, await openSample(sample), {}, sampleOptions(sample))) {
    if (entry.type !== 'record' || entry.record.kind !== 'message' || !isPlain(entry.record)) continue;
    const row = rowAt(files, entry.location);
    const texts = row ? textsIn(row.value, entry.record.text).map((pointer) => row.pointer + pointer) : [];
    if (!row || texts.length === 0) continue;
    const { path } = entry.location;
    return {
      blank: (all) => texts.reduce((edited, pointer) => put(path, pointer, '')(edited), all),
      fill: put(path, `${row.pointer}/tideBoard`, structure),
    };
  }
  return undefined;
}

const isPlain = ({ text, author, ...marks }: MessageRecord): boolean =>
  /^[\w ,.?!']{4,80}$/.test(text) && author !== undefined && plainMarks.every((mark) => marks[mark] === undefined);
const plainMarks = ['attachments', 'systemEvent', 'internal', 'isDeleted', 'call', 'quoteOf', 'lost'] as const;

/** Pointers of the texts in a row that say the words of its message. */
function textsIn(value: unknown, words: string, pointer = ''): string[] {
  if (typeof value === 'string') return value.replace(/<[^>]*>/g, '').includes(words) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, words, `${pointer}/${key}`));
}

const messagesIn = (entries: readonly Entry[]): readonly MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

const isBlank = ({ text, attachments, isDeleted, call, systemEvent }: MessageRecord): boolean =>
  text.trim() === '' && !attachments && !isDeleted && !call && systemEvent === undefined;

/** Counts messages that a rule drops: those of the platform, and blank ones. */
const countDropped = (entries: readonly Entry[]): number =>
  messagesIn(entries).filter(
    (message) => message.unread === undefined && (message.systemEvent !== undefined || isBlank(message)),
  ).length;

/** Returns complaints about a source that reads a message without a text, and the same with a structure. */
async function unreadComplaints(adapter: SourceAdapter, sample: Sample): Promise<string[]> {
  const { blank, fill } = (await findPlainMessage(sourceNamed(adapter.name), sample))!;
  const read = (edits: readonly Edit[]) => readEdited(adapter, { sample: sample.name, edits }, sample.source);
  const before = await read([]);
  const unread = messagesIn(before).filter((message) => message.unread !== undefined).length;
  const said = messagesIn(await read([blank])).flatMap((message) => (message.unread ? [message.unread] : []));
  return [
    ...(said.length > unread ? [`a blank message is said to have content: ${said.flat().join(', ')}`] : []),
    ...(countDropped(await read([blank, fill])) > countDropped(before) ? ['a structure is dropped'] : []),
  ];
}

const tried = await Promise.all(
  sources.flatMap(({ name }) =>
    samplesOf(name).map((sample) =>
      findPlainMessage(sourceNamed(name), sample).then((found) => ({ name, sample, found })),
    ),
  ),
);
const cases = tried
  .filter(({ found }) => found !== undefined)
  .map(({ name, sample }) => [name, sample.name, sample] as const);

/** Of sources that the kit serves in different ways. */
const faulty = ['slack', 'sendbird', 'zendesk', 'matrix', 'chat-service'].map(
  (name) => cases.find(([source]) => source === name)!,
);

/** A source that does not say what it has not read. */
const silent = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) yield entries.map(withoutUnread);
  },
});

function withoutUnread(entry: Entry): Entry {
  if (entry.type !== 'record' || entry.record.kind !== 'message') return entry;
  const { unread: _, ...record } = entry.record;
  return { ...entry, record };
}

describe('a message whose only content is a structure', () => {
  it.each(cases)('is not taken for blank, and a blank one is (%s: %s)', async (source, _, sample) => {
    expect(await unreadComplaints(sourceNamed(source), sample)).toEqual([]);
  });

  it.each(faulty)('is reported if a source calls it blank (%s: %s)', async (source, _, sample) => {
    expect(await unreadComplaints(silent(sourceNamed(source)), sample)).not.toEqual([]);
  });

  it('is tried on every source that does not say why it cannot be', () => {
    const excused = decisionsAbout('unreadContent').filter(([, reason]) => reason !== undefined);
    const names = new Set(cases.map(([source]) => source));
    expect(sources.map(({ name }) => name).filter((name) => !names.has(name))).toEqual(excused.map(([name]) => name));
  });
});
