import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mrkdwnToMarkdown } from '../../../src/sources/slack/text.ts';
import { sharedFolder } from '../../requirements.ts';
import { rowContext } from './context.ts';
import { linear, manyPieces } from '../../long-text.ts';
import { anyCharacter } from '../../arbitrary-text.ts';

const convert = (text: string) => mrkdwnToMarkdown(text, rowContext());

describe('mrkdwnToMarkdown()', () => {
  it.each([
    // [mrkdwn, Markdown]
    ['*bold* _it_ ~no~ `code`', '**bold** _it_ ~~no~~ `code`'],
    ['(*x*) "_y_", *z*.', '(**x**) "_y_", **z**.'],
    ['*_x_* _*y*_', '**_x_** _**y**_'],
    ['*a _b* c_', '**a _b** c_'],
    ['*open', '*open'],
    ['*a *b*', '*a **b**'],
    ['*a\nb*', '*a\nb*'],
    ['* item *', '* item *'],
    ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
    ['**already** __so__ ~~that~~', '**already** __so__ ~~that~~'],
    ['*東京*です *東京* です', '*東京*です **東京** です'],
    ['*:tada:* <https://example.com|*x*>', '**🎉** [*x*](https://example.com)'],
    // If one mark cannot be set, the text next to another changes.
    ['🎉_i_*_b_*', '🎉ib'],
    ['_i_:tada:', 'i🎉'],
  ])('marks: %j', (mrkdwn, markdown) => expect(convert(mrkdwn)).toBe(markdown));

  it.each([
    ['a &lt; b &amp;&amp; c &gt; d', 'a < b && c > d'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['&lt;@U1&gt; &lt;!here&gt; &lt;https://example.com|x&gt;', '<@U1> <!here> <https://example.com|x>'],
    ['R&D &copy; &am &', 'R&D &copy; &am &'],
  ])('entities are decoded once and never become markup: %j', (mrkdwn, markdown) =>
    expect(convert(mrkdwn)).toBe(markdown),
  );

  it.each([
    ['<@U1> <@U1|old-handle> <@U2|bob>', '@Ada @Ada @Bob Ray'],
    ['<@U3> <@U9|nina> <@U9>', '@cleo @nina @U9'],
    ['<@USLACKBOT> <@BDEPLOY>', '@Slackbot @Deploy'],
    ['<#C1> <#C1|> <#C2|old-name> <#C9|gone> <#C9>', '#general #general #design #gone #C9'],
    ['<!here> <!here|here> <!channel> <!everyone> <!group>', '@here @here @channel @everyone @group'],
    ['<!subteam^S1|@ops> <!subteam^S1|ops> <!subteam^S1>', '@ops @ops @S1'],
    ['<!date^1392734382^{date} at {time}|Feb 18, 2014>', 'Feb 18, 2014'],
    ['<!date^1392734382^{date}>', '2014-02-18 14:39 UTC'],
    ['<!date^1392734382^{date}^https://example.com/|then>', '[then](https://example.com/)'],
    ['<!foo|words> <!foo>', 'words <!foo>'],
  ])('names: %j', (mrkdwn, markdown) => expect(convert(mrkdwn)).toBe(markdown));

  it.each([
    ['<https://example.com/a?b=1&amp;c=2>', 'https://example.com/a?b=1&c=2'],
    ['<https://example.com|example.com>', '[example.com](https://example.com)'],
    ['<https://example.com|https://example.com>', 'https://example.com'],
    ['<https://example.com/a_(b)|see [this]>', '[see \\[this\\]](https://example.com/a_%28b%29)'],
    ['<mailto:a@example.com|a@example.com> <mailto:a@example.com>', 'a@example.com a@example.com'],
    ['<mailto:a@example.com|write>', '[write](mailto:a@example.com)'],
    ['<tel:+123|+123>', '+123'],
    ['<javascript:alert(1)|click>', 'click (javascript:alert(1))'],
    ['<b> <> < a > <\n>', '<b> <> < a > <\n>'],
  ])('links: %j', (mrkdwn, markdown) => expect(convert(mrkdwn)).toBe(markdown));

  it.each([
    ['`*a* &lt;b&gt; :tada:`', '`*a* <b> :tada:`'],
    ['`a\nb`', '`a\nb`'],
    ['```one *line* :tada:```', '```one *line* :tada:```'],
    ['```\na\n\n  b\n```', '```\na\n\n  b\n```'],
    ['see ```a &lt;b&gt;\n<https://example.com|example.com> *n*``` ok', 'see \n```\na <b>\nexample.com *n*\n```\n ok'],
    ['```never closed', '```never closed'],
    ['*a ```x\ny``` b*', '*a \n```\nx\ny\n```\n b*'],
    ['`<@U1>` `<#C1>` `<!here>`', '`@Ada` `#general` `@here`'],
  ])('code is left alone: %j', (mrkdwn, markdown) => expect(convert(mrkdwn)).toBe(markdown));

  it.each([
    ['&gt; said\nI: no', '> said\n\nI: no'],
    ['&gt;a\n&gt; *b*\n\nc', '> a\n> **b**\n\nc'],
    ['x\n&gt;&gt;&gt; all\nof\nthis', 'x\n> all\n> of\n> this'],
    ['5 &gt; 4', '5 > 4'],
  ])('quotes: %j', (mrkdwn, markdown) => expect(convert(mrkdwn)).toBe(markdown));

  it.each([
    [':wave: :wave::skin-tone-3: :+1:', '👋 👋🏼 👍'],
    [':heart::thumbsup:', '❤️👍'],
    [':point_up::skin-tone-2:', '☝🏻'],
    [':woman-shrugging::skin-tone-6:', '🤷🏿‍♀️'],
    [':party-parrot: :not an emoji: 10:30:45', ':party-parrot: :not an emoji: 10:30:45'],
    [':simple_smile:', '🙂'],
  ])('emoji: %j', (mrkdwn, markdown) => expect(convert(mrkdwn)).toBe(markdown));

  it('collects the people that the text mentions, each once, in order, and none in code', () => {
    const context = rowContext();
    mrkdwnToMarkdown('<@U2> and <@U1>, <@U2>; `<@U3>`', context);
    expect(context.mentions).toEqual(['U2', 'U1']);
  });

  it('leaves text without markup characters as it is, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        fc.pre(!/[<&:*_~`]/.test(text));
        expect(convert(text)).toBe(text);
      }),
    );
    expect(convert('*\ud800* &amp; \udfff')).toBe('**\ud800** & \udfff');
  });

  it('never throws and leaves no entity behind, whatever the text', () => {
    const markup = fc.constantFrom(...'<>&;|@#!^*_~`: \nax'.split(''), '&lt;', '&amp;', '```', '<@U1>', ':tada:');
    fc.assert(
      fc.property(fc.array(markup, { maxLength: 60 }), (parts) => {
        expect(typeof convert(parts.join(''))).toBe('string');
      }),
    );
  });

  it('comes to an end on long hostile texts', linear, () => {
    const pieces = [
      '<',
      '&',
      '*a ',
      ' *a',
      '`',
      '```',
      '```a',
      '_*~',
      ':a',
      ' _a',
      '<a',
      '<@U1',
      '\n&gt;',
      'a`b\n',
      '&g',
      '*a_b~',
    ];
    // A quadratic reader would not come to an end before the runner gives up on it.
    for (const piece of pieces) expect(convert(manyPieces(piece)).length, JSON.stringify(piece)).toBeGreaterThan(0);
  });

  const naughty = sharedFolder('corpora/blns');
  it.skipIf(naughty === null)('survives the big list of naughty strings', () => {
    const strings = JSON.parse(readFileSync(`${naughty}/blns.json`, 'utf8')) as string[];
    for (const text of strings) {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      if (!/[:*_~`]|^>/m.test(text)) expect(convert(escaped)).toBe(text);
      else expect(typeof convert(escaped)).toBe('string');
    }
  });
});
