import { type Kinds, inner, put, shared } from '../../contracts/kinds/kind.ts';

const lineWith = (type: string, value: object) => JSON.stringify({ type, [type]: value });

const names = ['Mia (IRC)', 'Ole (IRC)', 'Mia (IRC)'];

const relayedPost = (name: string, index: number) => ({
  team: 'harbour',
  channel: 'general',
  user: 'relay',
  message: name,
  create_at: 1772442000000 + index,
  props: { override_username: name, from_webhook: 'true' },
});

const relayedLines = [
  JSON.stringify({ type: 'version', version: 1 }),
  lineWith('team', { name: 'harbour', display_name: 'Harbour', type: 'O' }),
  lineWith('channel', { team: 'harbour', name: 'general', display_name: 'General', type: 'O' }),
  lineWith('user', { username: 'relay', email: 'relay@example.com', nickname: 'Relay' }),
  ...names.map((name, index) => lineWith('post', relayedPost(name, index))),
];

const changedPost = (changes: Readonly<Record<string, unknown>>) =>
  Object.entries(changes).map(([key, value]) => put('import.jsonl', `/14/post/${key}`, value));

export const kinds: Kinds = {
  ownData: [
    { where: 'props', sample: 'every-feature', edits: (data) => [...changedPost({ props: data })] },
    { where: 'posts that are burnt on reading', sample: 'every-feature', mark: changedPost({ type: 'burn_on_read' }) },
  ],
  nestedRows: [
    {
      where: 'replies of a post',
      sample: 'every-feature',
      edits: [put('import.jsonl', '/14/post/replies/-', { user: 'kay', message: inner, create_at: 1772442007500 })],
    },
    {
      where: 'replies of a direct post',
      sample: 'every-feature',
      edits: [
        put('import.jsonl', '/29/direct_post/replies', [{ user: 'ines', message: inner, create_at: 1772442023500 }]),
      ],
    },
  ],
  partialExports: 'A bulk export is of all teams, or of what somebody chose, and does not say which',
  messageNames: [{ form: 'names of webhooks', files: { 'import.jsonl': `${relayedLines.join('\n')}\n` } }],
  sameNames: [
    {
      by: 'the name in the address',
      sample: 'every-feature',
      edits: [3, 4].map((at) => put('import.jsonl', `/${at}/channel/display_name`, shared)),
    },
  ],
  overlaps: [
    {
      sample: 'every-feature',
      changed: 'the text',
      after: changedPost({ message: 'First of three', edit_at: 1772443000000 }),
    },
    {
      sample: 'every-feature',
      changed: 'a reaction',
      after: [
        ...changedPost({ reactions: [{ user: 'ines', emoji_name: 'wave', create_at: 1772443000000 }] }),
        put('import.jsonl', '/0/info/created', '2026-03-09T10:00:00Z'),
      ],
    },
    {
      sample: 'every-feature',
      changed: 'a pin',
      after: [...changedPost({ is_pinned: true }), put('import.jsonl', '/0/info/created', '2026-03-09T10:00:00Z')],
    },
  ],
};
