import { describe, expect, it } from 'vitest';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { detectSource } from '../../src/sources/detect.ts';
import { isNightly } from '../tier.ts';
import { type JsonForm, jsonForms, reprinted } from './json-forms.ts';
import { filesOf, opened, sourceNamed } from './kinds/edited-samples.ts';
import type { Files } from './kinds/kind.ts';
import { listSamples, type Sample } from './samples.ts';
import { messagesOf, readSample } from './source/check.ts';

/** Returns complaints about a sample that is read otherwise in other forms. */
async function formComplaints(
  sample: Sample,
  forms: readonly JsonForm[],
  given = (input: ExportInput) => input,
): Promise<string[]> {
  const files = await filesOf(sample);
  const look = async (files: Files) => lookAt(sample, given(await opened(files, sample.source)));
  const complaints: string[] = [];
  let before: readonly string[] | undefined;
  for (const form of forms) {
    const printed = Object.entries(files).map(([path, content]) => [path, printedAs(path, content, form)] as const);
    if (printed.every(([path, content]) => content === files[path])) continue;
    before ??= await look(files);
    const now = await look(Object.fromEntries(printed));
    const [lost, more] = [before.filter((one) => !now.includes(one)), now.filter((one) => !before!.includes(one))];
    if (lost.length > 0) complaints.push(`${form.name}: ${lost.length} lost, such as ${lost[0]}`);
    if (more.length > 0) complaints.push(`${form.name}: ${more.length} more, such as ${more[0]}`);
  }
  return complaints;
}

const printedAs = (path: string, content: string | Uint8Array, form: JsonForm) =>
  typeof content === 'string' && !/\.(?:md|txt|log|html?|csv|sql)$/i.test(path)
    ? (reprinted(path, content, form) ?? content)
    : content;

/** The sources that recognise an export, and every entry of it, without what other lines change. */
async function lookAt(sample: Sample, input: ExportInput): Promise<readonly string[]> {
  const detected = (await detectSource(input)).map(({ adapter, match, because }) => [adapter.name, match, because]);
  const entries = await readSample({ adapter: sourceNamed(sample.source), sample }, input);
  const messages = Map.groupBy(messagesOf(entries), ({ origin }) => origin.conversation);
  const rankOf = ({ origin, sortKey }: MessageRecord) =>
    messages.get(origin.conversation)!.filter((other) => other.sortKey < sortKey).length;
  return [JSON.stringify(detected), ...entries.map((entry) => withoutLines(entry, rankOf))];
}

const withoutLines = (entry: Entry, rankOf: (message: MessageRecord) => number): string =>
  JSON.stringify(entry, function (this: unknown, key, value) {
    if (key === 'line') return undefined;
    if (key === 'sortKey') return rankOf(this as MessageRecord);
    return key === 'reason' ? String(value).replace(/\(byte \d+\)/, '') : (value as unknown);
  });

/** An export whose files begin with so many bytes as they are stored, however little they say. */
const withStoredHeads = (input: ExportInput): ExportInput => ({
  ...input,
  head: async (path, byteCount) => (await input.read(path, Number.MAX_SAFE_INTEGER)).subarray(0, byteCount),
});

const samples = listSamples();
/** Two of the forms by day: each sample has its own, and each form comes to several samples of most sources. */
const formsFor = (at: number) =>
  isNightly ? jsonForms : [at, at + 4].map((one) => jsonForms[one % jsonForms.length]!);

describe('JSON that is printed otherwise', () => {
  it.each(samples.map((sample, at) => [sample.folder, sample, formsFor(at)] as const))(
    'is recognised, and read, as the same (%s)',
    async (_, sample, forms) => {
      expect(await formComplaints(sample, forms)).toEqual([]);
    },
  );

  it.each(['chatwoot', 'freshchat', 'helpscout'])('is reported where a source sees less of it (%s)', async (source) => {
    const sample = samples.find((one) => one.source === source)!;
    expect(await formComplaints(sample, jsonForms.slice(-1), withStoredHeads)).not.toEqual([]);
  });
});
