import { describe, expect, it } from 'vitest';
import { DateEvidence } from '../../../src/sources/whatsapp/date-order.ts';
import { localTime, readHead } from '../../../src/sources/whatsapp/format.ts';

/** The time of a line, where its own date says its order; and what is behind it. */
function readLine(line: string): string | undefined {
  const head = readHead(line);
  if (!head) return undefined;
  const evidence = new DateEvidence();
  evidence.add(head);
  const localMs = localTime(head, evidence.decide().order);
  return localMs === undefined ? undefined : `${new Date(localMs).toISOString().slice(0, 19)} ${head.rest}`;
}

describe('readHead()', () => {
  it.each([
    ['[24.12.23, 18:30:05] Ann: Hi', '2023-12-24T18:30:05 Ann: Hi'],
    ['\u200e[24/12/2023, 6:30:05\u202fPM] Ann: Hi', '2023-12-24T18:30:05 Ann: Hi'],
    ['\ufeff24/12/23, 12:05 am - Ann: Hi', '2023-12-24T00:05:00 Ann: Hi'],
    ['24/12/23, 12:05 p.\u00a0m. - Ann: Hi', '2023-12-24T12:05:00 Ann: Hi'],
    ['12/24/23, 8:30:52 AM – Ann: Hi', '2023-12-24T08:30:52 Ann: Hi'],
    ['24.12.2023 klo 18.30 - Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
    ['24.12.23 18.30.15: Ann: Hi', '2023-12-24T18:30:15 Ann: Hi'],
    ['24.12.23 um 18:30 - Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
    ['24/12/2023 às 18:30 - Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
    ['[2018/06/13 1:55:00 p. m.] Ann: Hi', '2018-06-13T13:55:00 Ann: Hi'],
    ['2024/10/31 15:50 - Ann: Hi', '2024-10-31T15:50:00 Ann: Hi'],
    ['2024/10/31, 午後3:50 - Ann: Hi', '2024-10-31T15:50:00 Ann: Hi'],
    ['[24/10/31 下午3:50:12] Ann: Hi', '2024-10-31T15:50:12 Ann: Hi'],
    ['2023. 12. 24. 오후 6:30 - Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
    ['2023-12-24, 18 h 30 - Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
    ['24/12/2566 18:30 - Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
    ['\u200f١٥\u200f/٣\u200f/٢٠٢٤، ٦:٠٢ م - Ann: Hi', '2024-03-15T18:02:00 Ann: Hi'],
    ['۱۵/۳/۲۰۲۴، ۱۸:۰۲ - Ann: Hi', '2024-03-15T18:02:00 Ann: Hi'],
    ['१५/३/२०२४, ६:०२ अपराह्न - Ann: Hi', '2024-03-15T18:02:00 Ann: Hi'],
    ['[12/24/23 18:30] Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
    ['[令和5年12月24日 18:30:05] Ann: Hi', '2023-12-24T18:30:05 Ann: Hi'],
    ['令和元年12月24日 18:30 - Ann: Hi', '2019-12-24T18:30:00 Ann: Hi'],
    ['24/12/2023 18:30:05: Ann: Hi', '2023-12-24T18:30:05 Ann: Hi'],
    ['[18:30, 12/24/2023] Ann: Hi', '2023-12-24T18:30:00 Ann: Hi'],
  ])('reads %s', (line, expected) => expect(readLine(line)).toBe(expected));

  it.each([
    'Hi',
    '',
    '24/12/23: Arrival',
    '24/12/23, 18:30 Ann: no dash',
    '24/12/23, 25:00 - Ann: no hour',
    '44/33/23, 18:30 - Ann: no day',
    '24/12/1999, 18:30 - Ann: before WhatsApp',
    '[2023-12-24, 18:30] Ann: of Signal',
    '18:30 - Ann: no date',
    `[${'1'.repeat(100_000)}`,
    `1/2/23, ${'a '.repeat(50_000)}`,
  ])('knows that no message begins with %.40s', (line) => expect(readLine(line)).toBeUndefined());
});

describe('the order of dates', () => {
  const decide = (...dates: readonly string[]) => {
    const evidence = new DateEvidence();
    for (const date of dates) evidence.add(readHead(`${date}, 10:00 - Ann: Hi`)!);
    const { order, isAssumed } = evidence.decide();
    return isAssumed ? `${order}?` : order;
  };

  it.each([
    ['a number above 12', ['1/2/24', '13/2/24'], 'day-first'],
    ['a number above 12 in the second place', ['1/2/24', '1/13/24'], 'month-first'],
    ['time that goes on over the end of a month', ['30/1/24', '2/2/24'], 'day-first'],
    ['time that goes on, with days up to 12 alone', ['10/11/24', '12/11/24', '1/12/24'], 'day-first'],
    ['the same, the month first', ['11/10/24', '11/12/24', '12/1/24'], 'month-first'],
    ['a number that keeps its value', ['2/3/24', '3/3/24', '4/3/24'], 'day-first'],
    ['the same in the first place', ['3/2/24', '3/4/24', '3/5/24'], 'month-first'],
    ['dots', ['3.4.24'], 'day-first'],
    ['hyphens', ['3-4-2024'], 'day-first'],
    ['years in front', ['2024/3/4'], 'year-first'],
    ['years of two digits in front, where nothing else is a date', ['24/10/31', '24/11/1'], 'year-first'],
    ['the same number twice, which is the same date', ['3/3/24'], 'day-first'],
    ['most of the lines, where somebody pasted one', ['13/2/24', '14/2/24', '2/15/24'], 'day-first'],
  ])('follows %s', (_, dates, expected) => expect(decide(...dates)).toBe(expected));

  it('is asked for where nothing says it', () => {
    expect(decide('3/4/24', '5/6/24')).toBe('day-first?');
    expect(decide('3/4/2024')).toBe('day-first?');
  });
});
