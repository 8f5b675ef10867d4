import { describe, expect, it } from 'vitest';
import { findRows } from '../../../src/sources/json/rows.ts';

const find = (text: string | Buffer, table = {}, path = 'a.json') => {
  const found = findRows(path, Buffer.from(text), table);
  if (found.at === undefined) return found.code;
  return found.at.layout === 'list' ? `list at /${found.at.pattern.join('/')}` : found.at.layout;
};

describe('findRows()', () => {
  it.each<readonly [what: string, text: string, found: string]>([
    ['an array', ' [{"a":1}]', 'list at /'],
    ['an array of which only the beginning was seen', '[{"a":"', 'list at /'],
    ['one object on each line', '{"a":1}\n{"a":2}\n', 'lines'],
    ['one object on each line, the first one broken', '{"a":tru}\n{"a":2}\n', 'lines'],
    ['one object on each line, commas behind them', '{"a":1},\n{"a":2},\n', 'lines'],
    ['objects one behind another', '{"a":1}{"a":2}', 'values'],
    ['objects over several lines', '{\n"a":1\n}\n{\n"a":2\n}\n', 'values'],
    ['one object without lists', '{"a":{"b":1}}', 'values'],
    ['one object with a list', '{"messages":[{"a":1}]}', 'json-list-unknown'],
    ['one object of rows', '{"x":{"a":1},"y":{"a":2}}', 'json-list-unknown'],
    ['one object that is cut off', '{"a":', 'values'],
    ['nothing', '', 'json-empty'],
    ['white space', ' \n', 'json-no-list'],
    ['a text', '"a"', 'json-no-list'],
    ['a web page', '<html>', 'json-no-list'],
    ['deep nesting', '{"a":'.repeat(20_000), 'values'],
  ])('sees %s', (_what, text, found) => {
    expect(find(text)).toBe(found);
    expect(find(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text === '' ? 'json-no-list' : found);
  });

  it('takes the name of a file for lines', () => {
    for (const name of ['a.ndjson', 'A.JSONL', 'x/b.jsonlines']) expect(find('{"a":1}', {}, name)).toBe('lines');
    expect(find('[1]\n[2]', {}, 'a.ndjson')).toBe('lines');
  });

  it('follows the mapping, whatever the file contains', () => {
    expect(find('[]', { layout: 'lines' })).toBe('lines');
    expect(find('[]', { layout: 'values' })).toBe('values');
    expect(find('{"a":1}\n{"a":2}', { layout: 'list' })).toBe('list at /');
    expect(find('{"a":1}\n{"a":2}', { list: '/data/*' })).toBe('list at /data/*');
  });

  it('says which lists there are', () => {
    const found = findRows('a.json', Buffer.from('{"users":[{"id":1}],"data":{"items":[{"id":2}]}}'), undefined);
    expect(found).toMatchObject({ reason: expect.stringContaining('lists at "/users", "/data/items"') });
  });
});
