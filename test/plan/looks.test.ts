import { describe, expect, it } from 'vitest';
import { newMessage } from '../../src/model/new-message.ts';
import { addSeen, Looks, nothingSeen, type Seen } from '../../src/plan/looks.ts';

interface Row {
  readonly id?: string;
  readonly conversation?: string;
  readonly author?: string;
  readonly text?: string;
  readonly second: number;
}

function look(rows: readonly Row[]): Seen {
  const looks = new Looks(true);
  for (const [
    index,
    { id = `m${index}`, conversation = 'a', author = 'ann', text = 'Hello', second },
  ] of rows.entries()) {
    const origin = { source: 'csv', workspace: '', conversation, id };
    looks.add({ ...newMessage({ origin, sortKey: '', sentAtMs: second * 1000, text }), author }, 0);
  }
  return looks.seen();
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('Looks', () => {
  it('counts texts of one author and second that come again as copies, and versions of a message not', () => {
    const others = [{ author: 'bob' }, { second: 2 }, { text: 'Bye' }];
    const rows: Row[] = [
      { second: 1 },
      ...['b', 'a'].map((conversation) => ({ second: 1, conversation })),
      { second: 1, id: 'm0' },
    ];
    const more = others.map((change) => ({ second: 1, conversation: 'd', ...change }));
    expect(look([...rows, ...more])).toMatchObject({ rows: 7, copies: 2, areCopiesExact: true });
  });

  it('compares times and numbers of neighbours, if numbers were given out one after the other', () => {
    const ascending = numbers(60).map((index) => ({ id: `${index}`, second: index, conversation: `c${index % 7}` }));
    expect(look(ascending)).toMatchObject({ ordered: 59, againstIds: 0 });
    expect(look(ascending.map((row) => ({ ...row, second: 1000 - row.second })))).toMatchObject({ againstIds: 59 });
    expect(look(ascending.map((row) => ({ ...row, id: `${Number(row.id) * 1000}` })))).toMatchObject({ ordered: 0 });
    expect(look(ascending.map((row) => ({ ...row, id: `m${row.id}` })))).toMatchObject({ ordered: 0 });
  });

  it('compares inside conversations alone where each numbers its own messages', () => {
    const rows = numbers(60).map((index) => ({
      id: `${index % 3}`,
      conversation: `c${Math.floor(index / 3)}`,
      second: index,
    }));
    expect(look(rows)).toMatchObject({ ordered: 40, againstIds: 0 });
  });

  it('counts people whom tables describe under two names, and a platform with two mail addresses', () => {
    const looks = new Looks(true);
    const describe = (id: string, name: string, input = 0) => looks.add({ kind: 'user', id, name }, input);
    for (const [id, name] of [
      ['1', 'Ann'],
      ['2', 'Bob'],
      ['1', 'Ann'],
      ['2', 'Ben'],
      ['2', 'Bo'],
    ] as const)
      describe(id, name);
    describe('1', 'Ann Berg', 1);
    expect(looks.seen().twice).toBe(1);
    const platform = new Looks(false);
    for (const [name, email] of [['Ann'], ['Anna'], ['Ann', 'ann@a.example'], ['Ann', 'ann@b.example']])
      platform.add({ kind: 'user', id: '1', name: name!, email }, 0);
    expect(platform.seen().twice).toBe(1);
  });

  it('adds up, and says that it is no longer exact', () => {
    const seen = look([{ second: 1 }]);
    expect(addSeen(seen, seen)).toMatchObject({ rows: 2, texts: 2, areCopiesExact: false });
    expect(nothingSeen.rows).toBe(0);
  });
});
