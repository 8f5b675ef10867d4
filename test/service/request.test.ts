import { describe, expect, it } from 'vitest';
import { getGroup } from '../../src/service/contract/conversations.ts';
import { operationNamed } from '../../src/service/operations.ts';
import { buildPath } from '../../src/service/call-operation.ts';

describe('buildPath()', () => {
  it.each([
    ['plain', '/v3/groups/plain'],
    ['a/../b', '/v3/groups/a%2F..%2Fb'],
    ['x\r\nX: y', '/v3/groups/x%0D%0AX%3A%20y'],
    ['ö?&#', '/v3/groups/%C3%B6%3F%26%23'],
    ['half \ud83d', '/v3/groups/half%20%EF%BF%BD'],
  ])('encodes the parameter %j', (guid, path) => {
    expect(buildPath(getGroup, { guid })).toBe(path);
  });

  it.each(['', '.', '..'])('refuses the parameter %j, which would name another path', (guid) => {
    expect(() => buildPath(getGroup, { guid })).toThrow('is no guid');
  });

  it('writes the query, repeats the parameter of a list, and omits undefined values', () => {
    const query = { conversationId: 'a_user_b', limit: 1000, hasAttachments: true, tags: ['x y', 'z'], id: undefined };
    expect(buildPath(operationNamed('listMessages'), {}, query)).toBe(
      '/v3/messages?conversationId=a_user_b&limit=1000&hasAttachments=true&tags=x+y&tags=z',
    );
  });

  it('ends without a question mark if there is no query', () => {
    expect(buildPath(operationNamed('listMessages'), {}, {})).toBe('/v3/messages');
  });
});
