import { expect, it } from 'vitest';
import { parseRecipe } from '../../src/fetch/load-recipe.ts';
import { firstPlace, type Place, placeAfter, Stuck } from '../../src/fetch/paging.ts';
import { requestOf } from '../../src/fetch/requests.ts';
import { holds } from '../../src/fetch/rows.ts';

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
  const place = placeAfter(step, firstPlace, { answer, rows: [{}, {}], newCount: 2 });
  expect(requestOf(recipe, step, {}, place as Place).url.href).toBe(
    'https://api.example.com/v1/rooms?limit=2&token=a%2Fb',
  );
});

it.each(['https://harbour.example.net/rooms?limit=2', 'no address'])(
  'a next address without that parameter (%s) is a gap, and not the end of the list',
  (next) => {
    const { step } = recipeWith('{ link: /next, take: token }');
    const found = placeAfter(step, firstPlace, { answer: { next }, rows: [{}], newCount: 1 });
    expect(found).toEqual(new Stuck('the address that page 1 gives has no token'));
  },
);

it('cursors that go round in a circle end after 100 pages without anything new', () => {
  const { step } = recipeWith('{ cursor: /next, as: after }');
  let place: Place | undefined | Stuck = firstPlace;
  let pages = 0;
  for (; place !== undefined && !(place instanceof Stuck) && pages < 1000; pages++)
    place = placeAfter(step, place, { answer: { next: 'abc'[pages % 3] }, rows: [{}], newCount: pages < 3 ? 1 : 0 });
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
