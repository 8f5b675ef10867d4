import { describe, expect, it } from 'vitest';
import { FieldsBehind } from '../../../../src/sources/kit/rows/fields-behind.ts';
import { commonWordsForMore, SavedPages } from '../../../../src/sources/kit/rows/saved-pages.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

type Files = Parameters<typeof memoryInput>[0];

/** Which pages of an export are said to be the last that were saved. */
async function unfinished(files: Files): Promise<string[]> {
  const input = memoryInput(files);
  const pages = new SavedPages(input, commonWordsForMore);
  const found: string[] = [];
  for (const path of await input.paths()) {
    const behind = new FieldsBehind();
    for await (const _ of behind.watch(input).open(path));
    const entries = await pages.missingAfter(path, behind);
    found.push(...entries.map((entry) => `${path}: ${(entry as { reason: string }).reason.split(':')[0]}`));
  }
  return found;
}

describe('pages of a list that were saved each in a file', () => {
  it('are unfinished if every one says that more follows', async () => {
    const more = { list: [{ id: 1 }], has_more: true };
    expect(await unfinished({ 'page-1.json': more, 'page-2.json': more })).toEqual(['page-2.json: "has_more" is true']);
  });

  it('are unfinished if they say so behind a byte order mark, before the list', async () => {
    expect(await unfinished({ 'page.json': '\ufeff{"has_more": true, "list": [{"id": 1}]}' })).toHaveLength(1);
  });

  it('are whole if one is the last', async () => {
    const [more, last] = [
      { list: [{}], next: 'bmV4dA' },
      { list: [{}], next: '' },
    ];
    expect(await unfinished({ '1.json': more, '2.json': more, '3.json': last })).toEqual([]);
  });

  it('belong to one list if their names differ only in the last number', async () => {
    const [more, last] = [
      { list: [{}], hasMore: true },
      { list: [{}], hasMore: false },
    ];
    expect(await unfinished({ 'c1-1.json': more, 'c2-1.json': last })).toEqual(['c1-1.json: "hasMore" is true']);
  });

  it('may be last if they are too large for a look', async () => {
    const large = `{"list": ["${'x'.repeat(2 ** 20)}"], "has_more": true}`;
    expect(await unfinished({ '1.json': { list: [{}], has_more: true }, '2.json': large })).toEqual([]);
  });

  it.each<[string, object | string]>([
    ['"next_cursor" is "bmV4dA"', { ok: true, messages: [{}], response_metadata: { next_cursor: 'bmV4dA' } }],
    ['"has_more" is true', { has_more: true, pin_count: 0, messages: [{}] }],
    ['"nextPage" is 2', { messages: [{ tags: ['a'] }], pagination: { page: 1, nextPage: 2 } }],
    ['"next" is "MQ"', { results: [{ senders: [{}] }], paging: { next: { after: 'MQ' } } }],
    ['"next_page_token" is "x"', { data: { rooms: [{}] }, next_page_token: 'x' }],
  ])('say it in the words of most services: %s', async (words, page) => {
    expect(await unfinished({ 'page.json': page as Files[string] })).toEqual([`page.json: ${words}`]);
  });

  it.each<[object | string]>([
    [{ messages: [{}], next_cursor: '', next_page: null, next: 0 }],
    [{ messages: [{ next: 'x', has_more: true }] }],
    [{ messages: [{}], has_more: false, response_metadata: { next_cursor: 'bmV4dA' } }],
    [{ response_metadata: 'x', messages: [{}] }],
    ['{"messages": [{}], "has_more": tru'],
    ['[1, 2]'],
  ])('do not say it otherwise: %j', async (page) => {
    expect(await unfinished({ 'page.json': page as Files[string] })).toEqual([]);
  });

  it('are inspected in little time, whatever they contain', async () => {
    const hostile = `{"a": [1]${', "x": {'.repeat(500)}${', "y": 1'.repeat(300)}`;
    expect(await unfinished({ 'page.json': hostile })).toEqual([]);
  });
});
