import { asJson, type Signature } from './signature.ts';

/** Services that others build chats and help desks on. */
export const vendors: readonly Signature[] = [
  {
    platform: 'Twilio',
    layout: 'answers of Conversations or Programmable Chat, JSON',
    marks: [
      {
        objects: [{ at: '**', keys: ['sid', 'author', 'body', 'date_created'], values: { sid: /^IM[0-9a-f]{32}$/ } }],
      },
      {
        objects: [{ at: '**', keys: ['sid', 'friendly_name', 'attributes'], values: { sid: /^CH[0-9a-f]{32}$/ } }],
      },
    ],
    advice: asJson(
      'rows in /messages, with sid, conversation_sid (channel_sid of Programmable Chat), author, date_created, body; date_updated is set on every row and means no edit',
    ),
  },
];
