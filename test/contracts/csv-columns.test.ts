import { describe, expect, it } from 'vitest';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { filesOf, opened, sampleNamed, sourceNamed } from './kinds/edited-samples.ts';
import { memoryInput } from './memory-input.ts';
import { sampleOptions } from './samples.ts';
import { pathOf, readAll } from './source/check.ts';

/** Tables of messages that a program writes: a table with one column more is one of the user's own. */
const tables: readonly (readonly [source: string, sample: string, file: string])[] = [
  ['discord', 'channel-csv', 'Harbour - Piers - general [1477000000000000100].csv'],
  ['discord', 'data-package-of-2021', 'messages/1300000000000000100/messages.csv'],
  ['kakaotalk', 'mac', 'export.csv'],
  ['rocketchat', 'tables', 'general/messages.csv'],
  ['rocketchat', 'tables', 'directmessages/messages.csv'],
  ['sendbird', 'tables', 'messages/messages.csv'],
  ['xmpp', 'ejabberd', 'archive.csv'],
  ['xmpp', 'prosody-table', 'prosodyarchive.csv'],
];
const added = ['internal', 'tenant_id', 'is_hidden'] as const;

/** Adds a cell to each row; quoted cells may have several lines. The first row has the names, if there are any. */
function withColumn(text: string, name: string, isNamed: boolean): string {
  let isQuoted = false;
  let row = 0;
  return text.replace(/"|\r?\n/g, (mark, at: number) => {
    if (mark === '"') isQuoted = !isQuoted;
    if (mark === '"' || isQuoted || /^\s*$/.test(text.slice(0, at))) return mark;
    row += 1;
    const delimiter = /^[^\n]*?[\w"]([;\t,])/.exec(text)?.[1] ?? ',';
    return `${delimiter}${row === 1 && isNamed ? name : '1'}${mark}`;
  });
}

/** A source that does not see the column. */
const blind = (adapter: SourceAdapter, column: string): SourceAdapter => ({
  ...adapter,
  read: (input, ...request) => adapter.read(withoutColumn(input, column), ...request),
});

const withoutColumn = (input: ExportInput, column: string): ExportInput => ({
  ...input,
  async *open(path) {
    const chunks = await Array.fromAsync(input.open(path));
    const text = Buffer.concat(chunks).toString('utf8');
    yield Buffer.from(text.includes(`,${column}`) ? text.replace(`,${column}`, '').replace(/,1(?=\r?\n)/g, '') : text);
  },
});

async function messagesFrom(adapter: SourceAdapter, sample: string, file: string, column?: string) {
  const found = sampleNamed(adapter.name, sample);
  const files = { ...(await filesOf(found)) };
  const path = Object.keys(files).find((one) => one.endsWith(file))!;
  const text = Buffer.from(files[path]!).toString('utf8');
  if (column !== undefined) files[path] = withColumn(text, column, adapter.name !== 'rocketchat');
  const entries = await readAll(adapter, await opened(files, adapter.name), {}, sampleOptions(found));
  const messages = entries.filter(
    (entry) => pathOf(entry) === path && entry.type === 'record' && entry.record.kind === 'message',
  );
  // Without the other files: they may be what identifies the export.
  const { match } = await adapter.probe(memoryInput({ 'messages.csv': files[path]! }));
  return { count: messages.length, match };
}

const cases = tables.flatMap(([source, sample, file]) =>
  added.map((column) => [source, file, column, sample] as const),
);

describe('a table of a program with one more column', () => {
  it.each(cases)('is not recognised, and no row of it is sent (%s: %s, %s)', async (source, file, column, sample) => {
    const adapter = sourceNamed(source);
    expect((await messagesFrom(adapter, sample, file)).count).toBeGreaterThan(0);
    expect(await messagesFrom(adapter, sample, file, column)).toEqual({ count: 0, match: 'no' });
  });

  it('is noticed if a source reads it', async () => {
    const adapter = blind(sourceNamed('sendbird'), 'internal');
    const { count } = await messagesFrom(adapter, 'tables', 'messages/messages.csv', 'internal');
    expect(count).toBeGreaterThan(0);
  });
});
