import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binName, dayBins, timeBins } from '../../src/report/time-bins.ts';

const monthsOf = (firstYear: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    month: `${firstYear + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
    count: 1,
  }));

describe('timeBins()', () => {
  test('timeBins() shows months, and fills gaps with zeros', () => {
    const bins = timeBins([
      { month: '2023-12', count: 2 },
      { month: '2024-02', count: 3 },
    ]);
    expect(bins.map(({ label, count }) => [label, count])).toEqual([
      ['Dec 2023', 2],
      ['Jan 2024', 0],
      ['Feb 2024', 3],
    ]);
    expect(binName(bins)).toBe('month');
  });

  test('timeBins() goes over to quarters after 60 months and to years after 15 years', () => {
    expect(timeBins(monthsOf(2019, 60)).map(({ label }) => label)).toContain('Jan 2019');
    const quarters = timeBins(monthsOf(2014, 120));
    expect([quarters.length, quarters[1]?.label, quarters[1]?.count]).toEqual([40, 'Q2 2014', 3]);
    const years = timeBins(monthsOf(2000, 240));
    expect([years.length, years[0]?.label, years[0]?.count, binName(years)]).toEqual([20, '2000', 12, 'year']);
  });

  test('timeBins() copes with dates that cannot all be right', () => {
    const bins = timeBins([
      { month: '0001-01', count: 1 },
      { month: '9999-12', count: 1 },
      { month: '2024-13', count: 1 },
      { month: '<script>', count: 1 },
    ]);
    expect(bins.length).toBeLessThanOrEqual(60);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  test('timeBins() loses no message and makes at most 60 columns', () => {
    const month = fc.record({
      month: fc
        .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1, max: 12 }))
        .map(([year, month]) => `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`),
      count: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(month), (months) => {
        const bins = timeBins(months);
        const sum = (list: readonly { readonly count: number }[]) =>
          list.reduce((total, { count }) => total + count, 0);
        return bins.length <= 60 && sum(bins) === sum(months);
      }),
    );
  });
});

describe('dayBins()', () => {
  test('dayBins() shows the days of a short history, and fills gaps with zeros', () => {
    const bins = dayBins([
      { day: '2026-02-27', count: 3 },
      { day: '2026-03-01', count: 5 },
    ])!;
    expect(bins.map(({ label, count }) => `${label}: ${count}`)).toEqual([
      '27 Feb 2026: 3',
      '28 Feb 2026: 0',
      '1 Mar 2026: 5',
    ]);
    expect(binName(bins)).toBe('day');
  });

  test('dayBins() leaves a longer history to months', () => {
    const long = [
      { day: '2026-01-01', count: 1 },
      { day: '2026-12-31', count: 1 },
    ];
    expect(dayBins(long)).toBeUndefined();
    expect(dayBins([])).toBeUndefined();
  });
});
