import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderFidelity } from '../../scripts/write-fidelity.ts';
import {
  pagePath,
  platformsPath,
  renderPage,
  renderPlatforms,
  sourcesPath,
  whatSourcesRead,
} from '../../scripts/write-sources.ts';
import { sources } from '../../src/sources/registry.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { isTableSource, type TableSource } from '../../src/sources/table-source.ts';
import { missingParts, type Repository } from './source-parts.ts';
import { readTracked, trackedFiles } from './tracked-files.ts';

describe('every source', () => {
  const repository: Repository = { files: trackedFiles(), read: readTracked };
  const what = whatSourcesRead(readTracked(sourcesPath));

  it.each(sources)('$name has all its parts', (adapter) => {
    expect(missingParts(adapter, repository)).toEqual([]);
  });

  it.each(sources)('$name is on its page as it is in the program (else: npm run source-pages)', (adapter) => {
    const page = readTracked(pagePath(adapter));
    expect(renderPage(page, adapter, what.get(adapter.name)!)).toBe(page);
  });

  const withoutTables = sources.filter((adapter) => !isTableSource(adapter));

  it.each(withoutTables)('$name names on its page every code that only it reports', (adapter) => {
    const page = readTracked(pagePath(adapter));
    const codes = (adapter.codes ?? []).map(({ code }) => code);
    expect(codes.filter((code) => !page.includes(code))).toEqual([]);
  });

  it('is in the table of sources', () => {
    expect([...what.keys()]).toEqual(sources.map(({ name }) => name));
  });
});

describe('every feature of chats', () => {
  it('is on the fidelity page as the samples claim it (else: npm run fidelity)', () => {
    for (const [path, page] of renderFidelity()) expect(readTracked(path), path).toBe(page);
  });
});

describe('every platform that is known by name only', () => {
  it('is on its page as it is in the program (else: npm run source-pages)', () => {
    const page = readTracked(platformsPath);
    expect(renderPlatforms(page)).toBe(page);
  });
});

const pigeon: SourceAdapter = {
  name: 'pigeon',
  title: 'Pigeon post',
  options: z.lazy(() => z.strictObject({ loft: z.string().default('').describe('Where they live.') })),
  codes: [
    {
      code: 'pigeon-lost',
      severity: 'blocks',
      title: 'Lost pigeons',
      explanation: 'It did not come.',
      remedy: 'Wait.',
    },
  ],
  probe: async () => ({ match: 'no' }),
  async *read() {},
};

const page = pagePath({ name: 'pigeon' });
const pageText =
  '# Source: pigeon\n\n## How to get the export\n\nWait.\n\n## What is kept\n\nAll.\n\n## What is lost, and why\n\nCrumbs.\n\n## Options\n\nNone.\n';

const whole = {
  'README.md': `# Chatferry\n\n[Pigeon](${pagePath({ name: 'pigeon' })})\n`,
  [page]: pageText,
  'mappings/pigeon.yaml': 'version: 1',
  'samples/pigeon/one-letter/export/letter.txt': 'Coo',
  'samples/pigeon/one-letter/expected.ndjson': '{"type":"invalid","code":"pigeon-lost","reason":"…"}\n',
  'samples/pigeon/one-letter/facts.json': '{}',
  'test/sources/pigeon/contract.test.ts': 'describeSource(pigeon);',
};

const repositoryOf = (files: Readonly<Record<string, string | undefined>>): Repository => {
  const there = Object.entries(files).filter(([, text]) => text !== undefined) as [string, string][];
  return { files: there.map(([path]) => path), read: (path) => new Map(there).get(path)! };
};

const undescribed = z.lazy(() => z.strictObject({ loft: z.string().default('') }));
const [lost] = pigeon.codes!;

describe('missingParts()', () => {
  it('has nothing to say of a source that has them all', () => {
    expect(missingParts(pigeon, repositoryOf(whole))).toEqual([]);
  });

  it.each<[string, Partial<TableSource>, Readonly<Record<string, string | undefined>>]>([
    ['option "loft" has no description: .describe() says what it does, and its default', { options: undescribed }, {}],
    ['nothing explains code "pigeon-lost": its place is src/sources/pigeon/codes.ts', { codes: [] }, {}],
    ['code "pigeon-lost" lacks a title, an explanation or a remedy', { codes: [{ ...lost!, explanation: '' }] }, {}],
    ['there is no mappings/pigeon.yaml to copy', {}, { 'mappings/pigeon.yaml': undefined }],
    [
      'no mapping in mappings/ is for one of its samples (samples/<source>/mapping-<shape>)',
      { propose: async () => ({ options: {}, findings: [] }) },
      {},
    ],
    [`there is no page ${page}: npm run source-pages begins one`, {}, { [page]: undefined }],
    [
      `${page} has the headings "How to get the export", "What is kept", "Options"; every page has "How to get the export", "What is kept", "What is lost, and why", "Options"`,
      {},
      { [page]: pageText.replace('## What is lost, and why\n\nCrumbs.\n\n', '') },
    ],
    [`${page} says nothing under "What is kept"`, {}, { [page]: pageText.replace('All.', '') }],
    ['README.md does not link to its page', {}, { 'README.md': '# Chatferry\n' }],
    [
      'samples/pigeon/one-letter/ has no expected.ndjson: UPDATE_SAMPLES=1 writes it',
      {},
      { 'samples/pigeon/one-letter/expected.ndjson': undefined },
    ],
    [
      'samples/pigeon/one-letter/ has no facts.json: count by hand what its export holds',
      {},
      { 'samples/pigeon/one-letter/facts.json': undefined },
    ],
    ['samples/pigeon/one-letter/ has no export', {}, { 'samples/pigeon/one-letter/export/letter.txt': undefined }],
    [
      'test/sources/pigeon/contract.test.ts does not run the contract',
      {},
      { 'test/sources/pigeon/contract.test.ts': 'it("flies", () => {});' },
    ],
  ])('says "%s"', (sentence, changes, files) => {
    expect(missingParts({ ...pigeon, ...changes }, repositoryOf({ ...whole, ...files }))).toEqual([
      `pigeon: ${sentence}`,
    ]);
  });

  it('names everything that a bare source lacks', () => {
    expect(missingParts(pigeon, repositoryOf({ 'README.md': '' }))).toEqual([
      'pigeon: there is no mappings/pigeon.yaml to copy',
      `pigeon: there is no page ${page}: npm run source-pages begins one`,
      'pigeon: README.md does not link to its page',
      'pigeon: there is no sample in samples/pigeon/',
      'pigeon: test/sources/pigeon/contract.test.ts does not run the contract',
    ]);
  });
});
