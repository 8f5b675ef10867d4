import { expect, it } from 'vitest';
import { Nicks } from '../../../src/sources/irc/nicks.ts';

const at = (orderMs: number, file = 0) => ({ orderMs, file, line: orderMs });

it('a nick that hundreds of thousands took in turn belongs to the last one before each position', () => {
  const nicks = new Nicks();
  const count = 200_000;
  for (let index = 1; index <= count; index += 1)
    nicks.change('tidenet', { from: `ann${index}`, to: 'guest', place: at(2 * index) });
  nicks.seal();
  const wrong = Array.from({ length: count }, (_, index) => index + 1).filter(
    (index) => nicks.findPerson('tidenet', 'Guest', at(2 * index + 1)).id !== `ann${index}`,
  );
  expect(wrong).toEqual([]);
  expect(nicks.findPerson('tidenet', 'Guest', at(1)).id).toBe('guest');
});

it('a nick is taken in the order of time, in whichever file, and of one time in the order of files', () => {
  const nicks = new Nicks();
  nicks.change('tidenet', { from: 'ben', to: 'guest', place: at(20, 0) });
  nicks.change('tidenet', { from: 'ann', to: 'guest', place: at(10, 1) });
  nicks.change('tidenet', { from: 'cay', to: 'guest', place: at(20, 1) });
  nicks.seal();
  const people = [at(15, 0), at(20, 0), at(25, 0)].map((place) => nicks.findPerson('tidenet', 'guest', place).id);
  expect(people).toEqual(['ann', 'ben', 'cay']);
});
