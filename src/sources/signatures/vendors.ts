import { asJson, type Signature } from './signature.ts';

/** Services that others build chats and help desks on. */
export const vendors: readonly Signature[] = [
  {
    platform: 'Intercom',
    layout: 'conversations of its API, JSON',
    marks: [
      {
        objects: [
          { at: '**', keys: ['type', 'id', 'source', 'conversation_parts'], values: { type: /^conversation$/ } },
        ],
      },
      {
        objects: [{ at: '**/conversation_parts/*', keys: ['part_type', 'author', 'body', 'created_at'] }],
      },
    ],
    advice: asJson(
      'rows in conversation_parts/conversation_parts, with id, created_at (unix-s), author.id, author.name, body (html), and $outer.id for the conversation. Leave out rows whose part_type is "note": they are internal. The first message of a conversation is its "source", which is outside the list',
    ),
  },
];
