import { describe, expect, it } from 'vitest';
import { SourceError, StoreError } from '../../../../src/lib/errors.ts';
import type { Location } from '../../../../src/lib/text/location.ts';
import type { Entry } from '../../../../src/model/entry.ts';
import { newMessage } from '../../../../src/model/new-message.ts';
import { problemEntry, recordEntry, invalidEntry } from '../../../../src/sources/kit/entries.ts';
import { readRowFiles, readSharedFiles } from '../../../../src/sources/kit/files/read-files.ts';
import { type JsonFile, readJsonEntries } from '../../../../src/sources/kit/rows/json-entries.ts';
import { invalidRow, unforeseen } from '../../../../src/sources/kit/rows/row-boundary.ts';
import { RowNotes } from '../../../../src/sources/kit/rows/row-notes.ts';
import { readTextRows } from '../../../../src/sources/kit/rows/text-rows.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';
import { contextWith } from '../../../contracts/source/check.ts';

const location = { path: 'a.json', pointer: '/1' };
const origin = { source: 'x', workspace: '', conversation: 'c', id: '1' };
const message = recordEntry(newMessage({ origin, sortKey: '1', sentAtMs: 1, text: '' }), location);
const person = recordEntry({ kind: 'user', id: 'u', name: 'Ines' }, location);

const fault = new TypeError('value.trim is not a function');

/** Yields each row as a problem with its number, and throws at those that say so. */
const throwing = (addFault?: JsonFile['addFault']): JsonFile => ({
  add({ value, location: at }, into) {
    const { how } = value as { how: string };
    into.push(message);
    if (how === 'throws') throw fault;
    if (how === 'rejects') return Promise.reject(fault);
    into[into.length - 1] = problemEntry('read', how, at);
    return undefined;
  },
  ...(addFault && { addFault }),
  end: () => [],
});

const codesOf = (entries: readonly Entry[]) =>
  entries.map((entry) =>
    entry.type === 'problem' || entry.type === 'invalid' ? `${entry.type} ${entry.code}` : entry.type,
  );

describe('a row that throws', () => {
  it('is an invalid row at its location, and what it described is kept', () => {
    const into: Entry[] = [message, person, message, invalidEntry('bad-time', '', location)];
    invalidRow(fault, { into, begin: 1, location, conversation: 'c' });
    expect(into).toEqual([
      message,
      person,
      { ...invalidEntry('row-not-understood', expect.stringContaining('TypeError'), location, 'c'), cause: fault },
    ]);
  });

  it.each(['throws', 'rejects'])('does not keep the next row of a JSON file from being read, if it %s', async (how) => {
    const input = memoryInput({ 'a.json': [{ how: 'one' }, { how }, { how: 'two' }] });
    const file = throwing();
    const lists = await Array.fromAsync(readJsonEntries(input, 'a.json', { layout: 'list', pattern: [] }, file));
    expect(lists.flat()).toEqual([
      problemEntry('read', 'one', { path: 'a.json', pointer: '/0' }),
      expect.objectContaining({ type: 'invalid', code: 'row-not-understood', location }),
      problemEntry('read', 'two', { path: 'a.json', pointer: '/2' }),
    ]);
  });

  it('becomes what the file returns for a row that is invalid JSON', async () => {
    const input = memoryInput({ 'a.json': [{ how: 'throws' }] });
    const file = throwing((row, into) => into.push(problemEntry(row.fault.code, row.fault.scope, row.location)));
    const lists = await Array.fromAsync(readJsonEntries(input, 'a.json', { layout: 'list', pattern: [] }, file));
    expect(lists.flat()).toMatchObject([{ type: 'problem', code: 'row-not-understood', reason: 'row' }]);
  });

  it('does not keep the next line of a text from being read', async () => {
    const row = (text: string, at: Location, into: Entry[]) => {
      if (text === 'b') throw fault;
      into.push(problemEntry('read', text, at));
      return undefined;
    };
    const input = memoryInput({ 'a.txt': 'a\nb\nc\n' });
    const rows = readTextRows(input, 'a.txt', { conversation: 'c', notes: new RowNotes(), row });
    expect((await Array.fromAsync(rows)).flat()).toMatchObject([
      { reason: 'a', location: { line: 1 } },
      { type: 'invalid', code: 'row-not-understood', conversation: 'c', location: { path: 'a.txt', line: 2 } },
      { reason: 'c', location: { line: 3 } },
    ]);
  });
});

describe('an error of the whole run', () => {
  it.each([
    ['an error of ours about the export', new SourceError('Cannot read')],
    ['an error of ours about the store', new StoreError('Cannot write', { path: 'a.db' })],
    ['an abort', new DOMException('stopped', 'AbortError')],
    ['a full disk', Object.assign(new Error('no space'), { code: 'ENOSPC' })],
    ['the database', Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })],
    ['memory', new RangeError('Array buffer allocation failed')],
    ['memory, as Node says it', Object.assign(new Error('no memory'), { code: 'ERR_MEMORY_ALLOCATION_FAILED' })],
  ])('is no invalid row: %s', (_, error) => {
    expect(() => unforeseen(error)).toThrow(error);
  });

  it.each([
    ['a wrong argument', Object.assign(new TypeError('The argument'), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['a text that is too long', new RangeError('Invalid string length')],
    ['what is no error', 'a word'],
  ])('is not %s', (_, error) => {
    expect(unforeseen(error)).toMatchObject({ code: 'row-not-understood', cause: error });
  });
});

describe('an error outside the rows of a file', () => {
  const read = (path: string) => {
    if (path === 'b.json') throw fault;
    return [[message]];
  };
  const paths = ['a.json', 'b.json', 'c.json'];

  it('is one invalid row, and the next file is read', async () => {
    const lists = await Array.fromAsync(readRowFiles({ paths, context: contextWith({}), read }));
    expect(codesOf(lists.flat())).toEqual([
      ...['record', 'file', 'invalid row-not-understood', 'file'],
      ...['record', 'file'],
    ]);
  });

  it('is a problem in a file that others refer to', async () => {
    const lists = await Array.fromAsync(readSharedFiles({ paths, context: contextWith({}), read }));
    expect(codesOf(lists.flat())).toContain('problem row-not-understood');
  });

  it('is an abort, whatever was thrown, if the run was aborted', async () => {
    const abort = new AbortController();
    const stopped = new Error('stopped');
    const failing = () => {
      abort.abort(stopped);
      throw fault;
    };
    const reading = readRowFiles({ paths, context: contextWith({ signal: abort.signal }), read: failing });
    await expect(Array.fromAsync(reading)).rejects.toBe(stopped);
  });
});
