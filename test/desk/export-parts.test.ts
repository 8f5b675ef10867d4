import { describe, expect, it } from 'vitest';
import { ignoredRows, partRows } from '../../src/desk/answers/source.ts';
import type { Inspection } from '../../src/commands/results.ts';

const noTimes = { firstAtMs: null, lastAtMs: null };

/** As much of an inspection as the list of its parts needs. */
const inspection = (found: Partial<Inspection>): Inspection =>
  ({ source: 'database', roles: [], parts: [], tables: [], ...found }) as unknown as Inspection;

const table = (name: string, rows?: number) => ({
  ...{ name, isView: false, columns: [], primaryKey: [], references: [] },
  ...(rows !== undefined && { rows }),
});

const readAs = (role: string, name: string) => ({ role, value: { table: name }, because: '' });

const search = (text = '') => new URLSearchParams(text);

describe('partRows()', () => {
  it('gives nothing until the export was looked at', () => {
    expect(partRows(undefined, search())).toEqual({ rows: [], next: null });
  });

  it('knows the tables that a query reads', () => {
    const query = "SELECT p.id, t.body FROM posts p JOIN texts t ON t.kind = 'audit' AND t.post = p.id";
    const roles = [{ role: 'messages', value: { query }, because: '' }];
    const found = inspection({ roles, tables: [table('audit'), table('posts'), table('texts')] });
    const rows = partRows(found, search()).rows.map((row) => [row.table, row.role]);
    expect(rows).toEqual([
      ['posts', 'messages'],
      ['texts', 'messages'],
      ['audit', null],
    ]);
  });

  it('gives the tables that were read, then those that have a role, then all others', () => {
    const found = inspection({
      roles: [readAs('messages', 'posts'), readAs('users', 'people'), readAs('members', 'people')],
      parts: [{ path: 'app.db', table: 'posts', rows: 7, people: 0, conversations: 0, firstAtMs: 1, lastAtMs: 2 }],
      tables: [table('audit', 900), table('people'), table('posts', 7)],
    });
    expect(partRows(found, search()).rows).toEqual([
      {
        path: 'app.db',
        table: 'posts',
        role: 'messages',
        rows: 7,
        isAbout: false,
        people: 0,
        conversations: 0,
        firstAtMs: 1,
        lastAtMs: 2,
      },
      {
        path: '',
        table: 'people',
        role: 'users, members',
        rows: null,
        isAbout: true,
        people: 0,
        conversations: 0,
        ...noTimes,
      },
      { path: '', table: 'audit', role: null, rows: 900, isAbout: true, people: 0, conversations: 0, ...noTimes },
    ]);
  });

  it('gives a file that is a table under its path', () => {
    const found = inspection({ source: 'csv', tables: [table('posts.csv')] });
    expect(partRows(found, search()).rows).toMatchObject([{ path: 'posts.csv', rows: null }]);
    expect(partRows(found, search()).rows[0]).not.toHaveProperty('table');
  });

  it('finds names by words in any case, a hundred at a time', () => {
    const found = inspection({ tables: Array.from({ length: 250 }, (_, index) => table(`Table ${index}`)) });
    const first = partRows(found, search('search=table'));
    expect([first.rows.length, first.next]).toEqual([100, '100']);
    const last = partRows(found, search('search=table&after=200'));
    expect([last.rows.length, last.next]).toEqual([50, null]);
    expect(partRows(found, search('search=249')).rows.length).toBe(1);
    expect(partRows(found, search('after=x')).rows.length).toBe(100);
  });
});

describe('ignoredRows()', () => {
  it('counts the files of each reason, those of most files first', () => {
    const files = [
      { path: 'a.bson', reason: 'BSON' },
      { path: 'b.txt', reason: 'No chat' },
      { path: 'c.txt', reason: 'No chat' },
    ];
    expect(ignoredRows(files, search()).rows).toEqual([
      { reason: 'No chat', count: 2, first: 'b.txt' },
      { reason: 'BSON', count: 1, first: 'a.bson' },
    ]);
  });
});
