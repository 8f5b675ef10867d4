import { expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { readPages } from '../../scripts/pages.ts';
import { libraryFolder, renderLibrary } from '../../scripts/write-library.ts';

it('docs/reference/library matches the source (else: npm run library)', () => {
  expect(readPages(libraryFolder)).toEqual(renderLibrary());
});

it('docs/reference/library has every value that the library exports', () => {
  const text = [...renderLibrary().values()].join('\n');
  expect(Object.keys(library).filter((name) => !text.includes(`\n## ${name}\n`))).toEqual([]);
});
