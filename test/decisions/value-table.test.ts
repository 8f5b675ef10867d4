import { describe, expect, it } from 'vitest';
import { stillHolds } from '../../src/decisions/answers.ts';
import { questionDecision } from '../../src/decisions/question.ts';
import { valuesSetting } from '../../src/decisions/value-table.ts';

const rows = {
  count: 6,
  isWhole: true,
  values: {
    kind: [
      { value: 'a', rows: 3 },
      { value: 'b', rows: 2, word: 'note' },
      { value: '', rows: 1 },
    ],
  },
};

const tableOf = (key: string, value: unknown) => {
  const reading = { value, because: '' };
  const question = { key, because: '', rows, choices: undefined, readings: [reading], instead: [] };
  return questionDecision(question).input?.table;
};

describe('the values of a column', () => {
  it.each([
    ['messages.kind', { from: 'kind', values: { a: 'message', b: 'system', '': 'message' } }],
    ['conversations.type', { from: 'kind', values: { a: 'public', b: 'private', '': 'direct' } }],
    ['messages.only.kind', ['a', '']],
    ['messages.only', { kind: ['a'] }],
    ['messages.skipWhen', { kind: ['b', ''] }],
  ])('of %s are shown as the first option has them, and written as they are shown', (key, value) => {
    const table = tableOf(key, value)!;
    const [column] = table.columns;
    expect(valuesSetting(table, { kind: column!.chosen })).toEqual(value);
  });

  it('sort nothing while all of them are taken', () => {
    const table = tableOf('messages.only', { kind: ['a'] })!;
    expect(valuesSetting(table, { kind: { a: 'keep', b: 'keep', '': 'keep' } })).toEqual({});
  });

  it('are sorted by whether there is one, if the option asks for that', () => {
    const table = tableOf('members.only.kind', { filled: false })!;
    expect(valuesSetting(table, { kind: table.columns[0]!.chosen })).toEqual(['']);
  });

  it('are typed if they are the words with which texts begin', () => {
    expect(tableOf('messages.skipWhen.kind', { values: ['/'] })).toBeUndefined();
  });
});

describe('questionDecision()', () => {
  it('is about the rows that its answers sort differently, and no others', () => {
    const readings = [
      { a: 'message', b: 'system' },
      { a: 'message', b: 'message' },
    ].map((values) => ({
      value: { from: 'kind', values },
      because: '',
    }));
    const question = { key: 'messages.kind', because: '', rows, choices: undefined, readings, instead: [] };
    expect(questionDecision(question).about).toEqual({ count: 2, of: 'messages', isExact: true });
  });
});

describe('an answer', () => {
  it.each([
    ['[a, b]', ['a', 'b', 'c'], true],
    ['{ kind: [a] }', { kind: ['a'], status: ['sent'] }, true],
    ['{ kind: [a, b] }', { kind: ['a'] }, false],
    ['{}', { kind: ['a'] }, false],
    ['room', 'place', false],
  ])('%s still holds if other decisions have only added to it: %j', (answer, value, holds) => {
    expect(stillHolds(answer, value)).toBe(holds);
  });
});
