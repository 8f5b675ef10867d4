import { expect, it } from 'vitest';
import { readPages } from '../../scripts/pages.ts';
import { optionsFolder, renderOptions } from '../../scripts/write-options.ts';

it('docs/reference/options matches the program (else: npm run options)', async () => {
  expect(readPages(optionsFolder)).toEqual(await renderOptions());
});
