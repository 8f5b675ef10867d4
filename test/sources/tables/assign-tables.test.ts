import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/lib/errors.ts';
import { assignTables } from '../../../src/sources/tables/assign-tables.ts';

const isTable = (path: string) => path.endsWith('.csv');
const paths = ['a/m1.csv', 'a/m2.csv', 'm3.csv', 'read.txt', 'users.csv'];
const named = (tables: Parameters<typeof assignTables>[1]) => {
  const { messages, users, skipped, unknown } = assignTables(paths, tables, isTable);
  const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);
  return { messages: pathsOf(messages), users: pathsOf(users), skipped: pathsOf(skipped), unknown };
};

describe('assignTables()', () => {
  it('takes every table for messages if the mapping names none', () => {
    expect(named(undefined)).toEqual({
      messages: paths.filter(isTable),
      users: [],
      skipped: [],
      unknown: ['read.txt'],
    });
  });

  it.each([
    ['*.csv', ['m3.csv', 'users.csv']],
    ['a/m?.csv', ['a/m1.csv', 'a/m2.csv']],
    ['**/m*.csv', ['a/m1.csv', 'a/m2.csv', 'm3.csv']],
    ['m3.csv', ['m3.csv']],
  ])('finds the files of %s', (file, found) => {
    expect(named({ messages: { file } }).messages).toEqual(found);
  });

  it('lists tables that the mapping does not name', () => {
    expect(named({ messages: { file: 'm3.csv' }, users: { file: 'users.csv' } })).toMatchObject({
      skipped: ['a/m1.csv', 'a/m2.csv'],
      unknown: ['read.txt'],
    });
  });

  it('says which paths there are where none is the one', () => {
    expect(() => named({ messages: { file: 'nosuch+(.csv' } })).toThrow(SourceError);
    expect(() => named({ messages: { file: 'nosuch.csv' } })).toThrow('the mapping names "nosuch.csv", found a/m1.csv');
  });
});
