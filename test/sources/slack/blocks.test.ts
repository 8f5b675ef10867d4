import { describe, expect, it } from 'vitest';
import { blocksToMarkdown, isPlainCopy } from '../../../src/sources/slack/blocks.ts';
import { rowContext } from './context.ts';

const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });
const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
const list = (style: string, items: readonly string[], more = {}) => ({
  type: 'rich_text_list',
  style,
  elements: items.map((item) => section(text(item))),
  ...more,
});
const rich = (...elements: unknown[]) => [{ type: 'rich_text', elements }];

const convert = (blocks: readonly unknown[]) => blocksToMarkdown(blocks, rowContext());

describe('blocksToMarkdown() of rich text', () => {
  it.each([
    [
      'styles',
      section(text('a '), text('b', { bold: true }), text(' c', { italic: true }), text('d', { strike: true })),
      'a **b** _c_~~d~~',
    ],
    ['styles together', section(text('x', { bold: true, italic: true, strike: true })), '**_~~x~~_**'],
    [
      'spaces outside the marks',
      section(text('files  ', { bold: true }), { type: 'user', user_id: 'U1', style: { bold: true } }),
      '**files  @Ada**',
    ],
    ['marks line by line', section(text('a\n\nb ', { bold: true })), '**a**\n\n**b** '],
    ['items that begin with spaces', list('bullet', ['  one\n\ntwo', 'three']), '- one\n  \n  two\n- three'],
    ['code', section(text('a*b', { code: true }), text(' '), text('`', { code: true })), '`a*b` `` ` ``'],
    ['unescaped text', section(text('a < b && c &lt; d')), 'a < b && c &lt; d'],
    [
      'a link',
      section({ type: 'link', url: 'https://example.com', text: 'here' }, text(' '), {
        type: 'link',
        url: 'https://example.com',
      }),
      '[here](https://example.com) https://example.com',
    ],
    [
      'a link in code',
      section({ type: 'link', url: 'https://example.com', style: { code: true } }),
      '`https://example.com`',
    ],
    [
      'people',
      section(
        { type: 'user', user_id: 'U2' },
        { type: 'usergroup', usergroup_id: 'S1' },
        { type: 'broadcast', range: 'here' },
      ),
      '@Bob Ray@S1@here',
    ],
    [
      'channels',
      section({ type: 'channel', channel_id: 'C2' }, text(' '), { type: 'channel', channel_id: 'C9' }),
      '#design #C9',
    ],
    [
      'emoji',
      section(
        { type: 'emoji', name: 'nope', unicode: '1f44d-1f3fd' },
        { type: 'emoji', name: 'tada' },
        { type: 'emoji', name: 'own' },
      ),
      '👍🏽🎉:own:',
    ],
    [
      'a date',
      section({ type: 'date', timestamp: 1392734382, fallback: 'then' }, text(' '), {
        type: 'date',
        timestamp: 1392734382,
      }),
      'then 2014-02-18 14:39 UTC',
    ],
    ['a colour', section({ type: 'color', value: '#ff0000' }), '#ff0000'],
    ['a canvas', section({ type: 'canvas', file_id: 'F1' }), 'F1'],
    [
      'code blocks',
      { type: 'rich_text_preformatted', elements: [text('a < b\n'), { type: 'link', url: 'https://example.com' }] },
      '```\na < b\nhttps://example.com\n```',
    ],
    [
      'code with a fence in it',
      { type: 'rich_text_preformatted', elements: [text('```\nx\n```')] },
      '````\n```\nx\n```\n````',
    ],
    ['quotes', { type: 'rich_text_quote', elements: [text('a\nb')] }, '> a\n> b'],
    ['sections in quotes', { type: 'rich_text_quote', elements: [section(text('a'))] }, '> a'],
  ])('%s', (_, element, markdown) => expect(convert(rich(element))).toBe(markdown));

  it('separates parts so that Markdown sees them apart', () => {
    const blocks = rich(
      section(text('todo\n')),
      list('bullet', ['a', 'b\nc']),
      list('bullet', ['deep'], { indent: 1 }),
      list('ordered', ['x'], { indent: 2 }),
      section(text('then')),
      list('ordered', ['five', 'six'], { offset: 4 }),
      { type: 'rich_text_quote', elements: [text('q')] },
      section(text('end')),
    );
    expect(convert(blocks)).toBe(
      'todo\n- a\n- b\n  c\n    - deep\n        1. x\n\nthen\n\n5. five\n6. six\n\n> q\n\nend',
    );
  });

  it('never indents a list deeper than its parent allows', () => {
    expect(convert(rich(list('bullet', ['a'], { indent: 7 }), list('bullet', ['b'], { indent: 7 })))).toBe(
      '- a\n    - b',
    );
  });

  it('takes the name of a user group from the plain text', () => {
    const context = rowContext({ text: 'cc <!subteam^S1|@designers>' });
    expect(blocksToMarkdown(rich(section({ type: 'usergroup', usergroup_id: 'S1' })), context)).toBe('@designers');
  });

  it('keeps the text of unknown elements, and reports them', () => {
    const context = rowContext();
    const blocks = rich(section({ type: 'telepathy', text: 'words' }), { type: 'rich_text_poem', text: 'verse' });
    expect(blocksToMarkdown(blocks, context)).toBe('words\nverse');
    expect(context.unknownTypes).toEqual(['telepathy', 'rich_text_poem']);
  });

  it('accepts endlessly nested sections', () => {
    let nested: unknown = section(text('deep'));
    for (let depth = 0; depth < 50_000; depth += 1) nested = { type: 'rich_text_section', elements: [nested] };
    expect(() => convert(rich(nested))).not.toThrow();
  });
});

