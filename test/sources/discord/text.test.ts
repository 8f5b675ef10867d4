import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../src/sources/discord/channel.ts';
import { Row } from '../../../src/sources/discord/row.ts';
import { discordText } from '../../../src/sources/discord/text.ts';
import { linear, longText } from '../../long-text.ts';

const conversation: Channel['conversation'] = {
  kind: 'conversation',
  id: '100',
  type: 'private',
  name: 'general',
  members: [],
};
const rowOf = () =>
  new Row({ conversation, isDescribedElsewhere: false }, { nameOf: (id) => (id === '7' ? 'Ines' : undefined) });

const read = (content: string) => {
  const row = rowOf();
  return [discordText(content, row), row.lost];
};

describe('textOf()', () => {
  it.each([
    ['hello **you**', 'hello **you**', undefined],
    ['<@7> and <@!7>', '@Ines and @Ines', undefined],
    ['<@8> in <#9> for <@&5>', '@8 in #9 for @5', { unnamed: 3 }],
    ['<:tide:12><a:wave:13>', ':tide::wave:', { emojiInText: 2 }],
    ['<t:0:R> <t:0> <t:4102444800:F>', '1970-01-01 00:00 UTC 1970-01-01 00:00 UTC 2100-01-01 00:00 UTC', undefined],
    ['</tide low:12> <https://example.com/a>', '/tide low https://example.com/a', undefined],
    [
      '__under__ ___both___ a__b__c https://example.com/__x__',
      'under _both_ a__b__c https://example.com/__x__',
      { underlines: 2 },
    ],
    ['a __b', 'a __b', undefined],
    ['`<@7> __x__` ```\n<@7>``` <@7>', '`<@7> __x__` ```\n<@7>``` @Ines', undefined],
    ['``a ` <@7>`` <@7> ` <@7>', '``a ` <@7>`` @Ines ` @Ines', undefined],
    ['a\n>>> b\nc', 'a\n> b\n> c', undefined],
    ['>>> b\n\nc', '> b\n> \n> c', undefined],
    ['-# small\n-# print\n-#none', 'small\nprint\n-#none', { styles: 2 }],
    ['1 < 2 > 3 <b> <@> <:x:>', '1 < 2 > 3 <b> <@> <:x:>', undefined],
  ])('makes of %j what people see', (content, text, lost) => {
    expect(read(content)).toEqual([text, lost]);
  });

  it('notes links to messages of the conversation, and counts all', () => {
    const row = rowOf();
    const own = 'https://discord.com/channels/1/100/55';
    discordText(`${own} ${own} https://ptb.discord.com/channels/1/200/55 https://discordapp.com/channels/@me/100`, row);
    expect([row.links, row.lost]).toEqual([[{ url: own, conversation: '100', id: '55' }], { oldLinks: 4 }]);
  });

  it.each(['<@', '`', '<:a', '<t:1', 'https://discord.com/channels/1/'])(
    'leaves a long text of %j as it is, in linear time',
    linear,
    (piece) => {
      // Quadratic time would not end within the test's timeout.
      const text = longText(piece);
      expect(discordText(text, rowOf()) === text).toBe(true);
    },
  );

  it.each(['__', '-# ', '>>> '])('reads a long text of %j in linear time', linear, (piece) => {
    // Quadratic time would not end within the test's timeout.
    const text = longText(piece);
    expect(Math.abs(discordText(text, rowOf()).length - text.length)).toBeLessThan(10);
  });
});
