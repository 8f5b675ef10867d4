import { expect, it } from 'vitest';
import { readPages } from '../../scripts/pages.ts';
import { renderServiceApi, serviceFolder } from '../../scripts/write-service-api.ts';

it('docs/reference/service matches the contract (else: npm run service-api)', () => {
  expect(readPages(serviceFolder)).toEqual(renderServiceApi());
});
