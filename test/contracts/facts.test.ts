import { describe, expect, it } from 'vitest';
import { factsOf, parseFacts } from './source/facts.ts';

const whole = {
  origin: { source: 'slack', workspace: '' },
  rows: { messages: 2, rejected: 1 },
  conversations: { __proto__: 1, lobby: 1 },
  people: 1,
  first: { at: '2026-03-02T09:15:00Z', by: 'ines', text: 'Good' },
  last: { at: '2026-03-02T09:16:00Z', text: '' },
};

const parsed = (changes: object) =>
  parseFacts(JSON.stringify({ ...whole, conversations: { lobby: 2 }, ...changes }), 'facts.json');

describe('facts of a sample', () => {
  it('are zero where nothing is said', () => {
    expect(parsed({})).toMatchObject({ rows: { system: 0, rejected: 1 }, reactions: 0, sameTime: [] });
  });

  it('may name any conversation', () => {
    const text = JSON.stringify(whole).replace('"lobby":1', '"lobby":1,"__proto__":1');
    expect(Object.keys(parseFacts(text, 'facts.json').conversations)).toEqual(['lobby', '__proto__']);
  });

  it.each([
    [
      { people: 'three' },
      'facts.json does not say what facts say: people: Invalid input: expected number, received string',
    ],
    [{ heartbeats: 3 }, 'all: Unrecognized key: "heartbeats"'],
    [{ first: { at: 'yesterday', text: '' } }, 'first.at: Invalid ISO datetime'],
    [{ conversations: { lobby: 'two' } }, 'conversations: expected ids with counts: { "general": 12 }'],
    [{ rows: { messages: 3 } }, 'rows (without the rejected) and conversations do not add up to the same number'],
    [{ sameTime: [['alone']] }, 'sameTime.0: Too small: expected array to have >=2 items'],
  ])('are refused with %j: %s', (changes, because) => {
    expect(() => parsed(changes)).toThrow(because);
  });

  it('are rejected by path if they are not JSON', () => {
    expect(() => parseFacts('{ "people": 1,, }', 'samples/a/b/facts.json')).toThrow(
      /^samples\/a\/b\/facts\.json is not JSON: /,
    );
  });

  it('are reported missing if there are none', () => {
    const sample = { source: 'slack', name: 'new', folder: 'samples/slack/new' };
    expect(() => factsOf(sample)).toThrow('samples/slack/new/facts.json is missing: count in the export by hand');
  });
});
