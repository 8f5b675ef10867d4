import { describe, expect, it } from 'vitest';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { operationNamed } from '../../src/service/operations.ts';
import { call, clockAt, list, now, refused, sandboxOf } from './fixture.ts';

describe('the demo', () => {
  it('has messages of every kind, and all of them fit the contract', () => {
    const { json } = list(sandboxOf({ seed: 'demo' }), 'limit=1000');
    expect(operationNamed('listMessages').answer.safeParse(json).error).toBeUndefined();
    const kinds = json.data.map((message: { category: string; type: string }) => `${message.category} ${message.type}`);
    expect(new Set(kinds)).toEqual(
      new Set([
        ...['text', 'image', 'file', 'audio', 'video'].map((type) => `message ${type}`),
        ...['custom location', 'interactive form', 'action groupMember', 'call audio'],
      ]),
    );
  });

  it.each([
    'hasReactions=true',
    'hasMentions=true',
    'hasAttachments=true',
    'tags=chess',
    'onlyDeleted=true',
    'unread=true&count=true',
    'receiverType=group',
  ])('has something to see with %s, and something to leave out', (query) => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const all = list(sandbox, 'limit=1000').json.data.length;
    const found = list(sandbox, `limit=1000&${query}`).json.data.length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(all);
  });

  it('has a thread, a call and a group that a user joined', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const messages = list(sandbox, 'limit=1000').json.data;
    const reply = messages.find((message: { parentId?: string }) => message.parentId !== undefined);
    expect(messages.find(({ id }: { id: string }) => id === reply.parentId).data.text).toContain('Welcome');
    expect(list(sandbox, 'limit=1000&hideReplies=true').json.data).toHaveLength(messages.length - 1);
    const calls = list(sandbox, 'categories=call').json.data;
    expect(calls.map(({ data }: { data: { action: string } }) => data.action)).toEqual(['initiated', 'ongoing']);
    for (const { data } of calls) {
      expect(Object.keys(data.entities)).toEqual(['by', 'on', 'for']);
      const { entity, entityType } = data.entities.on;
      // As in the specification's list; an unanswered call has not started.
      const fields = ['type', 'sender', 'receiver', 'receiverType', 'status', 'sessionid', 'initiatedAt', 'joinedAt'];
      const started = data.action === 'ongoing' ? ['startedAt'] : [];
      const whole = [...fields, ...started, 'conversationId', 'wsChannel', 'data'];
      expect([entityType, Object.keys(entity).toSorted()]).toEqual(['call', whole.toSorted()]);
      expect(entity.wsChannel).toMatchObject({
        secret: expect.any(String),
        service: expect.any(String),
        identity: '[demo-call-1]bob',
      });
      expect(Object.keys(entity.data)).toEqual(['entities', 'metadata']);
      expect(entity.data.entities).toMatchObject({ sender: { entityType: 'user' }, receiver: { entityType: 'user' } });
    }
    const [deleted] = list(sandbox, 'onlyDeleted=true').json.data;
    expect(deleted).toMatchObject({ deletedAt: expect.any(Number), sender: 'dan' });
    expect(call(sandbox, `POST /v3/messages/${deleted.id}/reactions/x`, { onBehalfOf: 'ann' })).toMatchObject(
      refused('ERR_MESSAGE_ID_NOT_FOUND'),
    );
  });

  it('shows in the statistics', () => {
    const { dataPoints } = call(sandboxOf({ seed: 'demo' }), 'GET /v3/stats/messages').json.data;
    const sums = (field: string) =>
      dataPoints.reduce((sum: number, point: Record<string, number>) => sum + point[field]!, 0);
    expect(sums('messagesSent')).toBeGreaterThan(sums('readReceipts'));
    expect(sums('deliveryReceipts')).toBeGreaterThan(0);
  });

  it('is the same every time', () => {
    const answerOf = () => list(sandboxOf({ seed: 'demo' }), 'limit=1000').json;
    expect(answerOf()).toEqual(answerOf());
  });

  it('is added once to a data file, whatever became of it', () => {
    const store = openSandboxStore(':memory:');
    const first = sandboxOf({ store, seed: 'demo' });
    const before = list(first, 'limit=1000').json.data.length;
    call(first, 'DELETE /v3/groups/team');
    const left = list(first, 'limit=1000').json;
    expect(left.data.length).toBeLessThan(before);
    const second = sandboxOf({ store, seed: 'demo', clock: clockAt(now + 86_400_000) });
    expect(list(second, 'limit=1000').json).toEqual(left);
  });

  it("may be a plan of one's own, which is added once", () => {
    const store = openSandboxStore(':memory:');
    const seed = { bots: [{ uid: 'Helper', name: 'Helper' }], roles: [{ role: 'guest' }] };
    const sandbox = sandboxOf({ store, seed });
    const hello = { receiver: 'helper', receiverType: 'user', data: { text: 'Hi' } };
    expect(call(sandbox, 'POST /v3/bots/helper/messages', { body: hello }).status).toBe(200);
    expect(call(sandbox, 'DELETE /v3/roles/guest').status).toBe(200);
    expect(call(sandboxOf({ store, seed }), 'DELETE /v3/roles/guest')).toMatchObject(refused('ERR_ROLE_NOT_FOUND'));
    expect(() => sandboxOf({ seed: { contactDetails: [{ uid: 'eve' }] } })).toThrow('The user "eve" does not exist');
  });

  it('is absent unless requested', () => {
    expect(list(sandboxOf(), '').json.data).toEqual([]);
  });
});
