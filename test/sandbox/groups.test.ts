import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { call, importOne, list, nowSeconds, refused, sandboxOf, toGroup } from './fixture.ts';

/** The team of the demo: ann owns it, bob is moderator, cleo, dan and eve are participants. */
let sandbox: Sandbox;

beforeEach(() => {
  sandbox = sandboxOf({ seed: 'demo' });
});

const get = (guid: string, onBehalfOf?: string) =>
  call(sandbox, `GET /v3/groups/${guid}`, onBehalfOf === undefined ? {} : { onBehalfOf });

describe('a group', () => {
  it('that is private is shown to its members only, and to the app', () => {
    expect(get('board', 'ann').json.data).toMatchObject({ hasJoined: true, scope: 'participant' });
    expect(get('board', 'eve')).toMatchObject(refused('ERR_GROUP_NOT_JOINED'));
    expect(get('board').json.data).toMatchObject({ guid: 'board', membersCount: 2 });
    expect(get('team', 'helper').json.data).toMatchObject({ hasJoined: false });
  });

  it('is deleted with its messages and members', () => {
    const remove = (onBehalfOf?: string) =>
      call(sandbox, 'DELETE /v3/groups/team', onBehalfOf === undefined ? {} : { onBehalfOf });
    for (const uid of ['bob', 'cleo', 'helper']) {
      expect(remove(uid)).toMatchObject(refused('ERR_GROUP_NO_ADMIN_SCOPE'));
    }
    const [{ muid }] = list(sandbox, 'conversationId=group_team&limit=1').json.data;
    expect(remove('ANN')).toMatchObject({ status: 200, json: { data: { success: true } } });
    expect(get('team')).toMatchObject(refused('ERR_GUID_NOT_FOUND'));
    expect(remove()).toMatchObject(refused('ERR_GUID_NOT_FOUND'));
    expect(list(sandbox, 'conversationId=group_team').json.data).toEqual([]);
    expect(
      list(sandbox, '', { onBehalfOf: 'cleo' }).json.data.map((one: { receiver: string }) => one.receiver),
    ).toEqual(['cleo']);

    expect(importOne(sandbox, toGroup(muid)).error.code).toBe('ERR_IMPORT_MUID_ALREADY_EXISTS');
    importOne(sandbox, toGroup('again', { receiver: 'team', receiverUserDetails: { guid: 'team', name: 'New' } }));
    expect(get('team').json.data).toMatchObject({ name: 'New', membersCount: 1 });
  });
});

describe('a member', () => {
  const kick = (uid: string, onBehalfOf?: string) =>
    call(sandbox, `DELETE /v3/groups/team/members/${uid}`, onBehalfOf === undefined ? {} : { onBehalfOf });

  it('is removed, and the group is notified', () => {
    expect(get('team').json.data.membersCount).toBe(5);
    expect(kick('CLEO', 'ann').json.data).toMatchObject({ success: true });
    expect(get('team').json.data.membersCount).toBe(4);
    expect(get('team', 'cleo').json.data.hasJoined).toBe(false);
    const [action] = list(sandbox, 'affix=prepend&limit=1').json.data;
    expect(action).toMatchObject({
      category: 'action',
      type: 'groupMember',
      sender: 'ann',
      receiver: 'team',
      conversationId: 'group_team',
      sentAt: nowSeconds,
      data: {
        action: 'kicked',
        entities: {
          by: { entity: { uid: 'ann' }, entityType: 'user' },
          on: { entity: { uid: 'cleo' }, entityType: 'user' },
          for: { entity: { guid: 'team', membersCount: 4 }, entityType: 'group' },
        },
      },
    });
    expect(action).not.toHaveProperty('muid');
  });

  it('is removed by the app if no user is named, even the owner', () => {
    expect(kick('ann').status).toBe(200);
    expect(list(sandbox, 'affix=prepend&limit=1').json.data[0]).toMatchObject({ sender: 'app_system' });
  });

  it('who was removed can neither see the group nor write to it, until it is a member again', () => {
    kick('cleo');
    const body = { receiver: 'team', receiverType: 'group', data: { text: 'Hello?' } };
    expect(call(sandbox, 'POST /v3/messages', { body, onBehalfOf: 'cleo' })).toMatchObject(
      refused('ERR_GROUP_NOT_JOINED'),
    );
    expect(list(sandbox, 'conversationId=group_team', { onBehalfOf: 'cleo' }).json.data).toEqual([]);
    importOne(
      sandbox,
      toGroup('m1', { sender: 'cleo', receiver: 'team', senderUserDetails: undefined, receiverUserDetails: undefined }),
    );
    expect(get('team', 'cleo').json.data.hasJoined).toBe(true);
  });

  it.each([
    ['participant', 'another', 'eve', 'cleo', 'ERR_GROUP_NO_MODERATOR_SCOPE'],
    ['participant', 'a moderator', 'eve', 'bob', 'ERR_GROUP_NO_CLEARANCE'],
    ['moderator', 'the owner', 'bob', 'ann', 'ERR_GROUP_NO_CLEARANCE'],
    ['moderator', 'itself', 'bob', 'bob', 'ERR_GROUP_NO_SELF_ACTION'],
    ['stranger', 'a participant', 'helper', 'cleo', 'ERR_GROUP_NOT_JOINED'],
  ] as const)('as %s cannot remove %s', (_, __, actor, member, code) => {
    expect(kick(member, actor)).toMatchObject(refused(code));
    expect(get('team').json.data.membersCount).toBe(5);
  });

  it('as moderator can remove a participant', () => {
    expect(kick('eve', 'bob').status).toBe(200);
  });

  it('is to exist, and to be one', () => {
    expect(kick('nobody')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(kick('dan')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(kick('helper')).toMatchObject(refused('ERR_NOT_A_MEMBER'));
    expect(kick('bob', 'nobody')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(call(sandbox, 'DELETE /v3/groups/nowhere/members/bob')).toMatchObject(refused('ERR_GUID_NOT_FOUND'));
  });
});
