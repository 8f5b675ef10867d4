import { expect, it } from 'vitest';
import { Members } from '../../src/model/members.ts';

it('Members joins rows of one person: who came back is a member, the later leave counts, an admin stays one', () => {
  const members = new Members();
  members.add('room', 'ann', { leftAtMs: 5, scope: 'admin' });
  members.add('room', 'ann', { joinedAtMs: 7 });
  members.add('room', 'ben', { leftAtMs: 9, joinedAtMs: 8 });
  members.add('room', 'ben', { leftAtMs: 3, joinedAtMs: 1 });
  members.add('room', 'cleo', { scope: 'admin', joinedAtMs: 2 });
  members.add('room', 'cleo', { scope: 'moderator' });
  members.add('room', 'dan', { isBanned: true });
  members.add('room', 'eve');
  expect(members.of('room')).toEqual({
    members: ['ann', 'cleo', 'eve'],
    memberships: [
      { user: 'ann', joinedAtMs: 7 },
      { user: 'ben', leftAtMs: 9, joinedAtMs: 8 },
      { user: 'cleo', scope: 'admin', joinedAtMs: 2 },
      { user: 'dan', isBanned: true },
    ],
  });
});

it('Members takes two ids of a person for one: a member under one of them is a member', () => {
  const members = new Members();
  const lists = {
    id: 'room',
    members: ['ann'],
    memberships: [{ user: 'ann-old', scope: 'admin' as const, leftAtMs: 4 }],
  };
  members.addLists(lists, () => 'ann');
  expect(members.of('room')).toEqual({ members: ['ann'] });
});
