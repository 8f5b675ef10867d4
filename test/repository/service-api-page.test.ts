import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderServiceApi } from '../../scripts/write-service-api.ts';

it('docs/reference/service-api.md says what the contract says (else: npm run service-api)', () => {
  expect(readFileSync(new URL('../../docs/reference/service-api.md', import.meta.url), 'utf8')).toBe(
    renderServiceApi(),
  );
});
