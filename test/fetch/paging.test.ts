import { describe, expect, it } from 'vitest';
import { firstPlace, placeAfter, Stuck } from '../../src/fetch/paging.ts';
import { parseRecipe } from '../../src/fetch/load-recipe.ts';
import { rowsIn } from '../../src/fetch/rows.ts';

/** A step that asks for `/rooms`, with these lines more. */
function stepWith(...lines: readonly string[]) {
  const recipe = `title: Example
source: json
version: 1
facts: [https://example.com/docs]
key: { what: a token }
address: https://api.example.com/v1
auth: { headers: { authorization: 'Bearer {key}' } }
rate: {}
steps:
  - name: rooms
    get: /rooms
    id: /id
    ${lines.join('\n    ')}
`;
  return parseRecipe(recipe, 'mine.yaml').recipe.steps[0]!;
}

const row = (id: number, at: number) => ({ id, at });
const pageOf = (rows: readonly object[], newCount: number, status = 200) => ({ answer: {}, status, rows, newCount });

describe('the end of a list', () => {
  it('is where a cursor comes back with a page without rows; with rows it is a fault', () => {
    const step = stepWith('rows: /data', 'next: { cursor: /next, as: start }');
    const place = { ...firstPlace, page: 2, value: 'same' };
    const answer = { data: [], next: 'same' };
    expect(placeAfter(step, place, { answer, status: 200, rows: [], newCount: 0 })).toBeUndefined();
    expect(placeAfter(step, place, { answer, status: 200, rows: [row(1, 1)], newCount: 1 })).toBeInstanceOf(Stuck);
  });

  it('is said by the status of an answer, if the recipe names the one that has more behind it', () => {
    const step = stepWith('rows: /data', 'next: { row: first, field: /at, as: before }', 'partial: 206');
    expect(placeAfter(step, firstPlace, pageOf([row(1, 5)], 1, 200))).toBeUndefined();
    expect(placeAfter(step, firstPlace, pageOf([row(1, 5)], 1, 206))).toMatchObject({ value: '5', page: 2 });
  });

  it('is none if that status comes with nothing new', () => {
    const step = stepWith('rows: /data', 'next: { row: first, field: /at, as: before }', 'partial: 206');
    const place = { ...firstPlace, page: 2, value: '5' };
    for (const rows of [[], [row(1, 5)]])
      expect(placeAfter(step, place, pageOf(rows, 0, 206))).toMatchObject({
        why: 'the last answer says that more follows',
      });
  });

  it('is none if new rows share the value by which they were asked for', () => {
    const step = stepWith('rows: /data', 'next: { row: last, field: /at, as: latest }');
    const place = { ...firstPlace, page: 2, value: '5' };
    expect(placeAfter(step, place, pageOf([row(1, 5), row(2, 5)], 1))).toBeInstanceOf(Stuck);
    expect(placeAfter(step, place, pageOf([row(1, 5)], 0))).toBeUndefined();
  });
});

it('rows are the values of an object, or what is in its lists', () => {
  const step = stepWith('rows: /channels/*');
  expect(rowsIn(step, {}, { channels: { a: [row(1, 1), row(2, 2)], b: [row(3, 3)] } })).toEqual([
    ...[row(1, 1), row(2, 2), row(3, 3)],
  ]);
  expect(rowsIn(step, {}, { channels: { a: row(1, 1), b: row(2, 2) } })).toEqual([row(1, 1), row(2, 2)]);
  expect(rowsIn(step, {}, { channels: {} })).toEqual([]);
});
