import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { apiKey, ask, importAll, nowSeconds, sandboxOf, toGroup } from './fixture.ts';

const getGroup = (sandbox: Sandbox, guid: string, headers: Record<string, string> = {}) =>
  ask(sandbox, { path: `/v3/groups/${guid}`, headers: { apikey: apiKey, ...headers } });

const bob = { sender: 'bob', senderUserDetails: { uid: 'bob', name: 'Bob' } };

describe('a group', () => {
  it('has the details of its first message, and its authors as members', () => {
    const sandbox = sandboxOf();
    const details = {
      guid: 'g',
      name: 'The group',
      type: 'private',
      description: 'About',
      icon: 'https://example.com/g.png',
      owner: 'ann',
      createdAt: '1600000000',
      metadata: { a: 1 },
    };
    importAll(sandbox, toGroup('m1', { receiverUserDetails: details }), toGroup('m2', bob), toGroup('m3', bob));
    const { status, json } = getGroup(sandbox, 'g');
    expect(status).toBe(200);
    expect(json).toEqual({
      data: {
        ...details,
        createdAt: 1_600_000_000,
        conversationId: 'group_g',
        updatedAt: nowSeconds,
        membersCount: 2,
      },
    });
  });

  it('is found by its id in any case', () => {
    const sandbox = sandboxOf();
    importAll(sandbox, toGroup('m1'));
    expect(getGroup(sandbox, 'G').json.data.guid).toBe('g');
  });

  it('shows on behalf of a user what that user is in it', () => {
    const sandbox = sandboxOf();
    const owned = { receiverUserDetails: { guid: 'g', name: 'The group', owner: 'ann' } };
    const elsewhere = { receiver: 'h', receiverUserDetails: { guid: 'h', name: 'Other' } };
    importAll(sandbox, toGroup('m1', { ...owned, sentAt: 1_650_000_000 }), toGroup('m2', { ...bob, ...elsewhere }));
    expect(getGroup(sandbox, 'g', { onBehalfOf: 'ann' }).json.data).toMatchObject({
      hasJoined: true,
      scope: 'admin',
      joinedAt: 1_650_000_000,
    });
    expect(getGroup(sandbox, 'h', { onBehalfOf: 'bob' }).json.data).toMatchObject({ scope: 'participant' });
    const outside = getGroup(sandbox, 'g', { onBehalfOf: 'bob' }).json.data;
    expect(outside).toMatchObject({ hasJoined: false });
    expect(outside).not.toHaveProperty('scope');
  });

  it.each(['nowhere', 'a%2F..%2Fb', '%F0%9F%98%80'])('is not found as %s', (guid) => {
    expect(getGroup(sandboxOf(), guid)).toMatchObject({ status: 404, json: { error: { code: 'ERR_GUID_NOT_FOUND' } } });
  });
});
