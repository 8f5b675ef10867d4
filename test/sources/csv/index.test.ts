import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { SourceError } from '../../../src/lib/errors.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { csv } from '../../../src/sources/csv/index.ts';
import { anyText } from '../../arbitrary-text.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const messages = { id: 'id', conversation: 'room', time: { from: 'time', format: 'unix-s' }, text: 'text' };
const plain = 'id,room,time,text\n1,r,1700000000,hi\n';

const rejectsIn = (entries: readonly Entry[]) => entries.filter((entry) => entry.type === 'invalid');
const textsIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.text] : []));

describe('csv without a mapping', () => {
  it('shows what the columns look like, and what to do', async () => {
    const reading = readAll(csv, memoryInput({ 'a.csv': plain }));
    await expect(reading).rejects.toThrow(SourceError);
    await expect(reading).rejects.toMatchObject({
      message: expect.stringContaining('messages.time.format: unix-s (1 of 1 values are 10 digits'),
      hint: expect.stringContaining('chatferry init'),
    });
  });

  it('shows no control characters of the export', async () => {
    const reading = readAll(csv, memoryInput({ 'a.csv': 'id,time,te\u001b]0;x\u0007xt\n1,2,3\n' }));
    await expect(reading).rejects.toMatchObject({ message: expect.not.stringContaining('\u001b') });
  });
});

describe('csv with a mapping', () => {
  it('rejects a file without a required column, and reads the others', async () => {
    const input = memoryInput({ 'a.csv': 'id,raum,time,text\n1,r,1700000000,lost\n', 'b.csv': plain });
    const entries = await readAll(csv, input, {}, { messages });
    expect(rejectsIn(entries)).toEqual([
      expect.objectContaining({
        code: 'missing-column',
        reason: expect.stringContaining('without the column "room"'),
        location: { path: 'a.csv', line: 2 },
      }),
    ]);
    expect(textsIn(entries)).toEqual(['hi']);
  });

  it('rejects a file without the column that excludes private rows', async () => {
    const entries = await readAll(
      csv,
      memoryInput({ 'a.csv': plain }),
      {},
      { messages: { ...messages, skipWhen: { private: ['1'] } } },
    );
    expect(rejectsIn(entries)).toMatchObject([{ code: 'missing-column' }]);
    expect(textsIn(entries)).toEqual([]);
  });

  it('reads a file that is packed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chatferry-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'a.csv.gz'), gzipSync(plain));
    const [input] = await openExport([join(folder, 'a.csv.gz')]);
    onTestFinished(() => input!.close());
    expect(textsIn(await readAll(csv, input!, {}, { messages }))).toEqual(['hi']);
  });

  it('reads a table without a header by the numbers of its columns', async () => {
    const numbered = {
      id: 'column 1',
      conversation: 'column 2',
      time: { from: 'column 3', format: 'unix-s' },
      text: 'column 4',
    };
    const entries = await readAll(
      csv,
      memoryInput({ 'a.csv': '1,r,1700000000,hi\n2,r,1700000001,ho\n' }),
      {},
      { messages: numbered },
    );
    expect(textsIn(entries)).toEqual(['hi', 'ho']);
    expect(entries).toContainEqual(expect.objectContaining({ type: 'problem', code: 'no-header' }));
  });

  it('needs the columns of each table that it is to read', async () => {
    const reading = readAll(
      csv,
      memoryInput({ 'a.csv': plain, 'users.csv': 'id,name\n' }),
      {},
      { messages, tables: { messages: { file: 'a.csv' }, users: { file: 'users.csv' } } },
    );
    await expect(reading).rejects.toThrow('the mapping gives its location, but not its columns');
  });

  it.each([
    [{ messages: { ...messages, time: { from: 'time', format: 'dd.QQ.yyyy' } } }, '"QQ" is no part of a time pattern'],
    [{ messages: { ...messages, time: { from: 'time', zone: 'Europe/Berln' } } }, 'expected a time zone'],
    [{ messages: { ...messages, nosuch: 'x' } }, 'nosuch'],
    [{ encoding: 'klingon' }, 'expected auto, utf-8'],
  ])('refuses a mapping that means nothing: %j', (options, reason) => {
    const issues = csv.options.safeParse(options).error?.issues ?? [];
    expect(issues.map(({ message }) => message).join()).toContain(reason);
  });
});

describe('messages written as a table', () => {
  const western = [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))];
  const encodings: Record<string, (text: string) => Buffer> = {
    'utf-8': (text) => Buffer.from(text),
    'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
    'windows-1252': (text) => Buffer.from([...text].map((character) => western.indexOf(character))),
  };
  const westernText = fc.array(fc.constantFrom(...western), { maxLength: 30 }).map((characters) => characters.join(''));

  it('come back as they were, in any encoding and with any delimiter', async () => {
    const table = fc.constantFrom(...Object.keys(encodings)).chain((encoding) => {
      const text = encoding === 'windows-1252' ? westernText : anyText.map((any) => any.toWellFormed());
      return fc.record({ encoding: fc.constant(encoding), texts: fc.array(text, { minLength: 1, maxLength: 10 }) });
    });
    const delimiter = fc.constantFrom(',', ';', '\t', '|');
    const lineEnd = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(table, delimiter, lineEnd, async ({ encoding, texts }, by, end) => {
        const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const rows = texts.map((text, index) => [String(index), 'r', '1700000000', text].map(quoted).join(by) + end);
        const bytes = encodings[encoding]!(`id${by}room${by}time${by}text${end}${rows.join('')}`);
        const settings = { encoding, delimiter: by === '\t' ? 'tab' : by, nulls: [], messages };
        const entries = await readAll(csv, memoryInput({ 'a.csv': bytes }), {}, settings);
        expect(textsIn(entries)).toEqual(texts);
        expect(rejectsIn(entries)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('never crash the reader, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, hasHeader) => {
        const head = hasHeader ? Buffer.from('id,room,time,text\n') : Buffer.alloc(0);
        const input = memoryInput({ 'a.csv': Buffer.concat([head, bytes]) });
        const entries = await readAll(csv, input, {}, { messages });
        expect(entries.at(-1)).toMatchObject({ type: 'file', path: 'a.csv' });
        await csv.propose(input, {});
        await csv.probe(input);
      }),
      { numRuns: 200 },
    );
  });
});
