import { describe, expect, it } from 'vitest';
import { type FilterSubject, foldedNames, kinds, matches, parseFilter } from '../../../src/mapping/filter.ts';
import { readTracked } from '../../repository/tracked-files.ts';

const subject: FilterSubject = {
  muid: 'm1abc',
  originId: '1700000000.000100',
  conversationNames: foldedNames('C024BE91L', '#General'),
  senderNames: foldedNames('U1', 'ann', 'Lee, Ann', undefined, 'Ann@Example.com'),
  sentAtMs: Date.UTC(2024, 0, 1),
  facts: { attachments: 1, replies: 1 },
  text: () => 'The NEW invoice',
};

const page = readTracked('docs/guides/filters.md');

describe('matches()', () => {
  it.each([
    ['in:general', true],
    ['in:c024be91l,random', true],
    ['in:random', false],
    ['-in:random,other', true],
    ['-in:random,general', false],
    ['from:"lee, ann"', true],
    ['from:ann@example.com', true],
    ['from:bob', false],
    ['kind:file kind:reply', true],
    ['kind:message', true],
    ['kind:system,bot', false],
    ['after:2024-01-01', true],
    ['before:2024-01-01', false],
    ['-before:2024-01-01', true],
    ['text:"new invoice"', true],
    ['text:receipt', false],
    ['id:m1abc', true],
    ['id:1700000000.000100', true],
    ['in:general from:bob', false],
  ])('%s: %s', (text, isInside) => {
    expect(matches(parseFilter(text), subject)).toBe(isInside);
  });

  it('does not ask for the text unless the filter does', () => {
    const text = () => {
      throw new Error('asked');
    };
    expect(matches(parseFilter('in:general'), { ...subject, text })).toBe(true);
  });
});

describe('docs/guides/filters.md', () => {
  it('explains every kind', () => {
    const rows = page.slice(page.indexOf('| kind | messages that |'));
    expect(kinds.filter((kind) => !rows.includes(`\`${kind}\``))).toEqual([]);
  });

  it('shows filters that can be read', () => {
    const shown = [...page.matchAll(/^\| `\w+:` \|.*\| `([^|]+)` \|$/gm)].map(([, filter]) => filter!);
    expect(shown).toHaveLength(7);
    for (const filter of shown) expect(parseFilter(filter).terms).toHaveLength(1);
  });
});
