import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planExport } from '../../../src/commands/prepare.ts';
import { user, userId, writeFiles } from '../../scenes/make-export.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { planOf, planRows, rowOf, tsOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

/** Plans one row, or several: returns the text of the first that is sent, and losses. */
async function planned(rows: readonly object[], mapping?: string) {
  const { payloads, losses, findings } = await planRows(
    home.make(),
    rows.map((row, index) => rowOf(index, row)),
    mapping,
  );
  return { first: payloads.get(tsOf(0))?.data, payloads, losses, findings };
}

describe('a plan of a Slack export', () => {
  it.each([
    [
      'a card of an app',
      { is_app_unfurl: true, app_unfurl_url: 'https://example.com/pull/7', text: 'Fix *everything*' },
    ],
    ['a preview under another address', { original_url: 'https://example.com/7', title: 'Seven' }],
    ['a message', { is_msg_unfurl: true, text: 'words of somebody else' }],
    ['a page', { from_url: 'https://example.com/7', title: 'Seven' }],
  ])('does not attribute the preview of %s to the person who posted the link, and counts it', async (_, card) => {
    const { first, losses } = await planned([{ text: 'Please look: <https://example.com/7>', attachments: [card] }]);
    expect(first?.text).toBe('Please look: https://example.com/7');
    expect(losses).toMatchObject({ 'link previews': 1 });
  });

  it('sends no address with a token of Slack until the mapping says so', async () => {
    const file = (url: string) => ({ id: 'F1', name: 'a.png', mimetype: 'image/png', url_private: url });
    const rows = [
      { text: 'one', files: [file('https://files.slack.com/files-pri/T1-F1/a.png?t=xoxe-1-abc')] },
      { text: 'two', files: [file('https://files.slack.com/files-pri/T1-F1/a.png?w=7&token=xoxe-2&h=8')] },
    ];
    const removed = await planned(rows);
    const urls = ({ payloads }: typeof removed) =>
      [...payloads.values()].flatMap(({ data: { attachments = [] } }) => attachments.map(({ url }) => url));
    expect(urls(removed)).toEqual([
      'https://files.slack.com/files-pri/T1-F1/a.png',
      'https://files.slack.com/files-pri/T1-F1/a.png?w=7&h=8',
    ]);
    expect(removed.losses).toMatchObject({ 'tokens of files': 2 });
    expect(removed.findings).toContain('attachment-needs-login');
    const kept = await planned(rows, 'source: { fileTokens: keep }');
    expect(urls(kept)).toEqual(rows.map(({ files }) => files[0]!.url_private));
    expect(kept.losses['tokens of files']).toBeUndefined();
    expect(kept.findings).toContain('attachment-token');
  });

  it('sends no such address in a text either', async () => {
    const image = 'https://files.slack.com/files-pri/T1-F1/a.png?t=xoxe-1-abc';
    const { first, losses } = await planned([
      { text: `<${image}>`, attachments: [{ text: 'a card', image_url: image }] },
    ]);
    expect(first?.text).toBe(
      'https://files.slack.com/files-pri/T1-F1/a.png\n\na card\n[image](https://files.slack.com/files-pri/T1-F1/a.png)',
    );
    expect(losses).toMatchObject({ 'tokens of files': 2 });
  });

  it('takes lines of the platform for such, known or not', async () => {
    const { payloads, losses } = await planned([
      { subtype: 'welcome_party', text: 'Welcome' },
      { subtype: 'channel_tab_added', text: 'added a tab' },
      { subtype: 'something_new', text: '<@U00000001> did something' },
      { subtype: 'something_new', text: 'people speak like this', client_msg_id: 'x' },
    ]);
    expect([...payloads.keys()]).toEqual([tsOf(3)]);
    expect(losses).toMatchObject({ 'system lines': 3 });
  });

  it('keeps names apart under which an undescribed integration posted', async () => {
    const post = (username: string) => ({ user: undefined, subtype: 'bot_message', bot_id: 'B9', username, text: 'x' });
    const { payloads } = await planned([post('Deploy'), post('Alerts'), post('Deploy')]);
    const senders = [...payloads.values()].map(({ sender }) => sender);
    expect(senders).toEqual(['Deploy', 'Alerts', 'Deploy']);
  });

  it('names people, groups and channels by the name that Slack wrote next to them, or by a profile in another row of the file', async () => {
    const rich = (...elements: object[]) => ({
      blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
    });
    const { payloads, losses } = await planned([
      {
        text: '<@UOTHER001|dana> <#COTHER001|their-channel> <!subteam^S1|@ops>',
        ...rich(
          { type: 'user', user_id: 'UOTHER001' },
          { type: 'text', text: ' ' },
          { type: 'channel', channel_id: 'COTHER001' },
          { type: 'text', text: ' ' },
          { type: 'usergroup', usergroup_id: 'S1' },
        ),
      },
      { text: 'Ask <@UOTHER002>' },
      { user: 'UOTHER002', text: 'Here I am', user_profile: { real_name: 'Eve of elsewhere' } },
      { text: 'and <@UOTHER003>, <#COTHER002|> or <!subteam^S2>' },
    ]);
    expect([...payloads.values()].map(({ data: { text } }) => text)).toEqual([
      '@dana #their-channel @ops',
      'Ask @Eve of elsewhere',
      'Here I am',
      'and @UOTHER003, #COTHER002 or @S2',
    ]);
    expect(losses).toMatchObject({ 'names that are not known': 3 });
  });

  it('knows the key of a message to which an old address leads, and counts all addresses that will be dead', async () => {
    const address = (channel: string, path: string) => `https://work.slack.com/archives/${channel}/${path}`;
    const here = address('C00000001', `p${tsOf(0).replace('.', '')}?thread_ts=${tsOf(0)}&amp;cid=C00000001`);
    const { payloads, losses } = await planned([
      { text: 'first' },
      { text: `<${here}|see above>, <${address('COTHER001', 'p1770000000000100')}>` },
      { text: 'the <https://work.slack.com/files/U1/F1/plan.png|plan>, not <https://slack.com/help/articles/1>' },
    ]);
    const keyOf = (n: number) => payloads.get(tsOf(n))?.data.metadata.chatferry.key;
    const linksOf = (n: number) => payloads.get(tsOf(n))?.data.metadata.chatferry.links;
    expect(linksOf(1)).toEqual([{ url: here.replace('&amp;', '&'), key: keyOf(0) }]);
    expect(linksOf(2)).toBeUndefined();
    expect(losses).toMatchObject({ 'links into the old system': 3 });
  });

  it.each<[loss: string, count: number, row: object]>([
    ['custom emoji in texts', 2, { text: ':ship-it-squid: at 10:30:45 :wave: :Ship: :gopher-dance::skin-tone-2:' }],
    ['data of apps', 1, { text: 'x', metadata: { event_type: 'order', event_payload: { id: 7 } } }],
    [
      'menus and fields',
      3,
      {
        text: '',
        bot_id: 'B1',
        blocks: [
          { type: 'actions', elements: [{ type: 'static_select', placeholder: { type: 'plain_text', text: 'Pick' } }] },
          {
            type: 'input',
            label: { type: 'plain_text', text: 'When?' },
            element: { type: 'datepicker', action_id: 'a' },
          },
        ],
        attachments: [{ text: 'Choose', actions: [{ type: 'select', text: 'Which?' }] }],
      },
    ],
    [
      'details of cards',
      2,
      {
        text: 'x',
        attachments: [{ text: 'a', ts: 1 }, { text: 'b', thumb_url: 'https://e.example/1' }, { text: 'c' }],
      },
    ],
    [
      'beginnings of text files',
      1,
      {
        text: 'x',
        files: [{ id: 'F1', name: 'a.js', mode: 'snippet', preview: 'let a', url_private: 'https://e.example/a' }],
      },
    ],
    [
      'underlines',
      1,
      {
        text: 'under',
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: 'under', style: { underline: true } },
                  { type: 'text', text: ' line' },
                ],
              },
            ],
          },
        ],
      },
    ],
    ['styles inside words', 1, { text: 'say *"x"*<https://e.example>' }],
  ])('counts %s', async (loss, count, row) => {
    const { losses } = await planned([row]);
    expect(losses).toMatchObject({ [loss]: count });
  });

  it.each([
    ['a heading', '# not a heading', '\\# not a heading'],
    ['a list', 'one\n- two', 'one\n\\- two'],
    ['a number', '2026. What a year', '2026\\. What a year'],
    ['an indent', '    so far', '\u00a0\u00a0\u00a0\u00a0so far'],
    ['a line', 'so\n---', 'so\n\\---'],
    ['stars inside of words', '2*3*4', '2\\*3\\*4'],
    ['marks of Markdown', '**so** and __so__', '\\*\\*so\\*\\* and \\_\\_so\\_\\_'],
    ['a link', '[so](https-like)', '\\[so\\](https-like)'],
    ['a tag', '&lt;b&gt;', '\\<b\\>'],
  ])('sends %s as it was typed and counts it, or with a backslash', async (_, text, escaped) => {
    const asTyped = await planned([{ text }]);
    expect(asTyped.first?.text).toBe(text.replace('&lt;', '<').replace('&gt;', '>'));
    expect(asTyped.losses).toMatchObject({ 'accidental Markdown': 1 });
    const withBackslash = await planned([{ text }], 'source: { escapeText: true }');
    expect(withBackslash.first?.text).toBe(escaped);
    expect(withBackslash.losses['accidental Markdown']).toBeUndefined();
  });

  it('takes nothing for Markdown that is none', async () => {
    const rows = [
      'snake_case_name',
      '#general',
      '-5 degrees',
      '3.5 and 1.2.3',
      'a * b',
      'C:\\ is full',
      '1 &lt; 2 &amp;&amp; 3 &gt; 2',
      'x = y',
    ];
    const { losses } = await planned(rows.map((text) => ({ text })));
    expect(losses['accidental Markdown']).toBeUndefined();
  });

  it('counts nothing if there is nothing to count', async () => {
    const { losses } = await planned([{ text: 'Hello *world*', metadata: { event_type: '', event_payload: {} } }]);
    expect(Object.keys(losses)).toEqual(['handles', 'people who never wrote', 'silent members']);
  });

  it('counts links to messages that are skipped, rejected or not in the export', async () => {
    const linkTo = (number: number) => `<https://old.slack.com/archives/C00000001/p${tsOf(number).replace('.', '')}>`;
    const { losses, findings } = await planned([
      { text: linkTo(1) },
      { text: 'here', edited: undefined },
      { text: `${linkTo(3)} and ${linkTo(4)} and ${linkTo(77)}` },
      { subtype: 'channel_join', text: 'joined' },
      { text: ' ' },
    ]);
    expect(losses).toMatchObject({ 'links into the old system': 4, 'links to messages that are not sent': 3 });
    expect(findings).toContain('link-to-unsent');
  });

  it('counts what profiles say and no field holds, without a value of it', async () => {
    const folder = home.make();
    const profile = {
      display_name: 'Ada',
      real_name: 'Ada L.',
      title: 'Captain-1',
      phone: '',
      fields: { X1: { value: 'y' } },
    };
    writeFiles(join(folder, 'export'), {
      'users.json': [
        { ...user(userId(1), 'Ada'), tz: 'Europe/Rome', profile },
        { ...user(userId(2), 'Bob'), tz: 'Europe/Rome' },
      ],
      'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1)] }],
      'general/2026-02-02.json': [rowOf(0, { text: 'hi' })],
    });
    const { losses, findings } = await planOf(folder, join(folder, 'export'));
    expect(losses).toMatchObject({ 'details of profiles': 5 });
    expect(findings).toContain('profile-detail-not-migrated');
    const { report } = await planExport(await sessionRequest(folder, { from: [join(folder, 'export')] }));
    const found = report.problems.find(({ code }) => code === 'profile-detail-not-migrated');
    expect(found?.examples.map(({ detail }) => detail)).toContain('time zones of 2 people');
    expect(JSON.stringify(report)).not.toContain('Captain-1');
  });
});
