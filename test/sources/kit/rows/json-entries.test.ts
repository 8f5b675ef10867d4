import { expect, it } from 'vitest';
import type { ExportInput } from '../../../../src/io/input/export-input.ts';
import { SourceError } from '../../../../src/lib/errors.ts';
import type { Entry } from '../../../../src/model/entry.ts';
import { problemEntry } from '../../../../src/sources/kit/entries.ts';
import { type JsonFile, readJsonEntries } from '../../../../src/sources/kit/rows/json-entries.ts';

const problem = (code: string) => problemEntry(code, 'A reason', { path: 'a.json' });

/** Row 2 has to be waited for. */
const file: JsonFile = {
  add({ value }, into) {
    const entry = problem(`row-${String(value)}`);
    if (value !== 2) return void into.push(entry);
    return Promise.resolve().then(() => void into.push(entry));
  },
  end: () => [problem('end')],
};

async function codesOf(text: string, isCut: boolean, read = file): Promise<string[]> {
  async function* open() {
    yield Buffer.from(text);
    if (isCut) throw new SourceError('The archive is damaged', {});
  }
  const codes: string[] = [];
  const input = { open } as Partial<ExportInput> as ExportInput;
  const note = (entries: readonly Entry[]) =>
    codes.push(...entries.map((entry) => ('code' in entry ? entry.code : '')));
  try {
    for await (const entries of readJsonEntries(input, 'a.json', { layout: 'list', pattern: [] }, read)) note(entries);
  } catch (error) {
    codes.push(String(error));
  }
  return codes;
}

it('readJsonEntries() keeps the order of rows, those that are waited for among them, and says what cannot be read', async () => {
  expect(await codesOf('[1,2,tru,3]', false)).toEqual(['row-1', 'row-2', 'json-syntax', 'row-3', 'end']);
});

it('readJsonEntries() yields what it has read before the unreadable part of a file', async () => {
  expect(await codesOf('[1,2,', true)).toEqual(['row-1', 'row-2', 'end', expect.stringContaining('damaged')]);
});

it('readJsonEntries() leaves faults to the file where that knows more of them', async () => {
  const read: JsonFile = { ...file, addFault: (row, into) => into.push(problem(`mine-${row.fault.scope}`)) };
  expect(await codesOf('[tru,3]', false, read)).toEqual(['mine-row', 'row-3', 'end']);
});
