import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLocation } from '../../../src/lib/text/location.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { lineBytesMax } from '../../../src/sources/chatferry/format.ts';
import { chatferry } from '../../../src/sources/chatferry/index.ts';
import { writeHeader, writeLine } from '../../../src/sources/chatferry-lines.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { anyEntry } from './arbitrary-entries.ts';

type Written = Exclude<Entry, { type: 'file' }>;

const fileOf = (entries: readonly Written[]) =>
  [writeHeader('made'), ...entries.map(writeLine)].map(({ text }) => text).join('');

async function readBack(entries: readonly Written[]): Promise<Written[]> {
  const read = await readAll(chatferry, memoryInput({ 'out.ndjson': fileOf(entries) }));
  return read.flatMap((entry) =>
    entry.type === 'file' || (entry.type === 'problem' && entry.code === 'described-late') ? [] : [entry],
  );
}

/** The entry as it must come back from a line of the file. */
function expected(entry: Written, index: number): Written {
  const location = { path: 'out.ndjson', line: index + 2 };
  if (entry.type === 'record' || entry.type === 'skipped') return { ...entry, location };
  return { ...entry, reason: `${entry.reason} (at ${formatLocation(entry.location)})`, location };
}

describe('a line of our own', () => {
  it('reads as the entry that was written, whatever it says', async () => {
    const property = fc.asyncProperty(fc.array(anyEntry, { maxLength: 12 }), async (entries) => {
      const read = await readBack(entries);
      expect(read).toEqual(entries.map(expected));
      // Fields keep their order: what is made of a record is the same to the byte.
      expect(JSON.stringify(read)).toBe(JSON.stringify(entries.map(expected)));
    });
    await fc.assert(property, { numRuns: 200 });
  });

  const record: MessageRecord = {
    kind: 'message',
    origin: { source: 'made', workspace: 'w', conversation: 'c', id: '1' },
    sortKey: '',
    sentAtMs: 0,
    text: '',
  };
  const location = { path: 'general/2024-03-01.json', pointer: '/41' };

  it('keeps keys that objects have of their own, and the order of fields', async () => {
    const custom = JSON.parse('{"__proto__":{"a":1},"constructor":"b","2":1,"1":2}') as Record<string, never>;
    const [read] = await readBack([{ type: 'record', record: { ...record, custom }, location }]);
    expect(JSON.stringify((read as { record: MessageRecord }).record.custom)).toBe(JSON.stringify(custom));
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it('is a reject with the location of the message if it would exceed the line limit of a reader', async () => {
    const text = '€'.repeat(Math.ceil(lineBytesMax / 3));
    const [read] = await readBack([{ type: 'record', record: { ...record, text }, location }]);
    expect(read).toMatchObject({ type: 'invalid', code: 'too-large' });
    expect((read as { reason: string }).reason).toMatch(
      /^Its line would have [\d,]+ bytes, .*2024-03-01\.json#\/41\)$/,
    );
  });

  it('of a person that would be too long is a problem, not a lost message', async () => {
    const name = 'x'.repeat(lineBytesMax);
    const [read] = await readBack([{ type: 'record', record: { kind: 'user', id: '1', name }, location }]);
    expect(read).toMatchObject({ type: 'problem', code: 'too-large' });
  });
});
