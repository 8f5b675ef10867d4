import { expect, it } from 'vitest';
import { nearestName } from '../../../src/lib/text/nearest-name.ts';

it.each([
  ['nickame', 'nickname'],
  ['AUTHOR', 'author'],
  ['romo', 'room'],
  ['Bearbeter', 'Bearbeiter'],
  ['ids', 'id'],
  ['body', undefined],
  ['', undefined],
])('nearestName() knows what "%s" was meant to be', (meant, name) => {
  expect(nearestName(meant, ['id', 'nickname', 'author', 'Bearbeiter', 'room'])).toBe(name);
});
