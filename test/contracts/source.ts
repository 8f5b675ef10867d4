import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import type { Entry } from '../../src/model/entry.ts';
import { recordSchema } from '../../src/model/records.ts';
import { detectSource } from '../../src/sources/detect.ts';
import type { ReadContext, SourceAdapter } from '../../src/sources/source.ts';
import { watched, withFile } from './altered-input.ts';
import { describeGrowing } from './growing-source.ts';
import { memoryInput } from './memory-input.ts';
import { listSamples, openSample, type Sample, sampleOptions } from './samples.ts';

/**
 * What every source must do, tried on its own samples. After a change that is meant:
 * `UPDATE_SAMPLES=1 vitest run test/sources`, and read the difference line by line.
 */
export function describeSource(adapter: SourceAdapter): void {
  const samples = listSamples().filter(({ source }) => source === adapter.name);

  describe(`source ${adapter.name}`, () => {
    describeDeclarations(adapter);
    describeProbe(adapter, samples);
    for (const sample of samples) {
      describe(`sample ${sample.name}`, () => {
        describeEntries(adapter, sample);
        describePartition(adapter, sample);
        describeFaults(adapter, sample);
        describeEnding(adapter, sample);
      });
    }
    if (adapter.canGoOn) describeGrowing(adapter, samples);
  });
}

function describeDeclarations(adapter: SourceAdapter): void {
  it('has a name in lower case that can stand in an id', () => {
    expect(adapter.name).toMatch(/^[a-z][a-z0-9-]*$/);
  });

  it('describes every option and gives it a default', () => {
    expect(adapter.options).toBeInstanceOf(z.ZodObject);
    for (const option of Object.values((adapter.options as z.ZodObject).shape)) {
      expect(option.meta()?.description).toMatch(/^[A-Z]/);
    }
    expect(() => adapter.options.parse({})).not.toThrow();
  });
}

function describeProbe(adapter: SourceAdapter, samples: readonly Sample[]): void {
  it('recognises its own samples and says why', async () => {
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      const [first] = await detectSource(await openSample(sample));
      expect(first?.adapter.name, sample.folder).toBe(adapter.name);
      expect(first?.because, sample.folder).not.toBe('');
    }
  });

  it("recognises no one else's samples", async () => {
    for (const sample of listSamples().filter(({ source }) => source !== adapter.name)) {
      const probe = await adapter.probe(await openSample(sample));
      // A source without fixed fields may see a table in anything, as long as whose it is comes first.
      if (adapter.propose && probe.match === 'likely') {
        const [first] = await detectSource(await openSample(sample));
        expect(first?.adapter.name, sample.folder).toBe(sample.source);
      } else {
        expect(probe, sample.folder).toEqual({ match: 'no' });
      }
    }
  });

  it('answers "no" to what is no export at all', async () => {
    const strangers = [{}, { 'package.json': { name: 'x' }, 'src/a.json': [1] }, { 'photo.jpg': '\xff\xd8\xff' }];
    for (const files of strangers) expect(await adapter.probe(memoryInput(files))).toEqual({ match: 'no' });
  });
}

function describeEntries(adapter: SourceAdapter, sample: Sample): void {
  it('yields exactly the entries of expected.ndjson', async () => {
    const path = join(sample.folder, 'expected.ndjson');
    const lines = (await readSample(adapter, sample, await openSample(sample))).map(
      (entry) => `${JSON.stringify(entry)}\n`,
    );
    if (process.env.UPDATE_SAMPLES) writeFileSync(path, lines.join(''));
    expect(existsSync(path), path).toBe(true);
    expect(lines.join('')).toBe(readFileSync(path, 'utf8'));
  });

  it('yields records that fit the model', async () => {
    for (const entry of await readSample(adapter, sample, await openSample(sample))) {
      if (entry.type === 'record') expect(() => recordSchema.parse(entry.record), formatEntry(entry)).not.toThrow();
    }
  });

  it('gives every entry a place that exists', async () => {
    const input = await openSample(sample);
    const paths = await input.paths();
    for (const entry of await readSample(adapter, sample, input)) {
      expect(paths).toContain(pathOf(entry));
      if (entry.type !== 'file') await expectPlace(input, entry);
    }
  });

  it('closes every file once, after everything that it holds', async () => {
    const input = await openSample(sample);
    const entries = await readSample(adapter, sample, input);
    const closed = entries.filter((entry) => entry.type === 'file').map(({ path }) => path);
    expect([...closed].sort()).toEqual([...(await input.paths())].sort());
    const afterClosing = entries.filter((entry, index) => {
      const closedAt = entries.findIndex((other) => other.type === 'file' && other.path === pathOf(entry));
      return entry.type !== 'file' && closedAt < index;
    });
    expect(afterClosing).toEqual([]);
  });

  it('yields the same when read twice', async () => {
    const input = await openSample(sample);
    expect(await readSample(adapter, sample, input)).toEqual(await readSample(adapter, sample, input));
  });
}

