import { expect, it } from 'vitest';
import { matrix } from '../../../src/sources/matrix/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const room = '!r:example.com';
const state = (type: string, atMs: number, content: object, key = '') => ({
  ...{ type, room_id: room, sender: '@ann:example.com', event_id: `$${type}${key}${atMs}`, state_key: key },
  ...{ origin_server_ts: 1_772_442_000_000 + atMs, content },
});
const member = (name: string, atMs: number, membership: string) =>
  state('m.room.member', atMs, { membership, displayname: name }, `@${name}:example.com`);

it('a Matrix room says who joined when, who left, who is banned, and which powers make admins and moderators', async () => {
  const messages = [
    state('m.room.create', 0, { creator: '@ann:example.com' }),
    state('m.room.name', 0, { name: 'Harbour' }),
    member('ann', 1, 'join'),
    state('m.room.power_levels', 2, {
      users: { '@ann:example.com': 100, '@ben:example.com': 50, '@dan:example.com': 50 },
    }),
    ...[member('ben', 3, 'join'), member('ben', 4, 'leave'), member('ben', 5, 'join'), member('ben', 6, 'join')],
    ...[member('cleo', 7, 'join'), member('cleo', 8, 'ban')],
    ...[member('dan', 9, 'join'), member('dan', 10, 'leave')],
    ...[member('eve', 11, 'invite'), member('eve', 12, 'leave'), member('fay', 13, 'invite')],
  ];
  const top = { room_name: 'Harbour', room_creator: 'ann', topic: '', export_date: '1/1/1970', exported_by: 'ann' };
  const entries = await readAll(matrix, memoryInput({ 'export.json': { ...top, messages } }));
  const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
  const at = (ms: number) => 1_772_442_000_000 + ms;
  expect(records.findLast(({ kind }) => kind === 'conversation')).toMatchObject({
    members: ['@ann:example.com', '@ben:example.com'],
    memberships: [
      { user: '@ann:example.com', scope: 'admin', joinedAtMs: at(1) },
      { user: '@ben:example.com', scope: 'moderator', joinedAtMs: at(5) },
      { user: '@cleo:example.com', isBanned: true },
      { user: '@dan:example.com', joinedAtMs: at(9), leftAtMs: at(10) },
    ],
  });
});
