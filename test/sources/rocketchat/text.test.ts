import { describe, expect, it } from 'vitest';
import { numberOf, rocketchatTime } from '../../../src/sources/rocketchat/format.ts';
import { rocketchatText } from '../../../src/sources/rocketchat/text.ts';
import { linear, longText, manyPieces, pieceCount } from '../../long-text.ts';

const people = new Map([
  ['ines', 'Ines Bruun'],
  ['tom.k', 'Tom'],
]);

function read(text: string) {
  const noticed: string[] = [];
  const context = {
    mention: (username: string) => people.get(username),
    roomName: (name: string) => (name === 'pier-4' ? 'Pier 4' : undefined),
    noteLink: (url: string) => void noticed.push(url),
    lose: (part: string) => void noticed.push(part),
  };
  return { text: rocketchatText(text, context), noticed };
}

describe('textOf()', () => {
  it.each([
    ['*bold* and *more of it*', '**bold** and **more of it**'],
    ['**bold** 2*3*4 * a * b', '**bold** 2*3*4 * a * b'],
    ['_*~all~*_ __two__ ~out~ ~~out~~', '_**~~all~~**_ _two_ ~~out~~ ~~out~~'],
    ['`*code*` *no*', '`*code*` **no**'],
    ['https://example.com/__a__/*b* @ines', 'https://example.com/__a__/*b* @Ines Bruun'],
    ['@ines, @tom.k. @nobody @all ines@ines', '@Ines Bruun, @Tom. @nobody @all ines@ines'],
    ['in #pier-4 or #nowhere', 'in #Pier 4 or #nowhere'],
    [':wave: :wave_tone3: at 10:30:00', '👋 👋🏽 at 10:30:00'],
    ['<https://example.com|the plan>', '[the plan](https://example.com)'],
  ])('reads %j', (text, shown) => expect(read(text).text).toBe(shown));

  it('notices what leads nowhere any more', () => {
    const url = 'https://chat.example.com/channel/general?msg=abc';
    const text = `${url} https://chat.example.com/file-upload/abc/a.png :party_parrot:`;
    expect(read(text)).toEqual({ text, noticed: [url, 'oldLinks', 'emojiInText'] });
  });

  it.each(['@', '@a.', '#a', '*a ', '~a ', '__a', '<https://', '*'])(
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

describe('Extended JSON', () => {
  it.each([
    [{ $date: '2026-03-02T09:00:00.5Z' }, 1_772_442_000_500],
    ['2026-03-02T10:00:00+01:00', 1_772_442_000_000],
    [{ $date: '2026-03-02T10:00:00.000+0100' }, 1_772_442_000_000],
    [{ $date: { $numberLong: '1772442000000' } }, 1_772_442_000_000],
    [1_772_442_000_000, 1_772_442_000_000],
    ['2026-13-02T09:00:00Z', undefined],
    ['yesterday', undefined],
    [null, undefined],
    [{}, undefined],
  ])('the time of %j', (value, atMs) => expect(rocketchatTime(value)).toBe(atMs));

  it('has numbers in several ways', () => {
    const values = [{ $numberInt: '12' }, { $numberDouble: '1.5' }, 7, '8', 'nine', { $numberInt: 'x' }];
    expect(values.map(numberOf)).toEqual([12, 1.5, 7, 8, undefined, undefined]);
  });
});
