import { expect, it } from 'vitest';
import { dayInWords } from '../../../../src/sources/kit/time/day-in-words.ts';

it.each([
  ['9 ноября 2017', '2017-11-09'],
  ['march 2, 2026', '2026-03-02'],
  ['9 de novembro de 2017', '2017-11-09'],
  ['2017년 11월 9일', '2017-11-09'],
  ['5 лістапада 2018', '2018-11-05'],
])('dayInWords() reads %s', (text, day) => {
  expect(new Date(dayInWords(text)!).toISOString().slice(0, 10)).toBe(day);
});

it.each(['5 nonsense 2020', '31 february 2020', 'march 2020', '5 march', '5 listopad 2020'])(
  'dayInWords() does not guess at %s',
  (text) => {
    expect(dayInWords(text)).toBeUndefined();
  },
);
