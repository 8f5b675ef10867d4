import { type Kinds, inner, put, shared, replace } from '../../contracts/kinds/kind.ts';

const answerRow = {
  type: 'm.room.message',
  event_id: '$inner',
  room_id: '!lines:example.com',
  sender: '@ben:example.org',
  origin_server_ts: 1772442030000,
  content: { msgtype: 'm.text', body: inner, 'm.relates_to': { rel_type: 'm.thread', event_id: '$l1' } },
};

const thread = { unsigned: { 'm.relations': { 'm.thread': { count: 1, latest_event: answerRow } } } };

const names = ['Mia (IRC)', 'Ole (IRC)', 'Mia (IRC)'];

const relayedRow = (name: string, index: number) => ({
  type: 'm.room.message',
  event_id: `$e${index}`,
  room_id: '!r:example.com',
  sender: '@relay:example.com',
  origin_server_ts: 1772442000000 + index,
  content: {
    msgtype: 'm.text',
    body: `${name}: ${name}`,
    'com.beeper.per_message_profile': { id: 'one', displayname: name, has_fallback: true },
  },
});

const nameEvent = (room: string) => ({
  type: 'm.room.name',
  event_id: `$name-${room}`,
  room_id: room,
  sender: '@ann:example.com',
  state_key: '',
  origin_server_ts: 1772442001000,
  content: { name: shared },
});

export const kinds: Kinds = {
  ownData: [
    { where: 'content', sample: 'lists', edits: (data) => [put('lines.jsonl', '/0/content/com.example.app', data)] },
  ],
  nestedRows: [
    {
      where: 'latest answer of a thread',
      sample: 'lists',
      edits: [put('lines.jsonl', '/0/unsigned', thread.unsigned)],
    },
    {
      where: 'replacement in an event',
      sample: 'lists',
      edits: [
        put('lines.jsonl', '/0/unsigned', {
          'm.relations': {
            'm.replace': {
              ...answerRow,
              sender: '@ann:example.com',
              content: {
                msgtype: 'm.text',
                body: `* ${inner}`,
                'm.new_content': { msgtype: 'm.text', body: inner },
                'm.relates_to': { rel_type: 'm.replace', event_id: '$l1' },
              },
            },
          },
        }),
      ],
    },
  ],
  partialExports: [
    { says: 'an answer that goes on', sample: 'answers', edits: [put('messages-2.json', '/end', 't9-further')] },
    {
      says: 'a cut timeline',
      sample: 'sync',
      edits: [put('sync-1.json', '/rooms/join/!two:example.com/timeline/limited', true)],
    },
    {
      says: 'answers of a thread',
      sample: 'lists',
      edits: [put('lines.jsonl', '/0/unsigned', { 'm.relations': { 'm.thread': { count: 3 } } })],
    },
  ],
  messageNames: [{ form: 'profiles of messages', files: { 'room.json': { chunk: names.map(relayedRow) } } }],
  sameNames: [
    {
      by: 'the id of the room',
      sample: 'lists',
      edits: [
        put('lines.jsonl', '/-', nameEvent('!lines:example.com')),
        put('lines.jsonl', '/-', nameEvent('!other:example.com')),
        put('lines.jsonl', '/-', {
          ...nameEvent('!other:example.com'),
          type: 'm.room.message',
          event_id: '$other',
          state_key: undefined,
          content: { msgtype: 'm.text', body: 'Another crew' },
        }),
      ],
    },
  ],
  overlaps: [
    {
      sample: 'lists',
      changed: 'the text',
      after: [
        put('lines.jsonl', '/-', {
          type: 'm.room.message',
          event_id: '$edit',
          room_id: '!lines:example.com',
          sender: '@ann:example.com',
          origin_server_ts: 1772442030000,
          content: {
            msgtype: 'm.text',
            body: '* On one line',
            'm.new_content': { msgtype: 'm.text', body: 'On one line' },
            'm.relates_to': { rel_type: 'm.replace', event_id: '$l1' },
          },
        }),
      ],
    },
    // A reaction is an event with a time, and that time is not kept.
    {
      sample: 'lists',
      changed: 'a reaction',
      isUndated: true,
      after: [
        put('lines.jsonl', '/-', {
          type: 'm.reaction',
          event_id: '$react',
          room_id: '!lines:example.com',
          sender: '@ben:example.org',
          origin_server_ts: 1772442030000,
          content: { 'm.relates_to': { rel_type: 'm.annotation', event_id: '$l1', key: '👍' } },
        }),
      ],
    },
  ],
  fileKinds: [
    { kind: 'audio', sample: 'answers', edits: [replace('messages-2.json', 'audio/ogg', 'application/octet-stream')] },
  ],
  decisions: [
    { sample: 'damaged-events', asks: { 'matrix-deleted-elsewhere': 'note' } },
    { sample: 'answers', asks: { 'matrix-edited-elsewhere': 'note' } },
  ],
};
