import { describe, expect, it } from 'vitest';
import { planRows, rowOf, tsOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

/** What a plan makes of one row, or of several: the text of the first that is sent, and losses. */
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
  ])('does not put the preview of %s into the mouth of whoever named the link, and counts it', async (_, card) => {
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
});
