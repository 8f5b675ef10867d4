import { describe, expect, it } from 'vitest';
import { DayHeadings, inOrder, isBack } from '../../../../src/sources/kit/rows/log-order.ts';

const hourMs = 3_600_000;

/** Lines of days from left to right: a number is a heading, `.` a message below it, `x` a text. */
function textHeadings(...log: readonly (number | '.' | 'x')[]): readonly number[] {
  const headings = new DayHeadings<number>();
  for (const [line, one] of log.entries()) {
    if (typeof one === 'number') headings.add(line, one);
    else if (one === '.') headings.row('row', line * 60_000);
    else headings.other('text');
  }
  return [
    ...headings.decide(
      (day) => day,
      (kind) => kind !== 'text',
    ),
  ];
}

describe('DayHeadings', () => {
  it.each([
    ['days that go forward', [1, '.', 2, '.', 5, '.'], []],
    ['a day that jumps ahead of later ones', [1, '.', 9, '.', 2, '.', 3, '.'], [2]],
    ['a day of the past', [5, '.', 2, '.', 6, '.'], [2]],
    ['a day ahead behind many, and before one', [1, '.', 2, '.', 3, '.', 9, '.', 4, '.'], [6]],
    ['the same day again', [5, '.', 5, '.', 6, '.'], [2]],
    ['a day without a message below it', [1, '.', 2, 'x', '.', 3, '.'], [2]],
    ['the first day, whatever is below it', [1, 'x', '.', 2, '.'], []],
    ['a day at the end', [1, '.', 2], []],
    ['many days of a second file', [5, '.', 6, '.', ...[1, 2, 3, 4, 5, 6].flatMap((day) => [day, '.' as const])], []],
  ] as const)('decides about %s', (_, log, texts) => {
    expect(textHeadings(...log)).toEqual(texts);
  });
});

/** The lines that stay messages: hours of a day are messages, words are none. */
async function kept(...day: readonly (number | string)[]): Promise<readonly (number | string)[]> {
  const lists: { hour: number | string; at: number; pasted?: string }[][] = [day.map((hour, at) => ({ hour, at }))];
  const found: (number | string)[] = [];
  const ordered = inOrder(
    (async function* () {
      for (const list of lists) yield await Promise.resolve(list);
    })(),
    {
      textHeadings: new Set(day.flatMap((hour, at) => (hour === 'heading' ? at : []))),
      numberOf: ({ at }) => at,
      timeOf: ({ hour }) => (typeof hour === 'number' ? hour * hourMs : undefined),
      isDay: () => false,
      asText: (line, pasted) => ({ ...line, pasted }),
    },
  );
  for await (const lines of ordered)
    found.push(...lines.filter(({ pasted }) => pasted !== 'message').map(({ hour }) => hour));
  return found;
}

describe('inOrder()', () => {
  it.each([
    ['nothing', [8, 9, 'text', 9, 12], [8, 9, 'text', 9, 12]],
    ['messages that go back until the time above is reached again', [8, 20, 9, 10, 21], [8, 20, 21]],
    ['one that goes back at the end', [8, 20, 9], [8, 20]],
    ['one that is ahead of all that follow', [8, 23, 9, 10, 11], [8, 9, 10, 11]],
    ['one below a day that is a text, ahead of the next one', [8, 'heading', 21, 20], [8, 'heading', 20]],
  ] as const)('takes out %s', async (_, day, expected) => {
    expect(await kept(...day)).toEqual(expected);
  });

  it('keeps a log that itself goes back', async () => {
    const second = Array.from({ length: 120 }, (_, index) => 10 + index / 60);
    const first = Array.from({ length: 120 }, (_, index) => 20 + index / 60);
    expect(await kept(...first, ...second)).toEqual([...first, ...second]);
  });
});

describe('isBack()', () => {
  it('lets a clock be put back by an hour in the night, and not by day', () => {
    expect(isBack(3 * hourMs, 2 * hourMs)).toBe(false);
    expect(isBack(3 * hourMs, hourMs)).toBe(true);
    expect(isBack(15 * hourMs, 14.5 * hourMs)).toBe(true);
    expect(isBack(15 * hourMs, 15 * hourMs)).toBe(false);
  });
});
