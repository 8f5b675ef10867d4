import { describe, expect, it } from 'vitest';
import { detectSource } from '../../../src/sources/detect.ts';
import { findMarks } from '../../../src/sources/kit/marks.ts';
import { probedInput } from '../../../src/sources/kit/probed-input.ts';
import { foreignPlatform, ignoredFiles, signatures } from '../../../src/sources/signatures.ts';
import type { Signature } from '../../../src/sources/signatures/signature.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { listSamples, openSample } from '../../contracts/samples.ts';
import { made, ordinary } from './made.ts';

const nameOf = ({ platform, layout }: Signature) => `${platform}: ${layout}`;
const madeExports = Object.entries(made).flatMap(([name, exports]) =>
  exports.map((files) => ({ name, files, shown: Object.keys(files)[0]! })),
);

describe('a signature', () => {
  it('has made exports, and every made export a signature', () => {
    expect(Object.keys(made).sort()).toEqual(signatures.map(nameOf).sort());
  });

  it.each(madeExports)('calls "$shown" by its name: $name', async ({ name, files }) => {
    const found = await foreignPlatform(memoryInput(files));
    expect(found && nameOf(found.signature)).toBe(name);
    expect(found!.because).toMatch(/^".+" has \S/);
  });

  it.each(madeExports)(
    'keeps the sources of tables from offering themselves for "$shown" of $name',
    async ({ files }) => {
      expect(await detectSource(memoryInput(files))).toEqual([]);
    },
  );

  it.each(signatures.map((signature) => ({ name: nameOf(signature), signature })))(
    'has no mark that no made export shows: $name',
    async ({ name, signature }) => {
      for (const [index, marks] of signature.marks.entries()) {
        const shown = await Promise.all(made[name]!.map((files) => findMarks(probedInput(memoryInput(files)), marks)));
        expect(
          shown.some((because) => because !== undefined),
          `mark ${index + 1}`,
        ).toBe(true);
      }
    },
  );

  it.each(signatures.map((signature) => ({ name: nameOf(signature), signature })))(
    'advises in whole sentences, the last without a full stop: $name',
    ({ signature: { advice } }) => expect(advice).toMatch(/^[A-Z"].*[^.\s]$/),
  );
});

describe('no signature', () => {
  /**
   * If a signature matches, there is now a source that reads this: drop the signature's line, or the marks that it
   * shares with the source.
   */
  it.each(listSamples())('claims an export that a source reads: $source/$name', async (sample) => {
    const input = await openSample(sample);
    const [first] = await detectSource(input);
    expect(first?.adapter.name).toBe(sample.source);
    const found = await foreignPlatform(input);
    // Messages of Slack are Slack's with or without the lists that make them an export.
    if (sample.source !== 'slack') expect(found && nameOf(found.signature)).toBeUndefined();
    else if (found) expect(found.signature.platform).toBe('Slack');
  });

  it.each(ordinary.map((files) => ({ files, shown: JSON.stringify(files).slice(0, 100) })))(
    "claims a table of people's own: $shown",
    async ({ files }) => {
      const found = await foreignPlatform(memoryInput(files));
      expect(found && nameOf(found.signature)).toBeUndefined();
    },
  );

  it('claims tables because of a dump or a workbook next to them', async () => {
    const table = 'id,room,author,sent_at,body\n1,general,ann,2023-11-14T22:13:20Z,Morning\n';
    const input = memoryInput({
      'a.sql': '-- MySQL dump 10\n',
      'a.xlsb': Buffer.from('PK\x03\x04'),
      'messages.csv': table,
    });
    const [first] = await detectSource(input);
    expect(first?.adapter.name).toBe('csv');
  });
});

describe('ignoredFiles()', () => {
  it('names files next to an export in a form that no source reads, with the step that converts them', async () => {
    const input = memoryInput({
      'messages.csv': 'id\n',
      'dump/users.avro': '',
      'dump/users.metadata.json': {},
      'a.xls': '',
    });
    const ignored = await ignoredFiles([input]);
    expect(ignored.map(({ path }) => path)).toEqual(['a.xls', 'dump/users.avro']);
    expect(ignored[1]!.reason).toMatch(/^Apache Avro.*avro-tools/);
    expect(await ignoredFiles([memoryInput({ 'a.sql': 'id,text' })])).toEqual([]);
  });
});

describe('foreignPlatform()', () => {
  it('opens a bounded number of files, the beginning of each, once', async () => {
    const files = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}.json`, { number: index }]));
    const heads: { readonly path: string; readonly count: number }[] = [];
    const input = memoryInput(files);
    const watched = {
      ...input,
      head(path: string, count: number) {
        heads.push({ path, count });
        return input.head(path, count);
      },
    };
    expect(await foreignPlatform(watched)).toBeUndefined();
    expect(heads.length).toBeLessThanOrEqual(100);
    expect(new Set(heads.map(({ path }) => path)).size).toBe(heads.length);
    expect(Math.max(...heads.map(({ count }) => count))).toBe(64 * 1024);
  });

  it('never throws for a file that cannot be read', async () => {
    const input = { ...memoryInput({}), paths: async () => ['gone.json', 'gone.txt'] };
    expect(await foreignPlatform(input)).toBeUndefined();
  });
});
