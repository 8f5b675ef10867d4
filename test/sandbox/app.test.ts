import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/lib/errors.ts';
import { bodyBytesMax } from '../../src/sandbox/app.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import type { TransportRequest } from '../../src/service/transport.ts';
import { apiKey, ask, direct, importAll, list, sandboxOf, toGroup } from './fixture.ts';

describe('a request to the sandbox', () => {
  it.each([
    ['without a key', {}, 'AUTH_ERR_EMPTY_APIKEY'],
    ['with an empty key', { apikey: '' }, 'AUTH_ERR_EMPTY_APIKEY'],
    ['with another key', { apikey: 'other' }, 'AUTH_ERR_APIKEY_NOT_FOUND'],
    ['with the beginning of the key', { apikey: apiKey.slice(0, -1) }, 'AUTH_ERR_APIKEY_NOT_FOUND'],
  ])('%s is refused with 401, and the key is not repeated', (_, headers, code) => {
    const answer = ask(sandboxOf(), { path: '/v3/messages', headers });
    expect(answer).toMatchObject({ status: 401, json: { error: { code, source: 'chat-api' } } });
    expect(JSON.stringify(answer)).not.toContain('other');
  });

  it('may spell the header as it likes', () => {
    expect(ask(sandboxOf(), { path: '/v3/messages', headers: { ApiKey: apiKey } }).status).toBe(200);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/v3'],
    ['GET', '/v2/messages'],
    ['GET', '/v3/messages/'],
    ['GET', '/v3/groups'],
    ['GET', '/v3/groups/a/b'],
    ['GET', '/v3/groups/%E0%A4%A'],
    ['GET', '//v3/messages'],
    ['GET', '/v3/data_import/messages'],
    ['DELETE', '/v3/messages'],
    ['PATCH', '/v3/messages'],
  ])('%s %s finds no operation', (method, path) => {
    const request = { method, path } as TransportRequest;
    expect(ask(sandboxOf(), request)).toMatchObject({ status: 404, json: { error: { code: 'ERR_API_NOT_FOUND' } } });
  });

  it('may bring its body as bytes', () => {
    const sandbox = sandboxOf();
    const bytes = new TextEncoder().encode(
      JSON.stringify({ messages: { m1: direct('m1', { data: { text: 'ä😀' } }) } }),
    );
    // A view into the middle of something larger.
    const padded = new Uint8Array([0, 0, ...bytes, 0]).subarray(2, -1);
    const answer = ask(sandbox, { method: 'POST', path: '/v3/data_import/messages', body: padded });
    expect(answer.json.data.m1.data.data.text).toBe('ä😀');
  });

  it('is refused with 413 beyond 16 MiB', () => {
    const body = ' '.repeat(bodyBytesMax + 1);
    const answer = ask(sandboxOf(), { method: 'POST', path: '/v3/data_import/messages', body });
    expect(answer).toMatchObject({ status: 413, json: { error: { code: 'ERR_BAD_REQUEST' } } });
  });
});

describe('a request that cannot be stored', () => {
  it('stores nothing, throws the cause, and leaves no trace in the memory of the sandbox', () => {
    const store = openSandboxStore(':memory:');
    const sandbox = sandboxOf({ store });
    // The third message fails as it would on a full disk.
    store.db.function('fail', () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    });
    store.db.exec(`CREATE TRIGGER full BEFORE INSERT ON message WHEN new.muid = 'm3' BEGIN SELECT fail(); END`);
    expect(() => importAll(sandbox, direct('m1'), toGroup('m2'), direct('m3'))).toThrow(StoreError);
    expect(list(sandbox, '').json.data).toEqual([]);

    store.db.exec('DROP TRIGGER full');
    const bare = { senderUserDetails: undefined, receiverUserDetails: undefined };
    const { json } = importAll(sandbox, direct('m1', bare), toGroup('m2', bare), direct('m3'));
    expect(json.data).toMatchObject({
      m1: { error: { code: 'ERR_UID_NOT_FOUND' } },
      m2: { error: { code: 'ERR_UID_NOT_FOUND' } },
      m3: { success: true, data: { id: '1' } },
    });
  });
});
