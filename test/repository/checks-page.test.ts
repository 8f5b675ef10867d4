import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderChecks } from '../../src/cli/prepare/checks.ts';

it('docs/reference/checks.md says what the registry says (else: npm run checks-page)', () => {
  expect(readFileSync(new URL('../../docs/reference/checks.md', import.meta.url), 'utf8')).toBe(renderChecks());
});
