import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { call, direct, importAll, refused, sandboxOf } from './fixture.ts';

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = sandboxOf();
  importAll(
    sandbox,
    direct('m1'),
    direct('m2', { receiver: 'cleo', receiverUserDetails: { uid: 'cleo', name: 'Cleo' } }),
  );
});

describe('friends', () => {
  const add = (uid: string, ...accepted: readonly string[]) =>
    call(sandbox, `POST /v3/users/${uid}/friends`, { body: { accepted } });
  const remove = (uid: string, ...friends: readonly string[]) =>
    call(sandbox, `DELETE /v3/users/${uid}/friends`, { body: { friends } });

  it('are made one by one, each with an answer of its own', () => {
    const { status, json } = add('ANN', 'Bob', 'nobody', 'ann');
    expect(status).toBe(200);
    expect(json.data.accepted).toEqual({
      bob: { success: true, message: 'The relation between ann and bob with status accepted was created' },
      nobody: { success: false, code: 'ERR_UID_NOT_FOUND', message: 'The user "nobody" does not exist' },
      ann: { success: false, code: 'ERR_CANNOT_FORM_SELF_RELATION', message: expect.any(String) },
    });
  });

  it('are friends both ways, once', () => {
    add('ann', 'bob');
    expect(add('bob', 'ann').json.data.accepted.ann).toMatchObject({ success: false, code: 'ERR_ALREADY_FRIEND' });
    expect(remove('bob', 'ANN').json.data).toEqual({ success: true, message: 'The friends were removed' });
    expect(remove('ann', 'bob')).toMatchObject(refused('ERR_NOT_A_FRIEND'));
    expect(add('bob', 'ann').json.data.accepted.ann).toMatchObject({ success: true });
  });

  it('all stay where one of those to remove is none', () => {
    add('ann', 'bob');
    expect(remove('ann', 'bob', 'cleo')).toMatchObject(refused('ERR_NOT_A_FRIEND'));
    expect(remove('ann', 'bob').status).toBe(200);
  });

  it('are 1,000 at most, on either side', () => {
    for (let start = 0; start < 1_001; start += 50) {
      const uids = Array.from({ length: Math.min(50, 1_001 - start) }, (_, index) => `u${start + index}`);
      importAll(
        sandbox,
        ...uids.map((uid) => direct(`m-${uid}`, { sender: uid, senderUserDetails: { uid, name: uid } })),
      );
    }
    const uids = Array.from({ length: 1_001 }, (_, index) => `u${index}`);
    const { accepted } = add('ann', ...uids).json.data;
    expect(accepted.u999).toMatchObject({ success: true });
    expect(accepted.u1000).toMatchObject({ success: false, message: 'The user "ann" has 1000 friends already' });
    expect(add('u1000', 'ann').json.data.accepted.ann).toMatchObject({ success: false });
  });

  it('of an unknown user are not found, and an empty list is not accepted', () => {
    expect(add('nobody', 'ann')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(remove('nobody', 'ann')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(add('ann')).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(remove('ann')).toMatchObject(refused('ERR_BAD_REQUEST'));
  });

  it('may have any name that JSON allows', () => {
    const { accepted } = add('ann', '__proto__', 'constructor').json.data;
    expect(Object.keys(accepted)).toEqual(['__proto__', 'constructor']);
  });
});

describe('blocked users', () => {
  const block = (uid: string, ...blockedUids: readonly string[]) =>
    call(sandbox, `POST /v3/users/${uid}/blockedusers`, { body: { blockedUids } });
  const unblock = (uid: string, ...blockedUids: readonly string[]) =>
    call(sandbox, `DELETE /v3/users/${uid}/blockedusers`, { body: { blockedUids } });
  const write = (from: string, to: string) => {
    const body = { receiver: to, receiverType: 'user', data: { text: 'Hello' } };
    return call(sandbox, 'POST /v3/messages', { body, onBehalfOf: from });
  };

  it('are blocked and unblocked one by one', () => {
    expect(block('ann', 'BOB', 'ann', 'nobody').json.data).toEqual({
      bob: { success: true, message: 'The user "bob" is blocked' },
      ann: { success: false, code: 'ERR_CANNOT_BLOCK_SELF', message: expect.any(String) },
      nobody: { success: false, code: 'ERR_UID_NOT_FOUND', message: 'The user "nobody" does not exist' },
    });
    expect(block('ann', 'bob').json.data.bob.success).toBe(true);
    expect(unblock('ann', 'bob', 'cleo', 'nobody').json.data).toMatchObject({
      bob: { success: true },
      cleo: { success: false, message: 'The user "cleo" is not blocked' },
      nobody: { success: false, code: 'ERR_UID_NOT_FOUND' },
    });
  });

  it('get no messages from the one who blocked them, and can send none', () => {
    block('ann', 'bob');
    expect(write('bob', 'ann')).toMatchObject(refused('ERR_BLOCKED_SENDER'));
    expect(write('ann', 'bob')).toMatchObject(refused('ERR_BLOCKED_RECEIVER'));
    expect(write('bob', 'cleo').status).toBe(200);
    unblock('ann', 'bob');
    expect(write('bob', 'ann').status).toBe(200);
  });

  it('of an unknown user are not found, and an empty list is not accepted', () => {
    expect(block('nobody', 'ann')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(unblock('nobody', 'ann')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(block('ann')).toMatchObject(refused('ERR_BAD_REQUEST'));
  });
});
