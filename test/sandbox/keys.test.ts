import { describe, expect, it } from 'vitest';
import { demo } from '../../src/sandbox/seed-plan.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { apiKey, ask, call, nowSeconds, refused, sandboxOf } from './fixture.ts';

const update = (key: string) => `PUT /v3/apikeys/${key}`;
const listWith = (key: string) => ({ path: '/v3/messages', headers: { apikey: key } });

describe('an API key', () => {
  it('is renamed, and keeps its scope', () => {
    const { status, json } = call(sandboxOf({ seed: 'demo' }), update(demo.authOnlyKey), { body: { name: 'Phones' } });
    expect(status).toBe(200);
    expect(json.data).toEqual({
      apiKey: demo.authOnlyKey,
      name: 'Phones',
      scope: 'authOnly',
      createdAt: nowSeconds - 60 * 86_400,
    });
  });

  it.each([
    ['userauth', 'authOnly'],
    ['admin', 'fullAccess'],
    ['fullAccess', 'fullAccess'],
  ])('is given the scope %s, which answers call %s', (scope, shown) => {
    const { json } = call(sandboxOf({ seed: 'demo' }), update(demo.authOnlyKey), { body: { scope } });
    expect(json.data).toMatchObject({ name: 'Mobile apps', scope: shown });
  });

  it('opens the service while it has full access', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    expect(ask(sandbox, listWith(demo.authOnlyKey))).toMatchObject(refused('AUTH_ERR_NO_ACCESS'));
    expect(ask(sandbox, listWith(demo.secondFullAccessKey)).status).toBe(200);
    call(sandbox, update(demo.authOnlyKey), { body: { scope: 'admin' } });
    call(sandbox, update(demo.secondFullAccessKey), { body: { scope: 'userauth' } });
    expect(ask(sandbox, listWith(demo.authOnlyKey)).status).toBe(200);
    expect(ask(sandbox, listWith(demo.secondFullAccessKey))).toMatchObject(refused('AUTH_ERR_NO_ACCESS'));
  });

  it('that the sandbox was started with cannot be updated, by itself or by another', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const body = JSON.stringify({ scope: 'userauth' });
    expect(call(sandbox, update(apiKey), { body: { scope: 'userauth' } })).toMatchObject(
      refused('ERR_APIKEY_NO_SELF_ACTION'),
    );
    const headers = { apikey: demo.secondFullAccessKey };
    ask(sandbox, { method: 'PUT', path: `/v3/apikeys/${apiKey}`, headers, body });
    expect(ask(sandbox, listWith(apiKey)).status).toBe(200);
  });

  it('cannot update itself', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const request = { method: 'PUT', path: `/v3/apikeys/${demo.secondFullAccessKey}`, body: '{"name":"x"}' } as const;
    const answer = ask(sandbox, { ...request, headers: { apikey: demo.secondFullAccessKey } });
    expect(answer).toMatchObject(refused('ERR_APIKEY_NO_SELF_ACTION'));
  });

  it('is not found if it does not exist', () => {
    const answer = call(sandboxOf(), update('unknown'), { body: { name: 'x' } });
    expect(answer).toMatchObject(refused('ERR_APIKEY_NOT_FOUND'));
  });

  it.each([
    [{ scope: 'root' }, 'scope'],
    [{ name: 5 }, 'name'],
    [{ name: '' }, 'name'],
    [{}, 'body'],
    [{ name: 'x', colour: 'red' }, 'colour'],
    [[], 'body'],
  ])('is not updated by %j', (body, field) => {
    const answer = call(sandboxOf({ seed: 'demo' }), update(demo.authOnlyKey), { body });
    expect(answer).toMatchObject(refused('ERR_BAD_REQUEST'));
    expect(Object.keys(answer.json.error.details)).toEqual([field]);
  });

  it('has a name of 100 characters at most under the profile hosted', () => {
    const body = { name: 'x'.repeat(101) };
    const tooLong = call(sandboxOf({ seed: 'demo', profile: 'hosted' }), update(demo.authOnlyKey), { body });
    expect(tooLong).toMatchObject({ status: 400, json: { error: { details: { name: [expect.any(String)] } } } });
    expect(call(sandboxOf({ seed: 'demo' }), update(demo.authOnlyKey), { body }).status).toBe(200);
  });

  it('is not in the data file, nor are auth tokens', () => {
    const store = openSandboxStore(':memory:');
    sandboxOf({ store, seed: 'demo' });
    const bytes = store.db.serialize();
    for (const secret of [apiKey, demo.authOnlyKey, demo.secondFullAccessKey, demo.authToken]) {
      expect(bytes.includes(secret)).toBe(false);
    }
  });
});
