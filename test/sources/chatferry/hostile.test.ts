import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { formatCount } from '../../../src/lib/text/count.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { lineBytesMax } from '../../../src/sources/chatferry/format.ts';
import { chatferry } from '../../../src/sources/chatferry/index.ts';
import { naughtyStrings } from '../../arbitrary-text.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { isNightly } from '../../tier.ts';

const home = temporaryFolder();
const made = sharedFolder('corpora/made');
const suite = sharedFolder('corpora/JSONTestSuite/test_parsing');
const naughty = naughtyStrings();

const message = (id: string, text: string) =>
  JSON.stringify({
    kind: 'message',
    origin: { source: 's', workspace: 'w', conversation: 'c', id },
    sortKey: id,
    sentAtMs: 1,
    text,
  });
const [before, behind] = [message('before', 'one'), message('behind', 'two')];

const read = (files: MemoryFiles) => readAll(chatferry, memoryInput(files));
const idsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.origin.id] : [],
  );
const rejectsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.type === 'invalid' ? [`${entry.location.line} ${entry.code}: ${entry.reason}`] : [],
  );

/** Expects that a bad line costs only itself. */
async function expectOnlyItself(line: Uint8Array | string, words: string | RegExp): Promise<void> {
  const pieces = [`${before}\n`, line, `\n${behind}\n`].map((piece) => Buffer.from(piece as string));
  const entries = await read({ 'a.ndjson': Buffer.concat(pieces) });
  expect(idsOf(entries)).toEqual(['before', 'behind']);
  expect(rejectsOf(entries)).toEqual([expect.stringMatching(words)]);
}

describe('a bad line', () => {
  it.each([
    ['is no JSON', '{"kind":', /^2 json-syntax: Cannot read this line: /],
    ['is no object', '"text"', '2 invalid-line: Cannot use this line: expected an object, found a text'],
    ['has no kind', '{}', '2 invalid-line: Cannot use this line: /kind: expected "chatferry", "user"'],
    ['has a kind of objects', '{"kind":"__proto__"}', 'found "__proto__"'],
    ['has a number for an id', message('x', '').replace('"x"', '12'), '/origin/id: expected a text, found 12'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), '2 json-encoding: Cannot read this line: it is not valid UTF-8'],
    ['is deep', '['.repeat(100_000), /^2 json-/],
    ['is deep and whole', `${'['.repeat(5000)}${']'.repeat(5000)}`, '2 json-too-deep'],
    ['has a prototype', `${before.slice(0, -1)},"__proto__":{"isAdmin":true}}`, '/__proto__: there is no such field'],
    ['has a key that moves the cursor', `${before.slice(0, -1)},"\\u001b[2J":1}`, 'line: /: there is no such field'],
    ['has NUL bytes', Buffer.alloc(8), /^2 json-syntax/],
  ])('that %s costs itself, and says so', async (_, line, words) => {
    await expectOnlyItself(line, words);
  });

  it('of 40 MB or more loses only itself, and is not kept in memory', async () => {
    const line = Buffer.alloc(isNightly ? 100_000_000 : 40_000_000, 0x61);
    await expectOnlyItself(
      line,
      `2 json-too-large: Cannot read this line: it has ${formatCount(line.length)} bytes, more than ${formatCount(lineBytesMax)}`,
    );
  });

  it('reports every kind of fault with its location and the expected value', async () => {
    const faults = [
      [{ sentAtMs: 1.5 }, '/sentAtMs: expected a whole number, found 1.5'],
      [{ sentAtMs: null }, '/sentAtMs: expected a number, found null'],
      [{ text: undefined }, '/text: expected a text, found nothing'],
      [{ attachments: [{ name: 'a', sizeBytes: -1 }] }, '/attachments/0/sizeBytes: expected 0 or more, found -1'],
      [
        { reactions: [{ emoji: '', users: [], count: 1 }] },
        '/reactions/0/emoji: expected at least 1 character, found an empty text',
      ],
      [{ isPinned: 'yes', isDeleted: 0 }, '/isDeleted: expected true or false, found 0; 1 more fault'],
      [{ custom: { a: 1 }, extra: 1, more: 2 }, '/extra: there is no such field'],
    ] as const;
    const lines = faults.map(([change]) => JSON.stringify({ ...JSON.parse(before), ...change }));
    const entries = await read({ 'a.ndjson': lines.join('\n') });
    expect(rejectsOf(entries)).toEqual(
      faults.map(([, words], index) => `${index + 1} invalid-line: Cannot use this line: ${words}`),
    );
  });
});

