import { expect } from 'vitest';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import type { Entry, ReadEnd } from '../../../src/model/entry.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { grownTo } from '../altered-input.ts';
import { openSample, type Sample, sampleOptions } from '../samples.ts';
import { type Check, pathOf, readSample, type SourceSubject } from './check.ts';

/** Places at which each file is cut, evenly: inside lines, quoted fields and characters too. */
const cutsPerFile = 7;

/** What a source must do that can read a file of lines from where it ended. */
export const growingChecks: readonly Check<SourceSubject>[] = [
  {
    says: 'yields the same in two readings of a growing file as in one',
    async run({ adapter, samples }) {
      let goneOnCount = 0;
      for (const sample of samples) {
        const input = await openSample(sample);
        for (const path of await input.paths()) goneOnCount += await comparePieces(adapter, { sample, input, path });
      }
      expect(goneOnCount).toBeGreaterThan(cutsPerFile);
    },
  },
  {
    says: 'yields the same entries whether or not it is asked where files end',
    async run({ adapter, samples }) {
      for (const sample of samples) {
        const input = await openSample(sample);
        const silent = await readSample({ adapter, sample }, input);
        const path = silent.find((entry) => entry.type === 'file')!.path;
        const bytes = await input.read(path, Number.MAX_SAFE_INTEGER);
        const { entries } = await readFrom(adapter, sample, { input: grownTo(input, path, bytes), path });
        expect(entries).toEqual(silent);
      }
    },
  },
];

interface Subject {
  readonly sample: Sample;
  readonly input: ExportInput;
  readonly path: string;
}

/** @returns How often a second reading went on where the first had ended. */
async function comparePieces(adapter: SourceAdapter, { sample, input, path }: Subject): Promise<number> {
  const bytes = await input.read(path, Number.MAX_SAFE_INTEGER);
  const grown = grownTo(input, path, bytes);
  const own = (entries: readonly Entry[]) => entries.filter((entry) => pathOf(entry) === path);
  const whole = own((await readFrom(adapter, sample, { input: grown, path })).entries);
  let goneOnCount = 0;
  for (let cut = 1; cut <= cutsPerFile; cut++) {
    const before = bytes.subarray(0, Math.floor((bytes.length * cut) / cutsPerFile));
    const first = await readFrom(adapter, sample, { input: grownTo(input, path, before), path });
    if (!first.end) continue;
    const end = JSON.parse(JSON.stringify(first.end)) as ReadEnd;
    expect(end.byteOffset).toBeLessThanOrEqual(before.length);
    const options = adapter.options.parse(sampleOptions(sample));
    if (!(await adapter.canGoOn!({ input: grown, path, end, options }))) continue;
    goneOnCount += 1;
    const second = await readFrom(adapter, sample, { input: grown, path, end });
    expect([...own(first.kept), ...own(second.entries)], `${sample.folder}, ${path} cut at ${before.length}`).toEqual(
      whole,
    );
  }
  return goneOnCount;
}

interface Reading {
  readonly entries: Entry[];
  /** Those before the end of the file. */
  readonly kept: readonly Entry[];
  readonly end: ReadEnd | undefined;
}

async function readFrom(
  adapter: SourceAdapter,
  sample: Sample,
  { input, path, end }: { readonly input: ExportInput; readonly path: string; readonly end?: ReadEnd },
): Promise<Reading> {
  const entries: Entry[] = [];
  const found: { readonly end: ReadEnd; readonly keptCount: number }[] = [];
  const growing = {
    endOf: (asked: string) => (asked === path ? end : undefined),
    noteEnd: (noted: string, at: ReadEnd) => {
      if (noted === path) found.push({ end: at, keptCount: entries.length });
    },
  };
  const context = { signal: new AbortController().signal, wants: () => true, growing };
  const options = adapter.options.parse(sampleOptions(sample));
  for await (const list of adapter.read(input, options, context)) entries.push(...list);
  expect(found.length, path).toBeLessThanOrEqual(1);
  return { entries, kept: entries.slice(0, found[0]?.keptCount), end: found[0]?.end };
}
