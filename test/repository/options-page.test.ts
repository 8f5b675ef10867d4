import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderOptions } from '../../src/cli/options/options-page.ts';

it('docs/reference/options.md says what the program says (else: npm run options)', async () => {
  expect(readFileSync(new URL('../../docs/reference/options.md', import.meta.url), 'utf8')).toBe(await renderOptions());
});