describe('a file', () => {
  it('may have ids that were written as numbers of 64 bits: every digit counts', async () => {
    const line = message('x', '').replace('"x"', '12345678901234567891');
    expect(idsOf(await read({ 'a.ndjson': line }))).toEqual(['12345678901234567891']);
  });

  it('may have a byte order mark, CRLF, blank lines, and no line feed at its end', async () => {
    const text = `\ufeff\r\n${before}\r\n  \r\n${behind}`;
    expect(idsOf(await read({ 'a.ndjson': text }))).toEqual(['before', 'behind']);
    expect(idsOf(await read({ 'a.ndjson': Buffer.from(text, 'utf16le') }))).toEqual(['before', 'behind']);
  });

  it('that is truncated anywhere yields the whole lines, and one reject for the rest', async () => {
    const bytes = Buffer.from(`${before}\n${behind}`);
    for (let length = before.length + 2; length < bytes.length; length++) {
      const entries = await read({ 'a.ndjson': bytes.subarray(0, length) });
      expect(idsOf(entries)).toEqual(['before']);
      expect(rejectsOf(entries).length, String(length)).toBe(1);
    }
  });

  it('that is compressed and truncated yields what could be unpacked, and one reject for the rest', async () => {
    const path = join(home.make(), 'a.ndjson.gz');
    const lines = Array.from({ length: 5000 }, (_, index) => message(String(index), `${Math.sin(index)}`));
    const packed = gzipSync(lines.join('\n'));
    writeFileSync(path, packed.subarray(0, packed.length / 2));
    const [input] = await openExport([path]);
    const entries = await readAll(chatferry, input!);
    await input!.close();
    expect(idsOf(entries).length).toBeGreaterThan(500);
    expect(rejectsOf(entries)).toEqual([expect.stringContaining('Cannot unpack the whole gzip file: it is cut off')]);
  });

  it.each([
    ['a newer version', { version: 2 }, '/version: expected 1, found 2'],
    ['no version', {}, '/version: expected 1, found nothing'],
    ['a source that is no text', { version: 1, source: 5 }, '/source: expected a text, found 5'],
  ])('whose header has %s is refused with its location', async (_, header, words) => {
    const line = JSON.stringify({ kind: 'chatferry', ...header });
    await expect(read({ 'a.ndjson': `${line}\n${before}` })).rejects.toThrow(`${words} (a.ndjson:1)`);
    await expect(read({ 'a.ndjson': `${before}\n${line}` })).rejects.toThrow(`${words} (a.ndjson:2)`);
  });

  it('rejects messages of a source that its header does not name, until the next header', async () => {
    const [s, t] = ['s', 't'].map((source) => JSON.stringify({ kind: 'chatferry', version: 1, source }));
    const entries = await read({ 'a.ndjson': [t, before, s, behind].join('\n') });
    expect(idsOf(entries)).toEqual(['behind']);
    expect(rejectsOf(entries)).toEqual([expect.stringContaining('/origin/source: expected "t" as above, found "s"')]);
  });

  it('of another source than the file next to it is refused, with both names', async () => {
    const files = { 'a.ndjson': before, 'b.ndjson': before.replace('"s"', '"t"') };
    await expect(read(files)).rejects.toThrow(
      'Cannot read "a.ndjson" and "b.ndjson" together: messages of source "s" and of source "t"',
    );
  });
});

describe.skipIf(naughty === null)('naughty strings', () => {
  it('are texts, names and ids like any other', async () => {
    const lines = naughty!
      .filter(Boolean)
      .flatMap((text) => [JSON.stringify({ kind: 'user', id: text, name: text }), message(text, text)]);
    const entries = await read({ 'a.ndjson': lines.join('\n') });
    expect(rejectsOf(entries)).toEqual([]);
    expect(idsOf(entries)).toEqual(naughty!.filter(Boolean));
  });
});

for (const [name, folder] of [
  ['made', made],
  ['JSONTestSuite', suite],
] as const) {
  describe.skipIf(folder === null)(`the files of ${name}`, () => {
    const names = folder === null ? [] : readdirSync(folder).filter((file) => file.endsWith('.json'));

    it.each(names)('%s: costs its own lines and nothing else', async (file) => {
      const bytes = readFileSync(join(folder!, file));
      const lone = await read({ 'a.ndjson': bytes });
      expect(idsOf(lone)).toEqual([]);
      const isBlank = bytes.toString().replace('\ufeff', '').trim() === '';
      expect(rejectsOf(lone).length > 0 || isBlank).toBe(true);
      // A UTF-16 file, or one with a mark, is such a file only from its first byte.
      const entries = await read({
        'a.ndjson': Buffer.concat([Buffer.from(`${before}\n`), bytes, Buffer.from(`\n${behind}`)]),
      });
      expect(idsOf(entries)).toEqual(['before', 'behind']);
    });
  });
}
