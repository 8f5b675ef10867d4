import { describe, expect, it } from 'vitest';
import { fieldBehindIn } from '../../../../src/sources/kit/rows/fields-behind.ts';

describe('a field behind the last list of a file', () => {
  it('may be an object, and have another one inside', () => {
    const text =
      '{"users":[{"id":1}],"page":7,"links":{"self":"/u", "next_page":{ "href":"/v2/users?page=2" }},"none":{ }}';
    expect(fieldBehindIn(text, 'page')).toBe(7);
    expect(fieldBehindIn(text, 'links')).toEqual({ self: '/u', next_page: { href: '/v2/users?page=2' } });
    expect(fieldBehindIn(text, 'none')).toEqual({});
  });

  it('is looked for once, however many spaces there are in a text that almost fits', () => {
    // Each object once had a hundred ways to fit: ten of them took hours.
    const text = `{"list":[1]${`,"a":{"b":1${' '.repeat(100)}}`.repeat(20)}x}`;
    expect(fieldBehindIn(text, 'a')).toBeUndefined();
  });
});
