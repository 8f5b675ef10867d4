import { expect, it } from 'vitest';
import { readPages } from '../../scripts/pages.ts';
import { checksFolder, renderChecks } from '../../scripts/write-checks.ts';

it('docs/reference/checks matches the registry (else: npm run checks-page)', () => {
  expect(readPages(checksFolder)).toEqual(renderChecks());
});
