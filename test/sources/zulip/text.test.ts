import { describe, expect, it } from 'vitest';
import { emojiOfCode, zulipTime } from '../../../src/sources/zulip/format.ts';
import { messageAt } from '../../../src/sources/zulip/message.ts';
import { zulipText } from '../../../src/sources/zulip/text.ts';
import { linear, longText, manyPieces } from '../../long-text.ts';
import { everyNth } from '../../tier.ts';

const people = new Map([
  ['8', 'Ines Bruun'],
  ['9', 'Tom'],
]);

function read(text: string, rendered?: string) {
  const noticed: string[] = [];
  const shown = zulipText(text, {
    idOfName: (name) => [...people].find(([, known]) => known === name)?.[0],
    nameOf: (id) => people.get(id),
    noteMention: (id) => void noticed.push(`@${id}`),
    noteLink: (url, isQuoted) => void noticed.push(`${url} ${isQuoted}`),
    attach: (path, label) => {
      noticed.push(path);
      return label || 'file';
    },
    rendered,
    lose: (part) => void noticed.push(part),
  });
  return { text: shown, noticed };
}

describe('textOf()', () => {
  it.each<[string, string, string[]]>([
    ['**bold** *slanted* ~~out~~ 2*3*4', '**bold** *slanted* ~~out~~ 2*3*4', []],
    ['@**Ines Bruun|8**, @**Tom**', '@Ines Bruun, @Tom', ['@8', '@9']],
    ['@**Inès as she was|8** @_**Tom|9**', '@Ines Bruun Tom', ['@8']],
    ['@**|9** @**|77** @**Gone|77** @**Nobody**', '@Tom @77 @Gone @Nobody', ['@9', 'unnamed']],
    ['@**all** @_**topic** @*crew* @_*crew*', '@all topic @crew @crew', []],
    [
      '#**harbour** #**harbour>low > tides** #**harbour>tides@12**',
      '#harbour #harbour > low > tides #harbour > tides',
      ['oldLinks'],
    ],
    ['`@**Tom|9** :wave:` :wave:', '`@**Tom|9** :wave:` 👋', []],
    ['~~~\n@**Tom**\n~~~ \n@**Tom**', '```\n@**Tom**\n```\n@Tom', ['@9']],
    ['```python\nx = "@**Tom**"\n```', '```python\nx = "@**Tom**"\n```', []],
    ['```quote\none\n\n@_**Tom|9**\n```\nmore', '> one\n> \n> Tom\n\nmore', []],
    ['````quote\n```quote\nfirst\n```\nsecond\n````', '> > first\n> \n> second', []],
    ['````quote\n```\ncode\n```\n````\n\nend', '> ```\n> code\n> ```\n\nend', []],
    ['```spoiler The end of @**Tom**\nthey :wave:\n```', '> **The end of @Tom**\n> they 👋', ['styles', '@9']],
    ['``` spoiler\nall\n```', '> **Spoiler**\n> all', ['styles']],
    ['```quote\nnever closed', '> never closed', []],
    ['/me waves @**Tom|9**', '_waves @Tom_', ['@9']],
    ['/poll Who?\nInes\n\nTom', '**Who?**\n- Ines\n- Tom', ['appData']],
    ['/todo Today\nrope: the long one', '**Today**\n- rope: the long one', ['appData']],
    ['/usr/bin', '/usr/bin', []],
    ['at <time:2026-03-02T10:00:00+01:00>', 'at 2026-03-02T10:00:00+01:00', []],
    ['[a.png](/user_uploads/2/ab/a.png)', '', ['2/ab/a.png']],
    ['one\n\n![](/user_uploads/2/ab/a.png)\n\ntwo', 'one\n\ntwo', ['2/ab/a.png']],
    ['see [a.png](https://z.example.com/user_uploads/2/ab/a%20b.png) and', 'see a.png and', ['2/ab/a%20b.png']],
    ['[[new] a.png](/user_uploads/2/ab/a.png)!', '[new] a.png!', ['2/ab/a.png']],
    ['[the plan](https://example.com/a)', '[the plan](https://example.com/a)', []],
    ['[x](javascript:alert)', 'x (javascript:alert)', []],
    [
      'https://z.example.com/#narrow/stream/5-a/near/7',
      'https://z.example.com/#narrow/stream/5-a/near/7',
      ['https://z.example.com/#narrow/stream/5-a/near/7 false'],
    ],
    [
      'Tom [said](#narrow/stream/5-a/near/7):',
      'Tom [said](#narrow/stream/5-a/near/7):',
      ['#narrow/stream/5-a/near/7 true'],
    ],
    [':gull: at 10:30:00', ':gull: at 10:30:00', ['emojiInText']],
    ['$$x^2$$ <b>', '$$x^2$$ <b>', []],
  ])('reads %j', (text, shown, noticed) => expect(read(text)).toEqual({ text: shown, noticed }));

  it('prefers the emoji of the server for a name over other sets', () => {
    const rendered = '<span aria-label="x" class="emoji emoji-1f642" role="img" title="x">:smile:</span>';
    expect(read(':smile:').text).toBe('😄');
    expect(read(':smile:', rendered).text).toBe('🙂');
  });

  it.each(['[', '[a](', '<time:', 'https://', '`'])(
    'leaves a long text of %j as it is, in linear time',
    linear,
    (piece) => {
      // Quadratic time would not end within the test's timeout.
      const text = longText(piece);
      expect(read(text).text === text).toBe(true);
    },
  );

  it.each(everyNth(2, ['@**', '@**a ', '#**a>', ':a', '```\n']))(
    'reads a long text of %j in linear time',
    linear,
    (piece) => {
      // Quadratic time would not end within the test's timeout.
      const text = manyPieces(piece);
      expect(read(text).text.length).toBeLessThan(2 * text.length);
    },
  );

  it.each(['```quote\na\n', '~~~ spoiler a\n'])('marks each line of nested %j a few times only', (piece) => {
    // One mark for each level would make 30 times the text of 300 levels.
    const text = piece.repeat(300);
    expect(read(text).text.length).toBeLessThan(4 * text.length);
  });
});

