import { describe, expect, it } from 'vitest';
import { AnswersInRows } from '../../../../src/sources/kit/rows/answers-in-rows.ts';

const answers = () =>
  new AnswersInRows({
    lists: ['chats', 'threads'],
    ofRows: ['id'],
    more: 'next',
    saysMore: ({ next }) => next !== undefined,
  });
const rowsOf = (rows: ReturnType<AnswersInRows['listRows']>) => rows.map(([value, { pointer }]) => [value, pointer]);
const location = { path: 'a.json', pointer: '/3' };

describe('rows of a file that may be whole answers', () => {
  it('are those of the lists of an answer, or the row itself', () => {
    const inAnswer = answers().listRows({ value: { chats: ['a'], threads: ['b'], users: ['c'] }, location });
    expect(rowsOf(inAnswer)).toEqual([
      ['a', '/3/chats/0'],
      ['b', '/3/threads/0'],
    ]);
    const row = { id: 1, threads: ['of its own'] };
    expect(rowsOf(answers().listRows({ value: row, location }))).toEqual([[row, '/3']]);
    expect(rowsOf(answers().listRows({ value: 'no object', location }))).toEqual([['no object', '/3']]);
  });

  it('are none of another list of an answer that is the file', () => {
    expect(answers().listRows({ value: { id: 1 }, location, parentKey: 'users' })).toEqual([]);
    expect(answers().listRows({ value: { id: 1 }, location, parentKey: 'chats' })).toHaveLength(1);
  });

  it('say at their end that more follows, if no answer is the last one', () => {
    const open = answers();
    open.listRows({ value: { chats: [], next: 'x' }, location });
    expect(open.missing('a.json')).toMatchObject([{ code: 'export-is-partial', location: { path: 'a.json' } }]);
    open.listRows({ value: { chats: [] }, location });
    expect(open.missing('a.json')).toEqual([]);
    expect(answers().missing('a.json')).toEqual([]);
  });
});
