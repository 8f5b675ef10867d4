import { describe, expect, it } from 'vitest';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { probedInput } from '../../../src/sources/kit/probed-input.ts';
import { sources } from '../../../src/sources/registry.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { listSamples, openSample, type Sample } from '../../contracts/samples.ts';
import { everyNth } from '../../tier.ts';

const numbers = (count: number, name: (number: string) => string) =>
  Array.from({ length: count }, (_, index) => name(String(index).padStart(3, '0')));

const shownOf = (paths: readonly string[]) =>
  probedInput(memoryInput(Object.fromEntries(paths.map((path) => [path, ''])))).paths();

describe('probedInput()', () => {
  it('shows the first 32 of the names that differ only in digits', async () => {
    const days = numbers(100, (day) => `general/2024-${day}.json`);
    expect(await shownOf(days)).toEqual(days.slice(0, 32));
  });

  it('shows every name that differs in more: a letter, the length of a number, an ending', async () => {
    const alike = numbers(40, (number) => `messages/c1477000000000000${number}/messages.json`);
    const others = [
      'messages/c1477000000000000999/channel.json',
      'messages/c14770000000000009999/messages.json',
      'messages/d1477000000000000999/messages.json',
      'messages/c1477000000000000999/messages.json5',
      'messages/c1477000000000000999',
      'zz',
    ];
    expect(await shownOf([...alike, ...others])).toEqual([...alike.slice(0, 32), ...others].sort());
  });

  it('shows all names of more kinds than it counts at a time', async () => {
    const inLetters = (number: number) => String(number).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);
    const paths = Array.from({ length: 25_000 }, (_, index) => inLetters(index)).sort();
    expect(await shownOf(paths)).toEqual(paths);
  });

  it('reads the beginning of a file once, and what is longer each time', async () => {
    const content = Buffer.alloc(100_000, 'x');
    const asked: number[] = [];
    const input = memoryInput({ 'a.txt': content });
    const probed = probedInput({
      ...input,
      head(path, byteCount) {
        asked.push(byteCount);
        return input.head(path, byteCount);
      },
    });
    for (const byteCount of [10, 4096, 65_536, 70_000, 100]) {
      expect((await probed.head('a.txt', byteCount)).length).toBe(byteCount);
    }
    expect((await probed.headOf('a.txt')).text.length).toBe(65_536);
    expect(asked).toEqual([65_536, 70_000]);
  });

  it('reads again what was read a hundred files ago, so that memory stays bounded', async () => {
    const paths = numbers(101, (number) => `${number}.txt`);
    let count = 0;
    const input = memoryInput(Object.fromEntries(paths.map((path) => [path, path])));
    const probed = probedInput({
      ...input,
      head(path, byteCount) {
        count += 1;
        return input.head(path, byteCount);
      },
    });
    for (const path of [...paths, paths[100]!, paths[0]!]) {
      expect(Buffer.from(await probed.head(path, 10)).toString()).toBe(path);
    }
    expect(count).toBe(102);
  });
});

/** The stem of a path, up to its last two digits and behind them: they become every number. */
const numbered = /^(.*)\d(\D*)\d([^.\d]*\..*)$/s;

/** The sample, with fifty files for each whose name has two digits: others of the same content, or empty ones. */
async function manyOf(sample: Sample, isEmpty: boolean): Promise<ExportInput> {
  const input = await openSample(sample);
  const copies = new Map<string, string>();
  const own = await input.paths();
  for (const path of own) {
    const [, before, between, behind] = numbered.exec(path) ?? [];
    if (before === undefined) continue;
    for (let number = 10; number < 60; number++) {
      const [ten, one] = String(number);
      copies.set(`${before}${ten}${between}${one}${behind}`, path);
    }
  }
  for (const path of own) copies.delete(path);
  const paths = [...own, ...copies.keys()].sort();
  const from = (path: string) => copies.get(path) ?? path;
  return {
    ...input,
    paths: async () => paths,
    stat: async (path) => (isEmpty && copies.has(path) ? { sizeBytes: 0, fingerprint: '' } : input.stat(from(path))),
    head: async (path, count) => (isEmpty && copies.has(path) ? new Uint8Array() : input.head(from(path), count)),
    open: (path) => input.open(from(path)),
    materialise: (path) => input.materialise(from(path)),
  };
}

const samples = listSamples();

describe('a probe', () => {
  it.each(everyNth(3, samples))(
    'finds the same among the names that it is shown as among all: $source/$name',
    async (sample) => {
      for (const isEmpty of [false, true]) {
        const input = await manyOf(sample, isEmpty);
        const [shown, all] = [probedInput(input), probedInput(input, Number.POSITIVE_INFINITY)];
        if ((await shown.paths()).length === (await all.paths()).length) continue;
        for (const source of sources) expect(await source.probe(shown), source.name).toEqual(await source.probe(all));
        expect(await foreignPlatform(shown)).toEqual(await foreignPlatform(all));
      }
    },
  );
});
