import { describe, expect, it } from 'vitest';
import { firstPlace, type Place, placeAfter, Stuck } from '../../src/fetch/paging.ts';
import { parseRecipe } from '../../src/fetch/load-recipe.ts';

const stepWith = (next: string) =>
  parseRecipe(
    `title: Any\nsource: any\nversion: 1\nfacts: [https://example.com]\nkey: { what: one }\naddress: https://example.com\n` +
      `auth: { headers: { key: '{key}' } }\nrate: {}\nsteps: [{ name: rows, get: /rows, rows: '', id: /id, next: ${next} }]\n`,
    'any',
  ).recipe.steps[0]!;

const pageWith = (rows: readonly unknown[], newCount: number, changedCount = 0) => ({
  ...{ answer: {}, rows, newCount, changedCount },
});

describe('placeAfter()', () => {
  it('ends a list with words if a provider gives the first page for every number', () => {
    const step = stepWith('{ page: page }');
    const rows = [{ id: 1 }];
    const second = placeAfter(step, firstPlace, pageWith(rows, 1)) as Place;
    const third = placeAfter(step, second, pageWith(rows, 0)) as Place;
    expect(third.page).toBe(3);
    expect(placeAfter(step, third, pageWith(rows, 0))).toEqual(
      new Stuck('page 3 is the same as the 2 pages before it'),
    );
  });

  it('goes on behind pages without anything new, because new rows at the front move the others back', () => {
    const step = stepWith('{ page: page }');
    let place = firstPlace;
    for (const id of [1, 2, 3, 4]) place = placeAfter(step, place, pageWith([{ id }], 0)) as Place;
    expect(place.page).toBe(5);
  });

  it('reads a list again up to the first row that is as it was', () => {
    const step = stepWith('{ page: page }');
    const again = { ...firstPlace, kept: 9, isAgain: true };
    const rows = [{ id: 1 }, { id: 2 }];
    expect(placeAfter(step, again, pageWith(rows, 0, 2))).toMatchObject({ page: 2, isAgain: true });
    expect(placeAfter(step, again, pageWith(rows, 0, 1))).toBeUndefined();
    expect(placeAfter(step, again, pageWith([], 0))).toBeUndefined();
  });

  it('ends a list whose last page comes again, and names it if the page is full', () => {
    const rows = [{ id: 1, at: 7 }];
    const step = stepWith('{ row: last, field: /at, as: from, most: 2 }');
    const second = placeAfter(step, firstPlace, pageWith(rows, 1)) as Place;
    expect(second.value).toBe('7');
    expect(placeAfter(step, second, pageWith(rows, 0))).toBeUndefined();
    expect(placeAfter(step, second, pageWith([...rows, { id: 2, at: 7 }], 0))).toEqual(
      new Stuck('all 2 rows of page 2 came before, and more may follow'),
    );
  });

  it('asks for the same value again as long as rows with it are new', () => {
    const step = stepWith('{ row: last, field: /at, as: from, most: 2 }');
    const second = placeAfter(step, firstPlace, pageWith([{ id: 1, at: 7 }], 1)) as Place;
    expect(placeAfter(step, second, pageWith([{ id: 2, at: 7 }], 1))).toMatchObject({ page: 3, value: '7' });
  });
});
