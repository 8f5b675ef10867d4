import { describe, expect, it } from 'vitest';
import { calendarDay } from '../../../../src/sources/kit/time/calendars.ts';
import {
  asciiDigits,
  dateLanguages,
  dateWord,
  hourOfDay,
  periodsNamed,
} from '../../../../src/sources/kit/time/date-words.ts';

const systems = Intl.supportedValuesOf('numberingSystem');

describe('asciiDigits()', () => {
  it.each(systems)('reads the digits of %s, or keeps them if they are not decimal digits', (system) => {
    const written = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210);
    expect(/^\p{Nd}+$/u.test(written) ? asciiDigits(written) : '9876543210').toBe('9876543210');
  });
});

describe('hourOfDay()', () => {
  const hour = (clock: number, word: string) => hourOfDay(clock, periodsNamed(dateWord(word)) ?? []);

  it.each([
    [12, 'AM', 0],
    [12, 'p. m.', 12],
    [9, 'e paradites', 9],
    [11, 'e pasdites', undefined],
    [11, 'm.d.', 23],
    [1, 'चाहे कुछ', undefined],
    [1, '凌晨', 1],
    [12, '中午', 12],
    [13, 'a.m.', 13],
    [27, 'am', undefined],
  ])('%i %s is hour %s of the day', (clock, word, expected) => expect(hour(clock, word)).toBe(expected));

  it('has every hour of every language, or says that the word is used otherwise elsewhere', () => {
    const wrong = dateLanguages().flatMap(({ language, periods }) =>
      [...periods].flatMap(([word, mask]) =>
        Array.from({ length: 24 }, (_, hour) => hour)
          .filter((hour) => (mask >> hour) & 1)
          .map((hour) => [language, word, hour, hourOfDay(hour % 12 === 0 ? 12 : hour % 12, periodsNamed(word)!)])
          .filter(([, , hour, read]) => read !== undefined && read !== hour),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('calendarDay()', () => {
  it.each([
    ['gregory', [2024, 2, 29], '2024-02-29'],
    ['gregory', [2023, 2, 29], undefined],
    ['buddhist', [2567, 2, 29], '2024-02-29'],
    ['roc', [113, 2, 29], '2024-02-29'],
    ['persian', [1402, 12, 10], '2024-02-29'],
    ['persian', [1402, 12, 30], undefined],
    ['islamic-umalqura', [1445, 8, 19], '2024-02-29'],
    ['mayan', [2024, 2, 29], undefined],
  ] as const)('%s %j is %s', (calendar, parts, expected) => {
    expect(calendarDay(calendar, parts)).toBe(expected === undefined ? undefined : Date.parse(expected));
  });
});
