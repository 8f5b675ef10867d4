import { type Kinds, inner, put, remove, rename, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  nestedRows: [
    {
      where: 'edit_history',
      sample: 'whole-export',
      edits: [
        put(
          'messages-000001.json',
          '/zerver_message/0/edit_history',
          JSON.stringify([
            { user_id: 8, timestamp: 1772442250, prev_content: inner, prev_rendered_content: `<p>${inner}</p>` },
          ]),
        ),
      ],
    },
  ],
  partialExports: [
    { says: 'a file of messages that is missing', sample: 'whole-export', edits: [remove('messages-000001.json')] },
    {
      says: 'a file that was not finished',
      sample: 'whole-export',
      codes: ['zulip-unfinished'],
      edits: [rename('messages-000002.json', 'messages-000002.json.partial')],
    },
  ],
  messageNames: 'Messages have ids alone: a bot that writes for others has one name',
  sameNames: [
    {
      by: 'the id of the channel',
      sample: 'whole-export',
      edits: [0, 1].map((at) => put('realm.json', `/zerver_stream/${at}/name`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'whole-export',
      changed: 'the text',
      after: [
        put('messages-000001.json', '/zerver_message/0/content', 'Later'),
        put('messages-000001.json', '/zerver_message/0/last_edit_time', 1772449000),
      ],
    },
    {
      sample: 'whole-export',
      changed: 'a reaction',
      isUndated: true,
      after: [
        put('realm.json', '/zerver_reaction/-', {
          id: 99,
          user_profile: 8,
          message: 105,
          emoji_name: 'wave',
          emoji_code: '1f44b',
          reaction_type: 'unicode_emoji',
        }),
      ],
    },
  ],
  decisions: [{ sample: 'chunk-reactions', asks: { 'zulip-unfinished': 1 } }],
};
