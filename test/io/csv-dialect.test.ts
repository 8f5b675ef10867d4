import { describe, expect, it } from 'vitest';
import { detectDelimiters, detectLineEnd } from '../../src/io/csv/csv-dialect.ts';

const writing = { quote: '"', escapedBy: '"', lineEnd: 'lf' } as const;
const delimitersOf = (text: string) => detectDelimiters(text, writing, true).map(({ delimiter }) => delimiter);

describe('detectDelimiters()', () => {
  it.each([
    ['a,b,c\n1,2,3\n', ','],
    ['a;b\n1,5;2,5\n3,5;4,5\n', ';'],
    ['a\tb\nhello, you\tx\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['a;b\n"x,y,z";"1\n2"\n', ';'],
    ['sep=;\na,b;c\n1;2\n', ';'],
  ])('makes a table of %j', (text, delimiter) => {
    expect(delimitersOf(text)[0]).toBe(delimiter);
  });

  it('finds none in a text', () => {
    expect(delimitersOf('Dear all,\nthe ship sails tomorrow, at noon, from pier 3.\nBring a hat.\n')).toEqual([]);
    expect(delimitersOf('')).toEqual([]);
  });
});

describe('detectLineEnd()', () => {
  it('sees old Macs only where nothing else ends a line', () => {
    expect([detectLineEnd('a\rb'), detectLineEnd('a\r\nb'), detectLineEnd('a\rb\n'), detectLineEnd('a')]).toEqual([
      'cr',
      'lf',
      'lf',
      'lf',
    ]);
  });
});
