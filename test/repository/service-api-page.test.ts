import { expect, it } from 'vitest';
import { readPages } from '../../scripts/pages.ts';
import { renderServiceApi, serviceFolder } from '../../scripts/write-service-api.ts';

it('docs/reference/service says what the contract says (else: npm run service-api)', () => {
  expect(readPages(serviceFolder)).toEqual(renderServiceApi());
});
