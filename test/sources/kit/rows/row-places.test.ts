import { describe, expect, it } from 'vitest';
import { readOutline } from '../../../../src/sources/kit/rows/json-outline.ts';
import { bareRows, findRows } from '../../../../src/sources/kit/rows/row-places.ts';

const find = (head: string) =>
  findRows({ head, outline: readOutline(head) }, ['payload', 'data/payload'], (has, valuesOf) =>
    has('id', 'text') ? 'messages' : valuesOf('type').includes('agent') ? 'people' : undefined,
  );

describe('the places of rows in a saved answer', () => {
  it.each([
    ['{"payload":[{"id":1,"text":"a"}]}', 'messages', { layout: 'list', pattern: ['payload'] }],
    ['{"data":{"payload":[{"id":1,"text":"a"}]}}', 'messages', { layout: 'list', pattern: ['data', 'payload'] }],
    ['[{"id":1,"text":"a"}]', 'messages', { layout: 'list', pattern: [] }],
    ['{"id":1,"text":"a"}\n{"id":2,"text":"b"}', 'messages', { layout: 'lines' }],
    ['{\n"id":1,\n"text":"a"}', 'messages', { layout: 'values' }],
    ['{"payload":[{"type":"agent"}]}', 'people', { layout: 'list', pattern: ['payload'] }],
  ])('are found in %s', (head, kind, at) => {
    expect(find(head)).toEqual({ kind, at });
  });

  it('are not guessed: other keys, and answers on lines, are no rows', () => {
    expect(find('{"payload":[{"id":1}]}')).toBeUndefined();
    expect(find('{"payload":[{"id":1,"text":"a"}]}\n{"payload":[]}')).toBeUndefined();
  });

  it('are lines only where the first line is whole and another is behind it', () => {
    expect(bareRows('{"id":1}').layout).toBe('values');
    expect(bareRows('{"id":1}\n').layout).toBe('values');
    expect(bareRows('{"id":1}\r\n{"id":2}').layout).toBe('lines');
  });
});