function describePartition(adapter: SourceAdapter, sample: Sample): void {
  it('is the same whole in any parts', async () => {
    const whole = await readSample(adapter, sample, await openSample(sample));
    const rowFiles = rowFilesOf(whole);
    for (const [path] of rowFiles.entries()) {
      const wants = (candidate: string) => rowFiles.indexOf(candidate) <= path;
      const part = await readSample(adapter, sample, await openSample(sample), { wants });
      const rest = await readSample(adapter, sample, await openSample(sample), {
        wants: (candidate) => !wants(candidate),
      });
      const isRow = (entry: Entry) => rowFiles.includes(pathOf(entry));
      expect(part.filter((entry) => !isRow(entry))).toEqual(whole.filter((entry) => !isRow(entry)));
      expect([...part.filter(isRow), ...rest.filter(isRow)]).toEqual(whole.filter(isRow));
    }
  });

  it('does not open a file that is not wanted', async () => {
    const { input, watch } = watched(await openSample(sample));
    const rowFiles = rowFilesOf(await readSample(adapter, sample, await openSample(sample)));
    await readSample(adapter, sample, input, { wants: () => false });
    expect(rowFiles.filter((path) => watch.opened.includes(path))).toEqual([]);
  });
}

function describeFaults(adapter: SourceAdapter, sample: Sample): void {
  it('rejects what a cut-off file has lost, and reads the others', async () => {
    const whole = await readSample(adapter, sample, await openSample(sample));
    for (const path of rowFilesOf(whole).filter((candidate) => candidate.endsWith('.json'))) {
      const input = await openSample(sample);
      const bytes = await input.read(path, Number.MAX_SAFE_INTEGER);
      const entries = await readSample(
        adapter,
        sample,
        withFile(input, path, bytes.subarray(0, Math.floor(bytes.length * 0.6))),
      );
      expect(
        entries.some((entry) => entry.type === 'reject' && entry.location.path === path),
        path,
      ).toBe(true);
      expect(entries.filter((entry) => pathOf(entry) !== path)).toEqual(
        whole.filter((entry) => pathOf(entry) !== path),
      );
    }
  });

  it('rejects a file that cannot be read, and reads the others', async () => {
    const whole = await readSample(adapter, sample, await openSample(sample));
    for (const path of rowFilesOf(whole)) {
      const entries = await readSample(adapter, sample, withFile(await openSample(sample), path, undefined));
      const own = entries.filter((entry) => pathOf(entry) === path);
      expect(own.map(({ type }) => type)).toEqual(['reject', 'file']);
      expect(entries.filter((entry) => pathOf(entry) !== path)).toEqual(
        whole.filter((entry) => pathOf(entry) !== path),
      );
    }
  });
}

function describeEnding(adapter: SourceAdapter, sample: Sample): void {
  it('leaves nothing open when the reader stops early', async () => {
    const { input, watch } = watched(await openSample(sample));
    for await (const entries of adapter.read(input, adapter.options.parse(sampleOptions(sample)), contextWith({}))) {
      if (entries.some(isMessage)) break;
    }
    expect(watch.openCount).toBe(0);
  });

  it('opens no further file after an abort', async () => {
    const { input, watch } = watched(await openSample(sample));
    const abort = new AbortController();
    const reason = new Error('enough');
    let openedBefore: readonly string[] | undefined;
    const reading = async () => {
      for await (const _ of adapter.read(
        input,
        adapter.options.parse(sampleOptions(sample)),
        contextWith({ signal: abort.signal }),
      )) {
        openedBefore ??= [...watch.opened];
        abort.abort(reason);
      }
    };
    // The list that came may have been the last one.
    await reading().catch((error: unknown) => expect(error).toBe(reason));
    expect(watch.opened).toEqual(openedBefore);
    expect(watch.openCount).toBe(0);
  });

  it('reads nothing when it is aborted already', async () => {
    const { input, watch } = watched(await openSample(sample));
    await expect(
      readSample(adapter, sample, input, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
    expect(watch.opened).toEqual([]);
  });
}

const contextWith = (context: Partial<ReadContext>): ReadContext => ({
  signal: new AbortController().signal,
  wants: () => true,
  ...context,
});

/** Every entry of a sample, whose input may have been altered, read as its mapping says. */
const readSample = (adapter: SourceAdapter, sample: Sample, input: ExportInput, context: Partial<ReadContext> = {}) =>
  readAll(adapter, input, context, sampleOptions(sample));

/** Every entry of an export. */
export async function readAll(
  adapter: SourceAdapter,
  input: ExportInput,
  context: Partial<ReadContext> = {},
  options: unknown = {},
): Promise<Entry[]> {
  return (await Array.fromAsync(adapter.read(input, adapter.options.parse(options), contextWith(context)))).flat();
}

const isMessage = (entry: Entry) => entry.type === 'record' && entry.record.kind === 'message';

const pathOf = (entry: Entry) => (entry.type === 'file' ? entry.path : entry.location.path);

const formatEntry = (entry: Entry) => JSON.stringify(entry);

const rowFilesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'file' && entry.role === 'rows' ? [entry.path] : []));

/** The line, or the value that the pointer names, is there; at the very end of a file that was cut off it may be the missing one. */
async function expectPlace(input: ExportInput, entry: Exclude<Entry, { type: 'file' }>): Promise<void> {
  const { path, line, pointer } = entry.location;
  const text = Buffer.from(await input.read(path, Number.MAX_SAFE_INTEGER)).toString('utf8');
  if (line !== undefined) expect(text.split('\n').length, formatEntry(entry)).toBeGreaterThanOrEqual(line);
  if (pointer === undefined) return;
  const json = parseOrUndefined(text);
  if (json !== undefined && entry.type === 'record') expect(resolve(json, pointer), formatEntry(entry)).toBeDefined();
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** RFC 6901. */
function resolve(json: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    json,
  );
}
