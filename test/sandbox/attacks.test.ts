import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/app.ts';
import { valuesMax } from '../../src/sandbox/rules/item-shape.ts';
import { idsPerRequestMax } from '../../src/service/profiles.ts';
import { call, direct, importAll, importOne, list, refused, sandboxOf } from './fixture.ts';

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = sandboxOf();
  importAll(sandbox, direct('m1'));
});

const uids = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);

describe('a request that would block all others is refused at once', () => {
  it.each([
    ['POST /v3/users/ann/blockedusers', 'blockedUids'],
    ['DELETE /v3/users/ann/blockedusers', 'blockedUids'],
    ['POST /v3/users/ann/friends', 'accepted'],
    ['DELETE /v3/users/ann/friends', 'friends'],
    ['DELETE /v3/users', 'uidsToDeactivate'],
    ['PUT /v3/users', 'uidsToActivate'],
    ['DELETE /v3/roles/default/restrictedfeatures', 'featuresToAllow'],
  ])('%s with more than 10,000 ids', (request, field) => {
    const answer = call(sandbox, request, { body: { [field]: uids(idsPerRequestMax + 1) } });
    expect(answer).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(Object.keys(answer.json.error.details)).toEqual([field]);
  });

  it('a block of 800,000 users', () => {
    const answer = call(sandbox, 'POST /v3/users/ann/blockedusers', { body: { blockedUids: uids(800_000) } });
    expect(answer).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(answer.json.error.details).toEqual({ body: [`expected ${valuesMax} values at most`] });
  });

  it.each([
    ['millions of fields', `{${Array.from({ length: valuesMax + 2 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['lists that are never closed', '['.repeat(8_000_000)],
  ])('a body of %s, before it is read', (_, body) => {
    const { status, body: answer } = sandbox.handle({
      method: 'PUT',
      path: '/v3/users',
      headers: { apikey: 'sandbox-key' },
      body,
    });
    expect([status, answer]).toEqual([400, expect.stringContaining(`expected ${valuesMax} values at most`)]);
  });

  it('but not a request with commas and brackets inside a text', () => {
    const text = `${',[{"\\'.repeat(valuesMax)}`;
    expect(importOne(sandbox, direct('m2', { data: { text } })).data.data.text).toBe(text);
  });

  it('a message to more than 1,000 users', () => {
    const body = { multipleReceivers: { uids: uids(1_001) }, data: { text: 'x' } };
    expect(call(sandbox, 'POST /v3/messages', { body })).toMatchObject(refused('ERR_BAD_REQUEST'));
  });

  it('an import with millions of values', () => {
    const answer = importAll(sandbox, direct('m2', { tags: Array.from({ length: valuesMax }, () => 1) }));
    expect(answer).toMatchObject(refused('ERR_BAD_REQUEST'));
  });
});

it('a refusal names 100 places at most', () => {
  const { error } = importOne(sandbox, direct('m2', { tags: Array.from({ length: 5_000 }, () => 1) }));
  expect(Object.keys(error.details)).toHaveLength(100);
  const unknown = Object.fromEntries(uids(5_000).map((name) => [name, 1]));
  const body = { uidsToDeactivate: ['bob'], ...unknown };
  expect(Object.keys(call(sandbox, 'DELETE /v3/users', { body }).json.error.details)).toHaveLength(100);
});

it('only the first 1,000 users mentioned in a text are looked up', () => {
  const text = uids(3_000)
    .map((uid) => `<@uid:${uid}>`)
    .join(' ');
  const mentionedUserDetails = Object.fromEntries(uids(3_000).map((uid) => [uid, { uid, name: uid }]));
  expect(importOne(sandbox, direct('m2', { data: { text }, mentionedUserDetails })).success).toBe(true);
  const [shown] = list(sandbox, 'id=1&mentionsWithTagInfo=true').json.data;
  expect(Object.keys(shown.data.mentions)).toEqual(uids(1_000));
});
