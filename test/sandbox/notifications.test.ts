import { describe, expect, it } from 'vitest';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { call, refused, sandboxOf } from './fixture.ts';

const details = '/v3/notifications/v1/contact-details';

describe('contact details', () => {
  it('are those of the acting user; unknown ones are absent', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    const of = (onBehalfOf: string) => call(sandbox, `GET ${details}`, { onBehalfOf }).json.data;
    expect(of('ann')).toEqual({ email: 'ann@example.com', phno: '+15550100' });
    expect(of('bob')).toEqual({ email: 'bob@example.com' });
    expect(of('cleo')).toEqual({});
  });

  it('are deleted, and again', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    for (let times = 0; times < 2; times++) {
      expect(call(sandbox, `DELETE ${details}`, { onBehalfOf: 'ann' }).json).toEqual({ data: { success: true } });
      expect(call(sandbox, `GET ${details}`, { onBehalfOf: 'ann' }).json.data).toEqual({});
    }
    expect(call(sandbox, `GET ${details}`, { onBehalfOf: 'bob' }).json.data).not.toEqual({});
  });

  it.each(['GET', 'DELETE'])('are somebody’s: %s', (method) => {
    const sandbox = sandboxOf({ seed: 'demo' });
    expect(call(sandbox, `${method} ${details}`)).toMatchObject({
      ...refused('ERR_BAD_REQUEST'),
      json: { error: { details: { onBehalfOf: [expect.any(String)] } } },
    });
    expect(call(sandbox, `${method} ${details}`, { onBehalfOf: 'dan' })).toMatchObject(refused('ERR_UID_NOT_FOUND'));
  });
});

describe('the SMS provider', () => {
  it('is deleted, and again', () => {
    const store = openSandboxStore(':memory:');
    const sandbox = sandboxOf({ store, seed: 'demo' });
    const provider = () => store.db.prepare(`SELECT value FROM meta WHERE key = 'sms_provider'`).pluck().get();
    expect(provider()).toBeDefined();
    for (let times = 0; times < 2; times++) {
      const answer = call(sandbox, 'DELETE /v3/notifications/sms/v1/providers/custom');
      expect(answer).toMatchObject({ status: 200, json: { data: { success: true } } });
      expect(provider()).toBeUndefined();
    }
  });
});
