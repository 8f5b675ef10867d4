import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Base32 } from '../../../src/lib/hash.ts';
import { findCsvShape } from '../../../src/sources/csv/csv-shape.ts';
import { csv } from '../../../src/sources/csv/index.ts';
import { fileOptionsSchema } from '../../../src/sources/csv/options.ts';
import { readTableRows } from '../../../src/sources/csv/rows.ts';
import type { RowStep } from '../../../src/sources/tables/row.ts';
import { naughtyStrings } from '../../arbitrary-text.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';

const golden = join(import.meta.dirname, 'corpora.golden.json');
const made = sharedFolder('corpora/made');
const spectrum = sharedFolder('corpora/csv-spectrum');

const csvFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort();

async function stepsOf(bytes: Buffer): Promise<RowStep[]> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  const shape = findCsvShape(bytes, fileOptionsSchema.parse({}));
  return (await Array.fromAsync(readTableRows(pieces(), 'file.csv', shape))).flat();
}

const valuesOf = (step: RowStep) => (step.type === 'row' ? step.names().map((name) => [name, step.get(name)]) : []);

/** Returns the location and code as text, and the values as a hash: the files themselves stay in the corpora. */
const outcome = (step: RowStep): string => {
  const line = `line ${step.location.line ?? '-'}`;
  return step.type === 'row'
    ? `${line}: row ${sha256Base32(JSON.stringify(valuesOf(step)), 12)}`
    : `${line}: ${step.type} ${step.code}`;
};

describe.skipIf(made === null)('csv, file by file', () => {
  it('reads or rejects the rows of each as listed in the golden file', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const name of csvFiles(made!)) found[name] = (await stepsOf(readFileSync(join(made!, name)))).map(outcome);
    if (process.env.UPDATE_SAMPLES) writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  });
});

describe.skipIf(spectrum === null)('csv-spectrum', () => {
  it.each(spectrum === null ? [] : csvFiles(join(spectrum, 'csvs')))('reads %s as its JSON says', async (name) => {
    const steps = await stepsOf(readFileSync(join(spectrum!, 'csvs', name)));
    const expected = JSON.parse(readFileSync(join(spectrum!, 'json', name.replace('.csv', '.json')), 'utf8'));
    // Some of its expectations were written on another system: they have LF where the file has CRLF inside a field.
    const unified = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('\\r\\n', '\\n'));
    const rows = steps.filter((step) => step.type === 'row').map((step) => Object.fromEntries(valuesOf(step)));
    expect(unified(rows)).toEqual(unified(expected));
  });
});

describe('csv', () => {
  it('imports naughty strings unchanged', async () => {
    const strings = (naughtyStrings() ?? ['none']).filter(
      (text) => text !== '' && text !== 'NULL' && text.isWellFormed(),
    );
    const rows = strings.map((text, index) => `${index},"${text.replaceAll('"', '""')}"\n`);
    const mapping = {
      id: 'id',
      conversation: { constant: 'c' },
      time: { from: { constant: '2026-01-01T00:00:00Z' } },
      text: 'text',
    };
    const input = memoryInput({ 'a.csv': `id,text\n${rows.join('')}` });
    const entries = await readAll(csv, input, {}, { messages: mapping });
    const texts = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.text] : [],
    );
    expect(texts).toEqual(strings);
  });
});
