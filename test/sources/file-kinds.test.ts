import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const at = (name: string) => `https://files.example.com/${name}`;

const chatwoot = (file_type: string, name: string) => ({
  payload: [
    {
      ...{
        id: 1,
        content: null,
        inbox_id: 1,
        conversation_id: 12,
        message_type: 0,
        content_type: 'text',
        private: false,
      },
      ...{ created_at: 1772442060, sender: { id: 5, name: 'Ann', type: 'contact' }, status: 'sent', source_id: null },
      attachments: [{ id: 1, message_id: 1, account_id: 1, extension: null, file_type, data_url: at(name) }],
    },
  ],
});

const freshchat = {
  messages: [
    {
      ...{ id: 'm1', conversation_id: 'k1', actor_type: 'user', actor_id: 'u1', message_type: 'normal', user_id: 'u1' },
      ...{ created_time: '2026-03-02T09:01:00.000Z', message_parts: [{ image: { url: at('pier') } }] },
    },
  ],
};

const quickblox = {
  items: [
    {
      ...{ _id: '5f0000000000000000000001', chat_dialog_id: '5e0000000000000000000001', message: '', read: 0 },
      ...{ date_sent: 1772442060, sender_id: 101, recipient_id: 0, created_at: '2026-03-02T09:00:00Z' },
      attachments: [{ id: '9', type: 'image', url: at('9'), name: 'pier.png' }],
    },
  ],
};

const hubspot = {
  results: [
    {
      ...{ id: 'h1', conversationsThreadId: '900', createdAt: '2026-03-02T09:01:00.000Z', createdBy: 'V-101' },
      ...{ senders: [{ actorId: 'V-101' }], text: '', direction: 'INCOMING', channelId: '1000', type: 'MESSAGE' },
      attachments: [{ fileId: '1', url: at('1'), fileUsageType: 'VOICE_RECORDING', type: 'FILE' }],
    },
  ],
};

const person = (id: string) => ({ gaia_id: id, chat_id: id });
const audio = { type: ['PLUS_AUDIO_V2'], plus_audio_v2: { url: at('rope.mp3') } };
const hangouts = {
  conversations: [
    {
      conversation: {
        conversation_id: { id: 'Ugx9' },
        conversation: {
          ...{ id: { id: 'Ugx9' }, type: 'STICKY_ONE_TO_ONE' },
          participant_data: ['21', '22'].map((id) => ({ id: person(id), fallback_name: id })),
        },
      },
      events: [
        {
          ...{ conversation_id: { id: 'Ugx9' }, sender_id: person('21'), event_id: 'v1', event_type: 'VOICEMAIL' },
          timestamp: '1480609642688893',
          chat_message: { message_content: { attachment: [{ embed_item: audio, id: 'g7' }] } },
        },
      ],
    },
  ],
};

it.each([
  ['a picture of Chatwoot', chatwoot('image', 'pier.jpeg'), 'image', 'image/jpeg'],
  ['a voice message of Chatwoot', chatwoot('audio', 'voice.oga'), 'audio', 'audio/ogg'],
  ['a film of Chatwoot at an address without an ending', chatwoot('video', 'tide'), 'video', 'video/mp4'],
  ['a picture of Freshchat', freshchat, 'image', 'image/jpeg'],
  ['a picture of QuickBlox', quickblox, 'image', 'image/png'],
  ['a voice message of HubSpot', hubspot, 'audio', 'audio/mpeg'],
  ['voice mail of Hangouts', hangouts, 'audio', 'audio/mpeg'],
])('%s arrives as what it is, without a media type in its row', async (_, content, type, mimeType) => {
  const folder = home.make();
  const name = content === hangouts ? 'Hangouts.json' : 'messages.json';
  writeFileSync(join(folder, name), JSON.stringify(content));
  const { code, stdout, stderr } = await run(['import', name, '--quiet'], { folder });
  expect(code, stdout + stderr).toBe(0);
  const sandbox = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
  const sent = sandbox.prepare("SELECT type, data ->> '$.attachments[0].mimeType' AS mimeType FROM message").all();
  sandbox.close();
  expect(sent).toEqual([{ type, mimeType }]);
});
