import { expect, it } from 'vitest';
import { rocketchat } from '../../../src/sources/rocketchat/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

async function textOfRow(more: object): Promise<string | undefined> {
  const row = {
    _id: 'm1',
    rid: 'GENERAL',
    msg: 'Deploy is finished:',
    ts: { $date: '2026-03-02T09:15:01.000Z' },
    u: { _id: 'u1', username: 'ines' },
    ...more,
  };
  const files = {
    'rocketchat_message.json': `${JSON.stringify(row)}\n`,
    'rocketchat_room.json': '{"_id":"GENERAL","t":"c","name":"general"}\n',
  };
  for (const entry of await readAll(rocketchat, memoryInput(files)))
    if (entry.type === 'record' && entry.record.kind === 'message') return entry.record.text;
  return undefined;
}

it('a card is below the text, as Rocket.Chat shows it, and a quotation above', async () => {
  const card = { title: 'Build 812', text: 'all green' };
  const quote = {
    message_link: 'https://chat.example.com/channel/general?msg=m0',
    author_name: 'Tomasz',
    text: 'Well?',
  };
  expect(await textOfRow({ attachments: [card, quote] })).toBe(
    '> Tomasz: Well?\n\nDeploy is finished:\n\n> **Build 812**\n> all green',
  );
});

it('blocks are shown in the place of the text, which is for programs without', async () => {
  const blocks = [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: 'Standup at *ten*' },
      fields: [{ type: 'plain_text', text: 'room 4' }],
    },
    { type: 'image', imageUrl: 'https://example.com/a.png', altText: 'map' },
    {
      type: 'actions',
      elements: [{ type: 'button', text: { type: 'plain_text', text: 'Plan' }, url: 'https://example.com' }],
    },
  ];
  expect(await textOfRow({ blocks })).toBe(
    'Standup at **ten**\nroom 4\n\nmap\nhttps://example.com/a.png\n\n[Plan](https://example.com)',
  );
  expect(await textOfRow({ blocks: [{ type: 'divider' }] })).toBe('Deploy is finished:');
});
