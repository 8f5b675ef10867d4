import { type Kinds, add, inner, put, shared, replace } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: [
    {
      where: 'fields that are not known',
      sample: 'takeout',
      edits: (data) => [put('Space AAAA1/messages.json', '/messages/1/app', data)],
    },
  ],
  nestedRows: [
    {
      where: 'quoted_message_metadata',
      sample: 'takeout',
      edits: [
        put('Space AAAA1/messages.json', '/messages/0/quoted_message_metadata', {
          creator: { name: 'Tomasz', email: 'Tomasz@example.com' },
          text: inner,
        }),
      ],
    },
    {
      where: 'previous_message_versions',
      sample: 'takeout',
      edits: [
        put('Space AAAA1/messages.json', '/messages/0/previous_message_versions', [
          { text: inner, created_date: 'Monday, March 2, 2026 at 7:59:00 AM UTC' },
        ]),
      ],
    },
  ],
  partialExports: 'The files of a space have messages alone: nothing counts them, or says from when on',
  messageNames: 'The name beside an address is that of the person or app',
  sameNames: [
    {
      by: 'the id of the space, in the name of its folder',
      sample: 'takeout',
      edits: [
        put('Space AAAA1/group_info.json', '/name', shared),
        add(
          'Takeout/Google Chat/Groups/Space BBBB2/group_info.json',
          JSON.stringify({
            name: shared,
            members: [{ name: 'Tomasz', email: 'Tomasz@example.com', user_type: 'Human' }],
          }),
        ),
        add(
          'Takeout/Google Chat/Groups/Space BBBB2/messages.json',
          JSON.stringify({
            messages: [
              {
                creator: { name: 'Tomasz', email: 'Tomasz@example.com', user_type: 'Human' },
                created_date: 'Monday, March 2, 2026 at 8:05:00 AM UTC',
                text: 'Another crew',
                topic_id: 't1',
                message_id: 'BBBB2/t1/t1',
              },
            ],
          }),
        ),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'takeout',
      changed: 'the text',
      after: [
        put('Space AAAA1/messages.json', '/messages/1/text', 'Thank you!'),
        put('Space AAAA1/messages.json', '/messages/1/updated_date', 'Monday, March 2, 2026 at 8:09:00 AM UTC'),
      ],
    },
    {
      sample: 'takeout',
      changed: 'a reaction',
      isUndated: true,
      after: [
        put('Space AAAA1/messages.json', '/messages/1/reactions', [
          { emoji: { unicode: '👍' }, reactor_emails: ['ines@example.com'] },
        ]),
      ],
    },
  ],
  fileKinds: [{ kind: 'image', sample: 'hangouts', edits: [replace('Hangouts.json', 'boat.jpg?sz=1', 'boat')] }],
};
