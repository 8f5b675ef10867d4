import { describe, expect, it } from 'vitest';
import { firstPlace, type Place, placeAfter, Stuck } from '../../src/fetch/answers/paging.ts';
import { parseRecipe } from '../../src/fetch/load-recipe.ts';
import { buildRequest } from '../../src/fetch/requests.ts';
import { holds, rowsIn } from '../../src/fetch/answers/rows.ts';

const stepWith = (next: string) =>
  parseRecipe(
    `title: Any\nsource: any\nversion: 1\nfacts: [https://example.com]\nkey: { what: one }\naddress: https://example.com\n` +
      `auth: { headers: { key: '{key}' } }\nrate: {}\nsteps: [{ name: rows, get: /rows, rows: '', id: /id, next: ${next} }]\n`,
    'any',
  ).recipe.steps[0]!;

const pageWith = (rows: readonly unknown[], newCount: number, changedCount = 0) => ({
  ...{ answer: {}, status: 200, rows, newCount, changedCount },
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

/** A step that asks for `/rooms`, with these lines more. */
function stepOf(...lines: readonly string[]) {
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
const pageOf = (rows: readonly object[], newCount: number, status = 200) => ({
  answer: {},
  status,
  rows,
  newCount,
  changedCount: 0,
});

describe('the end of a list', () => {
  it('is where a cursor comes back with a page without rows; with rows it is a fault', () => {
    const step = stepOf('rows: /data', 'next: { cursor: /next, as: start }');
    const place = { ...firstPlace, page: 2, value: 'same' };
    const answer = { data: [], next: 'same' };
    expect(placeAfter(step, place, { answer, status: 200, rows: [], newCount: 0, changedCount: 0 })).toBeUndefined();
    expect(
      placeAfter(step, place, { answer, status: 200, rows: [row(1, 1)], newCount: 1, changedCount: 0 }),
    ).toBeInstanceOf(Stuck);
  });

  it('is said by the status of an answer, if the recipe names the one that has more behind it', () => {
    const step = stepOf('rows: /data', 'next: { row: first, field: /at, as: before }', 'partial: 206');
    expect(placeAfter(step, firstPlace, pageOf([row(1, 5)], 1, 200))).toBeUndefined();
    expect(placeAfter(step, firstPlace, pageOf([row(1, 5)], 1, 206))).toMatchObject({ value: '5', page: 2 });
  });

  it('is none if that status comes with nothing new', () => {
    const step = stepOf('rows: /data', 'next: { row: first, field: /at, as: before }', 'partial: 206');
    const place = { ...firstPlace, page: 2, value: '5' };
    for (const rows of [[], [row(1, 5)]])
      expect(placeAfter(step, place, pageOf(rows, 0, 206))).toMatchObject({
        why: 'the last answer says that more follows',
      });
  });
});

it('rows are the values of an object, or what is in its lists', () => {
  const step = stepOf('rows: /channels/*');
  expect(rowsIn(step, {}, { channels: { a: [row(1, 1), row(2, 2)], b: [row(3, 3)] } })).toEqual([
    ...[row(1, 1), row(2, 2), row(3, 3)],
  ]);
  expect(rowsIn(step, {}, { channels: { a: row(1, 1), b: row(2, 2) } })).toEqual([row(1, 1), row(2, 2)]);
  expect(rowsIn(step, {}, { channels: {} })).toEqual([]);
});

function recipeWith(next: string) {
  const text = `title: Example
source: json
version: 1
facts: [https://example.com/docs]
key: { what: a token }
address: https://api.example.com/v1
auth: { headers: { authorization: 'Bearer {key}' } }
rate: {}
steps:
  - { name: rooms, get: /rooms, query: { limit: 2 }, rows: /rooms, id: /id, next: ${next} }
`;
  const { recipe } = parseRecipe(text, 'mine.yaml');
  return { recipe, step: recipe.steps[0]! };
}

it('a parameter of the next address is taken, and the address is not followed', () => {
  const { recipe, step } = recipeWith('{ link: /next, take: token }');
  const answer = { next: 'https://harbour.example.net/rooms?limit=2&token=a%2Fb' };
  const place = placeAfter(step, firstPlace, { answer, status: 200, rows: [{}, {}], newCount: 2, changedCount: 0 });
  expect(buildRequest(recipe, step, {}, place as Place).url.href).toBe(
    'https://api.example.com/v1/rooms?limit=2&token=a%2Fb',
  );
});

it.each(['https://harbour.example.net/rooms?limit=2', 'no address'])(
  'a next address without that parameter (%s) is a gap, and not the end of the list',
  (next) => {
    const { step } = recipeWith('{ link: /next, take: token }');
    const found = placeAfter(step, firstPlace, {
      answer: { next },
      status: 200,
      rows: [{}],
      newCount: 1,
      changedCount: 0,
    });
    expect(found).toEqual(new Stuck('the address that page 1 gives has no token'));
  },
);

it('cursors that go round in a circle end after 100 pages without anything new', () => {
  const { step } = recipeWith('{ cursor: /next, as: after }');
  let place: Place | undefined | Stuck = firstPlace;
  let pages = 0;
  for (; place !== undefined && !(place instanceof Stuck) && pages < 1000; pages++)
    place = placeAfter(step, place, {
      answer: { next: 'abc'[pages % 3] },
      status: 200,
      rows: [{}],
      newCount: pages < 3 ? 1 : 0,
      changedCount: 0,
    });
  expect(place).toEqual(new Stuck('100 pages up to page 103 have nothing new'));
});

it('a mark compares, and a value that is not there is none that differs', () => {
  const mark = { field: '/status', not: 'deleted' };
  expect([{ status: 'open' }, { status: 'deleted' }, { status: null }, {}].map((row) => holds(mark, row))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it.each([
  ['once: author', /\{author\} is neither a setting nor a value/],
  ['when: { field: /status, is: open, not: deleted }', /expected either is or not/],
])('"%s" in a step is an error with its place', (line, words) => {
  const text = `title: Example
source: json
version: 1
facts: [https://example.com/docs]
key: { what: a token }
address: https://api.example.com/v1
auth: { headers: { authorization: 'Bearer {key}' } }
rate: {}
steps:
  - { name: rooms, get: /rooms, rows: /rooms, id: /id }
  - name: messages
    each: rooms
    ${line}
    get: /messages
    rows: /messages
    id: /id
`;
  expect(() => parseRecipe(text, 'mine.yaml')).toThrow(words);
  expect(() => parseRecipe(text, 'mine.yaml')).toThrow(/^mine\.yaml:13:/);
});
