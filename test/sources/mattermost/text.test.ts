import { describe, expect, it } from 'vitest';
import { mattermostText } from '../../../src/sources/mattermost/text.ts';
import { linear, longText, manyPieces, pieceCount } from '../../long-text.ts';

const people = new Map([
  ['ines', 'Ines Bruun'],
  ['tomasz.k', 'Tom'],
  ['under_score-', 'Under'],
]);

function read(text: string) {
  const lost: string[] = [];
  const mentions: string[] = [];
  const context = {
    userName: (username: string) => people.get(username),
    channelName: (name: string) => (name === 'pier-4' ? 'Pier 4' : undefined),
    mentions,
    lose: (part: string, count = 1) => void lost.push(...new Array<string>(count).fill(part)),
  };
  return { text: mattermostText(text, context), mentions, lost };
}

describe('textOf()', () => {
  it.each([
    ['@ines, look', '@Ines Bruun, look', ['ines']],
    ['@Ines and @ines', '@Ines Bruun and @Ines Bruun', ['ines']],
    ['ask @tomasz.k.', 'ask @Tom.', ['tomasz.k']],
    ['@ines...', '@Ines Bruun...', ['ines']],
    ['@under_score-!', '@Under!', ['under_score-']],
    ['@all @here @channel @nobody', '@all @here @channel @nobody', []],
    ['mail ines@ines or ines.@ines', 'mail ines@ines or ines.@ines', []],
    ['https://example.com/@ines/~pier-4', 'https://example.com/@ines/~pier-4', []],
  ])('names people in %j', (text, shown, mentions) => expect(read(text)).toMatchObject({ text: shown, mentions }));

  it.each([
    ['in ~pier-4 or ~nowhere', 'in #Pier 4 or ~nowhere'],
    ['~~pier-4~~ a~pier-4', '~~pier-4~~ a~pier-4'],
    [':wave: :+1: :wave_dark_skin_tone:', '👋 👍 👋🏿'],
    ['at 10:30:00', 'at 10:30:00'],
    ['http://example.com:80:wave:', 'http://example.com:80:wave:'],
    ['**bold** _slanted_', '**bold** _slanted_'],
  ])('names channels and emoji in %j', (text, shown) => expect(read(text).text).toBe(shown));

  it.each([
    ['`@ines :wave:` @ines', '`@ines :wave:` @Ines Bruun'],
    ['``a ` @ines`` :wave:', '``a ` @ines`` 👋'],
    ['```\n@ines\n```\n@ines', '```\n@ines\n```\n@Ines Bruun'],
    ['```\n@ines', '```\n@ines'],
    ['one ` alone @ines', 'one ` alone @Ines Bruun'],
  ])('leaves code as it is in %j', (text, shown) => expect(read(text).text).toBe(shown));

  it('counts what leads nowhere any more', () => {
    const id = 'p1'.repeat(13);
    expect(read(`https://chat.example.com/harbour/pl/${id} https://example.com/pl/a :party_parrot:`).lost).toEqual([
      'oldLinks',
      'emojiInText',
    ]);
  });

  it.each(['@', '@a.', '~a', '`a``b', 'https://', '@-', '`'])(
    'leaves a long text of %j as it is, in linear time',
    linear,
    (piece) => {
      // Quadratic time would not end within the test's timeout.
      const text = longText(piece);
      expect(read(text).text === text).toBe(true);
    },
  );

  it('replaces many emoji in linear time', linear, () => {
    // Quadratic time would not end within the test's timeout.
    expect(read(manyPieces(':a')).text === '🅰️a'.repeat(pieceCount / 2)).toBe(true);
  });
});