describe('messageAt()', () => {
  const directory = { streamName: (id: string) => (id === '5' ? 'pier & harbour' : undefined) };

  it.each([
    ['#narrow/stream/5-pier-.26-harbour/topic/a.20b/near/7', { conversation: 'stream-5', id: '7' }],
    ['https://z.example.com/#narrow/channel/5-pier-.26-harbour/topic/a/with/7', { conversation: 'stream-5', id: '7' }],
    ['https://z.example.com/#narrow/channel/5-other/topic/a/near/7', undefined],
    ['https://z.example.com/#narrow/channel/6-pier/topic/a/near/7', undefined],
    ['https://z.example.com/#narrow/channel/5-pier-.26-harbour/topic/a', undefined],
    ['https://z.example.com/#narrow/dm/9,8-dm/near/7', { conversation: 'dm-8-9', id: '7' }],
    ['https://z.example.com/#narrow/pm-with/10-mei/near/7', { conversation: 'dm-8-10', id: '7' }],
    ['https://z.example.com/#narrow/dm/8,9,10-group/near/7', undefined],
  ])('reads %j', (url, found) => expect(messageAt(url, '8', directory)).toEqual(found));
});

describe('codes and times', () => {
  it.each([
    ['1f44d', '👍'],
    ['1f1e9-1f1ea', '🇩🇪'],
    ['2764', '❤️'],
    ['0031-20e3', '1️⃣'],
    ['d800', undefined],
    ['110000', undefined],
    ['3', undefined],
    ['zulip', undefined],
  ])('have the emoji of %j', (code, emoji) => expect(emojiOfCode(code)).toBe(emoji));

  it.each([
    [1_772_442_000.123, 1_772_442_000_123],
    [1_772_442_000, 1_772_442_000_000],
    [1_772_442_000.999999, 1_772_442_000_999],
    [0, undefined],
    ['1772442000', undefined],
    [Number.NaN, undefined],
  ])('have the milliseconds of %j', (seconds, ms) => expect(zulipTime(seconds)).toBe(ms));
});
