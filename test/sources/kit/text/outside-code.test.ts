import { expect, it } from 'vitest';
import { outsideCode } from '../../../../src/sources/kit/text/outside-code.ts';

it.each([
  ['a `a` a', 'b `a` b'],
  ['``a ` a`` a', '``a ` a`` b'],
  ['a\n```\na', 'b\n```\na'],
  ['one ` alone', 'one ` blone'],
])('outsideCode() leaves code as it is in %j', (text, converted) =>
  expect(outsideCode(text, (piece) => piece.replaceAll('a', 'b'))).toBe(converted),
);
