import { expect, it } from 'vitest';
import { splitAddresses } from '../../../src/lib/text/addresses.ts';

it.each([
  ['+15550100001 +15550100002', ['+15550100001', '+15550100002']],
  ['+15550100001~+15550100002', ['+15550100001', '+15550100002']],
  ['ann@example.com; Ben Ray <ben@example.com>', ['ann@example.com', 'Ben Ray <ben@example.com>']],
  ['7,9', ['7', '9']],
])('splitAddresses() tells several addresses apart: %s', (value, parts) => {
  expect(splitAddresses(value)).toEqual(parts);
});

it.each([
  '+44 7700 900123',
  '0049 151 12345678',
  'auth0|5f7c8ec7',
  'google-oauth2|1234567',
  'Ann, Ben',
  'Ann 2',
  'a~b',
  '',
  ',',
])('splitAddresses() leaves one address as it is: %s', (value) => {
  expect(splitAddresses(value)).toEqual([value]);
});
