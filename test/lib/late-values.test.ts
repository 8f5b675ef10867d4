import { expect, it } from 'vitest';
import { lateValues } from '../../src/lib/late-values.ts';

it('lateValues() makes each value when it is first read, and once', () => {
  const made: string[] = [];
  const make = (name: string) => () => {
    made.push(name);
    return { name };
  };
  const values = lateValues({ one: make('one'), two: make('two') });
  expect(made).toEqual([]);
  expect(values.two).toBe(values.two);
  const { one } = values;
  expect([one.name, values.one]).toEqual(['one', one]);
  expect(made).toEqual(['two', 'one']);
});
