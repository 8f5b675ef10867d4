import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { call, direct, importAll, importOne, list, muidsOf, refused, sandboxOf, toGroup } from './fixture.ts';

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = sandboxOf();
  importAll(sandbox, toGroup('m1'), direct('m2'), direct('m3'));
});

const remove = (conversationId: string, onBehalfOf: string) =>
  call(sandbox, `DELETE /v3/conversations/${conversationId}`, { onBehalfOf });

describe('a conversation', () => {
  it('is deleted for all users, and no other', () => {
    expect(remove('ANN_user_bob', 'bob').json.data).toEqual({
      success: true,
      message: 'The conversation was deleted for all users',
    });
    expect(muidsOf(list(sandbox, ''))).toEqual(['m1']);
    expect(list(sandbox, '', { onBehalfOf: 'bob' }).json.data).toEqual([]);
    expect(remove('ann_user_bob', 'bob')).toMatchObject(refused('ERR_CONVERSATION_NOT_FOUND'));
  });

  it('leaves its muids taken, and its ids are not given again', () => {
    remove('ann_user_bob', 'ann');
    expect(importOne(sandbox, direct('m3')).error.code).toBe('ERR_IMPORT_MUID_ALREADY_EXISTS');
    expect(importOne(sandbox, direct('m4')).data).toMatchObject({ id: '4', conversationId: 'ann_user_bob' });
    expect(muidsOf(list(sandbox, 'conversationId=ann_user_bob'))).toEqual(['m4']);
  });

  it('takes the reactions with it', () => {
    const store = openSandboxStore(':memory:');
    const other = sandboxOf({ store });
    importAll(other, direct('m1'));
    call(other, 'POST /v3/messages/1/reactions/x', { onBehalfOf: 'ann' });
    call(other, 'DELETE /v3/conversations/ann_user_bob', { onBehalfOf: 'ann' });
    for (const table of ['message', 'reaction', 'participant', 'conversation']) {
      expect([table, store.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]).toEqual([table, 0]);
    }
  });

  it('is not found if it has no messages', () => {
    expect(remove('group_nowhere', 'ann')).toMatchObject(refused('ERR_CONVERSATION_NOT_FOUND'));
  });

  it('is not accessible to users outside of it', () => {
    expect(remove('group_g', 'bob')).toMatchObject(refused('ERR_CONVERSATION_NOT_ACCESSIBLE'));
    expect(remove('group_g', 'nobody')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(call(sandbox, 'DELETE /v3/conversations/group_g')).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(muidsOf(list(sandbox, 'conversationId=group_g'))).toEqual(['m1']);
  });
});
