import { expect, it } from 'vitest';
import { loadProvider, parseRecipe, providerNames } from '../../src/fetch/load-recipe.ts';

const good = `title: Example
source: json
version: 1
facts: [https://example.com/docs]
key: { what: a token }
settings: { room: { what: the room } }
address: https://api.example.com/v1
auth: { headers: { authorization: 'Bearer {key}' } }
rate: {}
steps:
  - name: rooms
    get: /rooms/{room}
    rows: /rooms
    id: /id
    values: { id: /id }
    lines: rooms.ndjson
  - name: messages
    each: rooms
    get: /rooms/{id}/messages
    rows: /messages
    id: /id
    lines: messages.ndjson
`;

it.each(providerNames())('the recipe of %s can be used, and says where its facts are from', (name) => {
  const { recipe } = loadProvider(name);
  expect(recipe.facts.length).toBeGreaterThan(0);
  expect(new Set(recipe.steps.map((step) => step.name)).size).toBe(recipe.steps.length);
});

it('a recipe is read as it was written', () => {
  expect(parseRecipe(good, 'mine.yaml').recipe.steps.map(({ name }) => name)).toEqual(['rooms', 'messages']);
});

it.each([
  ['get: /rooms/{room}', 'delete: /rooms', /mine.yaml:\d+:\d+: .*(?:delete|get or post)/],
  ['get: /rooms/{room}', 'post: /rooms', /post needs `documented`/],
  ['get: /rooms/{room}', 'get: /rooms/{nothing}', /\{nothing\} is neither a setting nor a value/],
  ['each: rooms', 'each: houses', /no step before this one is called "houses"/],
  ['each: rooms', 'each: [rooms, houses]', /no step before this one is called "houses"/],
  [
    '  - name: messages\n    each: rooms',
    '  - { name: halls, get: /halls, rows: /halls, id: /id }\n  - name: messages\n    each: [rooms, halls]',
    /\{id\} is neither a setting nor a value/,
  ],
  ['address: https://api.example.com/v1', 'address: http://api.example.com/v1', /expected an https address/],
  ['rows: /rooms', 'rows: rooms', /expected a JSON pointer/],
  ['version: 1', 'version: one', /mine.yaml:3:1: version/],
  ['title: Example', 'title: Example\ntitle: Again', /mine.yaml:2:1/],
  ['rate: {}', "rate: {}\nheaders: { x-region: '{region}' }", /\{region\} is neither a setting/],
  ['lines: messages.ndjson', "lines: messages.ndjson\n    adds: { room: '{name}' }", /\{name\} is neither a setting/],
])('"%s" instead of "%s" is an error with its place', (from, to, words) => {
  expect(() => parseRecipe(good.replace(from, to), 'mine.yaml')).toThrow(words);
});
