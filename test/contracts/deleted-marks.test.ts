import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { sources } from '../../src/sources/registry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { filesOf, readEdited, sourceNamed } from './kinds/edited-samples.ts';
import { put } from './kinds/kind.ts';
import { rowAt } from './kinds/row-at.ts';
import { openSample, type Sample, sampleOptions, samplesOf } from './samples.ts';
import { readAll } from './source/check.ts';

/** Rows of tables have the marks that a mapping names; lines of our own have none but their own. */
const excused = new Set(['csv', 'json', 'database', 'chatferry']);

interface MarkedRow {
  readonly id: string;
  readonly url: string;
  readonly path: string;
  /** Pointers, as `put` takes them, of the message and of its file. */
  readonly row: string;
  readonly file: string | undefined;
}

const messagesIn = (entries: readonly Entry[]): readonly MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

const urlsIn = (message: MessageRecord | undefined): readonly string[] =>
  (message?.attachments ?? []).flatMap(({ url }) => url ?? []);

/** The first message of a sample with a file that has an address, in a file of JSON. */
async function findRow(adapter: SourceAdapter, sample: Sample): Promise<MarkedRow | undefined> {
  const files = await filesOf(sample);
  for (const entry of await readAll(adapter, await openSample(sample), {}, sampleOptions(sample))) {
    if (entry.type !== 'record' || entry.record.kind !== 'message' || entry.record.isDeleted) continue;
    const [url] = urlsIn(entry.record);
    const row = url === undefined ? undefined : rowAt(files, entry.location);
    if (!row || url === undefined) continue;
    const file = holderOf(row.value, url);
    const pointer = file === undefined ? undefined : row.pointer + file;
    return { id: entry.record.origin.id, url, path: entry.location.path, row: row.pointer, file: pointer };
  }
  return undefined;
}

/** Pointer of the object in a row that has the address of a file. */
function holderOf(value: unknown, url: string, pointer = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && Object.values(value).includes(url)) return pointer;
  for (const [key, inner] of Object.entries(value)) {
    const found = holderOf(inner, url, `${pointer}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const rows = await Promise.all(
  sources
    .filter(({ name }) => !excused.has(name))
    .flatMap((adapter) =>
      samplesOf(adapter.name).map(
        async (sample) => [adapter.name, sample.name, await findRow(adapter, sample)] as const,
      ),
    ),
);
const places = rows.flatMap(([source, sample, row]) => {
  if (row === undefined) return [];
  const places = [['message', row.row] as const, ...(row.file ? [['file', row.file] as const] : [])];
  return places.map(([what, at]) => [source, sample, what, at, row] as const);
});

/** The message of a sample, whose row or file has a mark at a place. */
async function readMarked(adapter: SourceAdapter, sample: string, { id, path }: MarkedRow, at: string, mark: object) {
  const edits = Object.entries(mark).map(([key, value]) => put(path, `${at}/${key}`, value));
  return messagesIn(await readEdited(adapter, { sample, edits })).find(({ origin }) => origin.id === id);
}

describe.each([[{ deleted: true }], [{ is_deleted: true }], [{ deleted_at: '2026-03-02T10:00:00Z' }]])(
  'a row with %j',
  (mark) => {
    it.each(places)(
      'is a deleted message, or a file without an address (%s: %s, %s)',
      async (source, sample, _, at, row) => {
        const message = await readMarked(sourceNamed(source), sample, row, at, mark);
        if (message?.isDeleted !== true) expect(urlsIn(message)).not.toContain(row.url);
      },
    );
  },
);

describe('a row without a mark', () => {
  it('keeps its file: the marks make the difference', async () => {
    const [source, sample, , at, row] = places[0]!;
    expect(urlsIn(await readMarked(sourceNamed(source), sample, row, at, { deleted: false }))).toContain(row.url);
  });
});
