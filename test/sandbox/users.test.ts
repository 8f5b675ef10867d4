import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { demo } from '../../src/sandbox/seed-plan.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import {
  call,
  direct,
  importAll,
  importOne,
  list,
  muidsOf,
  nowSeconds,
  refused,
  sandboxOf,
  toGroup,
} from './fixture.ts';

describe('a deactivated user', () => {
  let sandbox: Sandbox;

  const deactivate = (...uids: readonly string[]) =>
    call(sandbox, 'DELETE /v3/users', { body: { uidsToDeactivate: uids } });
  const activate = (...uids: readonly string[]) => call(sandbox, 'PUT /v3/users', { body: { uidsToActivate: uids } });

  beforeEach(() => {
    sandbox = sandboxOf();
    importAll(sandbox, direct('m1'), toGroup('m2'));
  });

  it('is named in the answer once, in lower case; unknown users are left out', () => {
    expect(deactivate('BOB', 'nobody', 'bob')).toMatchObject({
      status: 200,
      json: { data: { deactivatedUids: ['bob'] } },
    });
    expect(deactivate('bob').json.data).toEqual({ deactivatedUids: ['bob'] });
    expect(activate('bob', 'ann', 'nobody').json.data).toEqual({ nonDeactivatedUids: ['bob', 'ann'] });
  });

  it.each([
    'GET /v3/users/bob/messages',
    'POST /v3/users/bob/friends',
    'DELETE /v3/users/bob/friends',
    'POST /v3/users/bob/blockedusers',
    'DELETE /v3/users/bob/blockedusers',
    'PUT /v3/users/bob/auth_tokens/x',
    'DELETE /v3/groups/g/members/bob',
  ])('is not found by %s', (request) => {
    const body = request.includes('friends')
      ? { [request.startsWith('POST') ? 'accepted' : 'friends']: ['ann'] }
      : request.includes('blocked')
        ? { blockedUids: ['ann'] }
        : {};
    const ask = () => call(sandbox, request, request.startsWith('GET') ? {} : { body });
    expect(ask().json.error?.code).not.toBe('ERR_UID_NOT_FOUND');
    deactivate('bob');
    expect(ask()).toMatchObject(refused('ERR_UID_NOT_FOUND'));
  });

  it('can neither act nor be written to, and its messages stay', () => {
    deactivate('bob');
    expect(call(sandbox, 'GET /v3/messages', { onBehalfOf: 'bob' })).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    const body = { receiver: 'bob', receiverType: 'user', data: { text: 'x' } };
    expect(call(sandbox, 'POST /v3/messages', { body, onBehalfOf: 'ann' })).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(importOne(sandbox, direct('m3')).error.code).toBe('ERR_UID_NOT_FOUND');
    expect(list(sandbox, 'conversationId=ann_user_bob').json.data[0].data.entities.receiver.entity.name).toBe('Bob');
  });

  it('works as before once it is active again', () => {
    deactivate('ann', 'bob');
    activate('ann', 'bob');
    expect(importOne(sandbox, direct('m3'))).toMatchObject({ success: true });
    expect(muidsOf(list(sandbox, '', { onBehalfOf: 'bob' }))).toEqual(['m1', 'm3']);
  });

  it('is still deactivated when the file is opened again', () => {
    deactivate('bob');
    const store = openSandboxStore(':memory:');
    const first = sandboxOf({ store });
    importAll(first, direct('m1'));
    call(first, 'DELETE /v3/users', { body: { uidsToDeactivate: ['bob'] } });
    expect(call(sandboxOf({ store }), 'GET /v3/users/bob/messages')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
  });

  it.each([
    [{ uidsToDeactivate: [] }, 'uidsToDeactivate'],
    [{ uidsToDeactivate: 'bob' }, 'uidsToDeactivate'],
    [{ uidsToDeactivate: [5] }, 'uidsToDeactivate.0'],
    [{}, 'uidsToDeactivate'],
  ])('is none after %j', (body, field) => {
    const answer = call(sandbox, 'DELETE /v3/users', { body });
    expect(answer).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(Object.keys(answer.json.error.details)).toEqual([field]);
    expect(call(sandbox, 'PUT /v3/users', { body: { uidsToActivate: [] } })).toMatchObject(refused('ERR_BAD_REQUEST'));
  });
});

describe('an auth token', () => {
  const body = { platform: 'ios', userAgent: 'Example/1.0', appInfo: { version: '1.0' } };
  const update = (uid: string, token: string) =>
    call(sandboxOf({ seed: 'demo' }), `PUT /v3/users/${uid}/auth_tokens/${token}`, { body });

  it('is updated, and its details are not repeated', () => {
    const { status, json } = update('ANN', demo.authToken);
    expect(status).toBe(200);
    expect(json).toEqual({
      data: { uid: 'ann', authToken: demo.authToken, createdAt: nowSeconds - 60 * 86_400 },
    });
  });

  it('keeps the details that a later update leaves out', () => {
    const store = openSandboxStore(':memory:');
    const sandbox = sandboxOf({ store, seed: 'demo' });
    const path = `PUT /v3/users/ann/auth_tokens/${demo.authToken}`;
    call(sandbox, path, { body });
    call(sandbox, path, { body: { platform: 'android' } });
    const row = store.db.prepare(`SELECT platform, user_agent, app_info FROM auth_token WHERE uid = 'ann'`).get();
    expect(row).toEqual({ platform: 'android', user_agent: 'Example/1.0', app_info: '{"version":"1.0"}' });
  });

  it('is not found if it does not exist, and not accessible to another user', () => {
    expect(update('nobody', demo.authToken)).toMatchObject(refused('ERR_UID_NOT_FOUND'));
    expect(update('ann', 'ann_unknown')).toMatchObject(refused('ERR_AUTH_TOKEN_NOT_FOUND'));
    expect(update('bob', demo.authToken)).toMatchObject(refused('ERR_AUTHTOKEN_NOT_ACCESSIBLE'));
  });
});
