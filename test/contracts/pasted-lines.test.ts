import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { isBack } from '../../src/sources/kit/rows/log-order.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { everyNth } from '../tier.ts';
import { decisionsAbout, editedFiles, gapsIn, sourceNamed } from './kinds/edited-samples.ts';
import type { Edit, Files, PastedLines } from './kinds/kind.ts';
import { memoryInput } from './memory-input.ts';
import { type Sample, sampleOptions, samplesOf } from './samples.ts';
import { messagesOf, readAll } from './source/check.ts';

/** Lines of the log, from 0, that are pasted below another line. */
interface Paste {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly below: number;
}

/** Lines of a paste at most. */
const pasteMax = 3;

async function readFiles(adapter: SourceAdapter, sample: Sample, files: Files): Promise<Entry[]> {
  return readAll(adapter, memoryInput(files), {}, sampleOptions(sample));
}

/** Times of messages by the number of their first line, from 0. */
function timesIn(entries: readonly Entry[], path: string): ReadonlyMap<number, number> {
  return new Map(
    entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' && entry.location.path === path
        ? [[entry.location.line! - 1, entry.record.sentAtMs] as const]
        : [],
    ),
  );
}

const dayMs = 86_400_000;

/** Copies of earlier lines: from messages on, or from the heading above them. */
function* pastesIn(
  path: string,
  lines: readonly string[],
  times: ReadonlyMap<number, number>,
  { lateMs = 0, headings, aheadMs = 0 }: PastedLines,
): Generator<Paste> {
  const begins = [...times.keys()].sort((a, b) => a - b);
  const isHeading = (line: number) => headings?.test((lines[line] ?? '').trim()) === true;
  for (const below of begins)
    for (const begin of begins)
      for (const from of isHeading(begin - 1) ? [begin - 1, begin] : [begin])
        for (let to = begin + 1; to <= begin + pasteMax && to <= below; to += 1) {
          const pasted = begins.filter((line) => line >= from && line < to).map((line) => times.get(line)!);
          // Without the heading of its day, a line says the time of day alone.
          const hasDay = headings === undefined || from < begin;
          const timeOf = (ms: number) => (hasDay ? ms + aheadMs : (ms + aheadMs) % dayMs);
          if (isBack(timeOf(times.get(below)!) - lateMs, Math.max(...pasted.map(timeOf))))
            yield { path, from, to, below };
        }
}

const linesOf = (file: string | Uint8Array): string[] => file.toString().split('\n');

const paste =
  ({ path, from, to, below }: Paste): Edit =>
  (files) => {
    const lines = linesOf(files[path]!);
    lines.splice(below + 1, 0, ...lines.slice(from, to));
    return { ...files, [path]: lines.join('\n') };
  };

const shownIn = (entries: readonly Entry[]): readonly string[] =>
  messagesOf(entries)
    .map(({ author, sentAtMs }) => `${author} at ${new Date(sentAtMs).toISOString()}`)
    .sort();

const asked = (entries: readonly Entry[], codes: readonly string[]): number =>
  entries.filter((entry) => entry.type === 'problem' && codes.includes(entry.code)).length;

/** Returns complaints about a source that takes pasted lines for messages, or what follows them for others, and does not ask. */
async function pasteComplaints(adapter: SourceAdapter, sample: Sample, said: PastedLines): Promise<string[]> {
  const files = await editedFiles(sample, []);
  const whole = await readFiles(sourceNamed(adapter.name), sample, files);
  const complaints: string[] = [];
  for (const path of Object.keys(files).filter((one) => said.files.test(one)))
    for (const one of everyNth(5, [...pastesIn(path, linesOf(files[path]!), timesIn(whole, path), said)])) {
      const entries = await readFiles(adapter, sample, paste(one)(files));
      const isSame = JSON.stringify(shownIn(entries)) === JSON.stringify(shownIn(whole));
      if (!isSame && asked(entries, said.asks) <= asked(whole, said.asks))
        complaints.push(`lines ${one.from + 1} to ${one.to} of "${path}" below line ${one.below + 1} are messages`);
    }
  return complaints;
}

/** A source that believes every line, and asks nothing. */
const gullible = (adapter: SourceAdapter): SourceAdapter => ({
  ...adapter,
  async *read(...request) {
    for await (const entries of adapter.read(...request)) {
      const [first] = entries.filter((entry) => entry.type === 'record' && entry.record.kind === 'message');
      yield [...entries.filter(({ type }) => type !== 'problem'), ...(first ? [first] : [])];
    }
  },
});

const decisions = decisionsAbout('pastedLines').filter(([, said]) => said !== undefined);
const cases = decisions.flatMap(([source, said]) =>
  typeof said === 'object' ? samplesOf(source).map((sample) => [source, sample.name, sample, said] as const) : [],
);
/** Logs of lines among the samples, which are more than notes beside an export. */
const logs = /\.(?:txt|md|log)$/;

describe('lines of a log that a person pasted into a text', () => {
  it.each(cases)('make no messages, or are asked about (%s, %s)', async (source, _, sample, said) => {
    expect(await pasteComplaints(sourceNamed(source), sample, said)).toEqual([]);
  });

  it('are noticed where a source believes them', async () => {
    for (const source of ['line', 'kakaotalk', 'whatsapp', 'signal']) {
      const found: string[] = [];
      for (const [, , sample, said] of cases.filter(([one]) => one === source))
        found.push(...(await pasteComplaints(gullible(sourceNamed(source)), sample, said)));
      expect(found, source).not.toEqual([]);
    }
  });

  it('are decided about by every source whose messages are lines of texts', async () => {
    const undecided = decisionsAbout('pastedLines').filter(([, said]) => said === undefined);
    const withLogs: string[] = [];
    for (const [source] of undecided)
      for (const sample of samplesOf(source)) {
        const files = Object.keys(await editedFiles(sample, [])).filter((path) => logs.test(path));
        if (files.length === 0) continue;
        const entries = await readFiles(sourceNamed(source), sample, await editedFiles(sample, [])).catch(() => []);
        if (files.some((path) => timesIn(entries, path).size > 0)) withLogs.push(source);
      }
    expect([...new Set(withLogs)]).toEqual([]);
    expect(gapsIn(decisions)).toEqual([]);
  });
});