describe('blocksToMarkdown() of other blocks', () => {
  const mrkdwn = (words: string) => ({ type: 'mrkdwn', text: words });
  const plain = (words: string) => ({ type: 'plain_text', text: words });

  it.each([
    ['header', { type: 'header', text: plain('Build :tada: &amp; *more*') }, '**Build 🎉 & *more***'],
    ['section', { type: 'section', text: mrkdwn('*a*'), fields: [mrkdwn('_b_'), plain('c')] }, '**a**\n_b_\nc'],
    [
      'accessories',
      {
        type: 'section',
        text: plain('a'),
        accessory: { type: 'button', text: plain('Go'), url: 'https://example.com' },
      },
      'a\n[Go](https://example.com)',
    ],
    [
      'menus',
      { type: 'section', text: plain('a'), accessory: { type: 'static_select', options: [{ text: plain('x') }] } },
      'a',
    ],
    [
      'context',
      {
        type: 'context',
        elements: [mrkdwn('*a*'), { type: 'image', image_url: 'https://example.com/i.png', alt_text: 'pic' }],
      },
      '**a** [pic](https://example.com/i.png)',
    ],
    ['divider', { type: 'divider' }, '---'],
    [
      'image',
      { type: 'image', title: plain('Cat'), alt_text: 'a cat', image_url: 'https://example.com/c.png' },
      '[Cat](https://example.com/c.png)',
    ],
    [
      'image kept by Slack',
      { type: 'image', alt_text: 'a cat', slack_file: { url: 'https://files.example.com/c.png' } },
      '[a cat](https://files.example.com/c.png)',
    ],
    [
      'actions',
      { type: 'actions', elements: [{ type: 'button', text: plain('Yes') }, { type: 'datepicker' }] },
      '[Yes]',
    ],
    [
      'choices',
      {
        type: 'actions',
        elements: [{ type: 'radio_buttons', options: [{ text: plain('red') }, { text: plain('blue') }] }],
      },
      '- red\n- blue',
    ],
    ['markdown', { type: 'markdown', text: '# As *it* is' }, '# As *it* is'],
    [
      'video',
      { type: 'video', title: plain('Demo'), title_url: 'https://example.com/v' },
      '[Demo](https://example.com/v)',
    ],
    [
      'call',
      { type: 'call', call: { v1: { name: 'Weekly', join_url: 'https://meet.example.com/1' } } },
      '[Weekly](https://meet.example.com/1)',
    ],
    [
      'table',
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'a|b' },
            { type: 'rich_text', elements: [section(text('c', { bold: true }))] },
          ],
          [{ type: 'raw_text', text: '1' }],
        ],
      },
      '| a\\|b | **c** |\n| --- | --- |\n| 1 |',
    ],
  ])('%s', (_, block, markdown) => expect(convert([block])).toBe(markdown));

  it('puts a blank line between blocks and leaves out those that say nothing', () => {
    expect(convert([{ type: 'header', text: plain('a') }, { type: 'file' }, null, 7, { type: 'divider' }])).toBe(
      '**a**\n\n---',
    );
  });
});

describe('isPlainCopy()', () => {
  it('is true for one plain piece equal to the text, and for nothing else', () => {
    expect(isPlainCopy(rich(section(text('hi'))), 'hi')).toBe(true);
    expect(isPlainCopy(rich(section(text('hi'))), 'ho')).toBe(false);
    expect(isPlainCopy(rich(section(text('hi', { bold: true }))), 'hi')).toBe(false);
    expect(isPlainCopy(rich(section(text('hi'), text('ho'))), 'hi')).toBe(false);
    expect(isPlainCopy(rich({ type: 'rich_text_quote', elements: [text('hi')] }), 'hi')).toBe(false);
    expect(isPlainCopy([], '')).toBe(false);
  });
});
