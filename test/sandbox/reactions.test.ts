import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { call, direct, importAll, importOne, list, refused, sandboxOf, toGroup } from './fixture.ts';

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = sandboxOf();
  importAll(sandbox, direct('m1'), toGroup('m2'));
});

const react = (id: string, reaction: string, onBehalfOf: string) =>
  call(sandbox, `POST /v3/messages/${id}/reactions/${encodeURIComponent(reaction)}`, { onBehalfOf });

describe('a reaction', () => {
  it('is counted, and once for each user', () => {
    expect(react('1', '👍', 'bob').json.data.data.reactions).toEqual([{ reaction: '👍', count: 1, reactedByMe: true }]);
    react('1', '👍', 'ann');
    react('1', '👍', 'BOB');
    const { json } = react('1', '🎉', 'ann');
    expect(json.data).toMatchObject({ id: '1', muid: 'm1' });
    expect(json.data.data.reactions).toEqual([
      { reaction: '👍', count: 2, reactedByMe: true },
      { reaction: '🎉', count: 1, reactedByMe: true },
    ]);
  });

  it('is listed with the message, and marked as own only on behalf of a user', () => {
    react('1', '👍', 'bob');
    const shown = (headers = {}) => list(sandbox, 'limit=1', headers).json.data[0].data.reactions;
    expect(shown()).toEqual([{ reaction: '👍', count: 1 }]);
    expect(shown({ onBehalfOf: 'bob' })).toEqual([{ reaction: '👍', count: 1, reactedByMe: true }]);
    expect(shown({ onBehalfOf: 'ann' })).toEqual([{ reaction: '👍', count: 1, reactedByMe: false }]);
  });

  it('replaces what the message had under that name', () => {
    importOne(sandbox, direct('m3', { data: { text: 'x', reactions: 'mine' } }));
    react('3', '👍', 'bob');
    const { body } = sandbox.handle({ method: 'GET', path: '/v3/messages?id=2', headers: { apikey: 'sandbox-key' } });
    expect(body.match(/"reactions"/g)).toHaveLength(1);
    expect(JSON.parse(body).data[0].data.reactions).toEqual([{ reaction: '👍', count: 1 }]);
  });

  it.each(['a/b', '%', '"\\', '\u0000', 'two words', '__proto__'])('may be %j', (reaction) => {
    expect(react('1', reaction, 'bob').json.data.data.reactions).toMatchObject([{ reaction, count: 1 }]);
  });

  it.each(['999', '0', 'abc', '-1', '1e3', '99999999999999999999'])('finds no message %s', (id) => {
    expect(react(id, '👍', 'bob')).toMatchObject(refused('ERR_MESSAGE_ID_NOT_FOUND'));
  });

  it('is refused to users outside of the conversation', () => {
    expect(react('2', '👍', 'bob')).toMatchObject(refused('ERR_MESSAGE_NO_ACCESS'));
    expect(react('2', '👍', 'ann').status).toBe(200);
  });

  it('is always somebody’s', () => {
    expect(call(sandbox, 'POST /v3/messages/1/reactions/x')).toMatchObject({
      ...refused('ERR_BAD_REQUEST'),
      json: { error: { details: { onBehalfOf: [expect.any(String)] } } },
    });
    expect(react('1', '👍', 'nobody')).toMatchObject(refused('ERR_UID_NOT_FOUND'));
  });
});
