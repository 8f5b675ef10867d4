import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { providersPage, renderProviders } from '../../scripts/write-providers.ts';

it('docs/guides/fetch.md has a row for each recipe (else: npm run providers)', () => {
  const page = readFileSync(providersPage, 'utf8');
  expect(page).toBe(renderProviders(page));
});
