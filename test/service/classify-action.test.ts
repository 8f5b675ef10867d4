import { describe, expect, it } from 'vitest';
import { addFriends, blockUsers } from '../../src/service/contract/relations.ts';
import { operationNamed } from '../../src/service/operations.ts';
import { deactivateUsers } from '../../src/service/contract/users.ts';
import { classifyAction } from '../../src/service/classify.ts';
import { readBlock, readDeactivation, readFriend, readReaction } from '../../src/service/answers/item-answer.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

const classify = (status: number, body: unknown, read: Parameters<typeof classifyAction>[1]) =>
  classifyAction({ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }, read, now);

const serviceError = (code: string) => ({ error: { message: 'Something is wrong', source: 'chat-api', code } });

describe('classifyAction()', () => {
  it('classifies the answers of the contract', () => {
    expect(classify(200, addFriends.example.answer, readFriend('eve'))).toEqual({ kind: 'applied' });
    expect(classify(200, addFriends.example.answer, readFriend('nobody'))).toMatchObject({ kind: 'failed' });
    expect(classify(200, blockUsers.example.answer, readBlock('bob'))).toEqual({ kind: 'applied' });
    expect(classify(200, operationNamed('addReaction').example.answer, readReaction)).toEqual({ kind: 'applied' });
    expect(classify(200, deactivateUsers.example.answer, readDeactivation('bob'))).toEqual({ kind: 'applied' });
    expect(classify(200, deactivateUsers.example.answer, readDeactivation('cleo'))).toMatchObject({
      kind: 'failed',
      code: 'ERR_UID_NOT_FOUND',
    });
  });

  it.each([
    [{ success: false, code: 'ERR_ALREADY_FRIEND', message: 'no' }, 'existing'],
    [{ success: false, message: 'The users "a1" and "b2" are friends already' }, 'existing'],
    [{ success: false, message: 'a1 and b2 are already friends' }, 'existing'],
    [{ success: false, message: 'The user "a1" has 1000 friends already' }, 'failed'],
    [{ success: false, code: 'ERR_UID_NOT_FOUND', message: 'already friends' }, 'failed'],
    [{ success: false }, 'failed'],
  ])('distinguishes an existing state from a refusal: %j', (item, kind) => {
    expect(classify(200, { data: { accepted: { BOB: item } } }, readFriend('bob'))).toMatchObject({ kind });
  });

  it('takes an answer that does not name the person for none', () => {
    expect(classify(200, { data: { accepted: {} } }, readFriend('bob'))).toMatchObject({ kind: 'unknown' });
    expect(classify(200, '<html>', readReaction)).toMatchObject({ kind: 'unknown', byService: false });
  });

  it.each([
    [404, 'ERR_UID_NOT_FOUND', 'failed'],
    [404, 'ERR_MESSAGE_ID_NOT_FOUND', 'failed'],
    [400, 'ERR_BAD_REQUEST', 'failed'],
    [403, 'ERR_MESSAGE_NO_ACCESS', 'failed'],
    [409, 'ERR_ALREADY_FRIEND', 'existing'],
    [500, 'ERR_EXCEPTION', 'unknown'],
  ])('takes %i %s as %s', (status, code, kind) => {
    expect(classify(status, serviceError(code), readReaction)).toMatchObject({ kind, code });
  });

  it.each([
    [401, 'AUTH_ERR_APIKEY_NOT_FOUND', 'stop'],
    [403, 'AUTH_ERR_NO_ACCESS', 'stop'],
    [403, 'ERR_PLAN_RESTRICTION', 'stop'],
    [404, 'ERR_API_NOT_FOUND', 'stop'],
    [429, 'ERR_TOO_MANY_REQUESTS', 'rate-limited'],
  ])('takes %i %s as not applied: %s', (status, code, why) => {
    expect(classify(status, serviceError(code), readReaction)).toMatchObject({ kind: 'not-applied', why });
  });

  it('does not take a page of a gateway for a refusal of the person', () => {
    expect(classify(403, '<html>ERR_MESSAGE_NO_ACCESS</html>', readReaction)).toMatchObject({ kind: 'not-applied' });
  });
});
