import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/lib/errors.ts';
import { classifyFault, classifyImport, classifyRead, classifyReadFault } from '../../src/service/classify.ts';
import type { TransportAnswer } from '../../src/service/transport.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const page = '<html><body>Bad gateway</body></html>';

function answer(status: number, body: unknown, headers: Record<string, string> = {}): TransportAnswer {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

const serviceError = (code: string, message = 'Something is wrong') => ({
  error: { message, source: 'chat-api', code },
});

const classify = (...parts: Parameters<typeof answer>) => classifyImport(['m1', 'm2'], answer(...parts), now);

const imported = (id: string) => ({ success: true, data: { id, conversationId: 'group_g' } });

describe('classifyImport() of a 200', () => {
  it('answers key by key', () => {
    const outcome = classify(200, { data: { m1: imported('1'), m2: imported('2') } });
    expect(outcome).toEqual({
      kind: 'answered',
      answers: new Map([
        ['m1', { result: 'imported', serverId: '1', conversationId: 'group_g' }],
        ['m2', { result: 'imported', serverId: '2', conversationId: 'group_g' }],
      ]),
      missing: [],
      unexpectedKeyCount: 0,
    });
  });

  it('names missing messages', () => {
    expect(classify(200, { data: { m2: imported('2') } })).toMatchObject({ kind: 'answered', missing: ['m1'] });
    expect(classify(200, { data: {} })).toMatchObject({ kind: 'answered', missing: ['m1', 'm2'] });
  });

  it('counts keys that were not sent', () => {
    const outcome = classify(200, { data: { m1: imported('1'), m2: imported('2'), m9: imported('9') } });
    expect(outcome).toMatchObject({ kind: 'answered', missing: [], unexpectedKeyCount: 1 });
  });

  it('matches a foreign key by data.muid and by data.data.muid', () => {
    const outcome = classify(200, {
      data: {
        201: { success: true, data: { id: 7, muid: 'm2' } },
        202: { success: true, data: { data: { id: '8', muid: 'm1', conversationId: 'c' } } },
      },
    });
    expect(outcome).toEqual({
      kind: 'answered',
      answers: new Map([
        ['m2', { result: 'imported', serverId: '7' }],
        ['m1', { result: 'imported', serverId: '8', conversationId: 'c' }],
      ]),
      missing: [],
      unexpectedKeyCount: 0,
    });
  });

  it('believes the key more than the content', () => {
    const outcome = classify(200, { data: { m1: { success: true, data: { id: '1', muid: 'm2' } } } });
    expect(outcome).toMatchObject({ kind: 'answered', missing: ['m2'] });
  });

  it('is not misled by muids that objects have by nature', () => {
    const outcome = classifyImport(['constructor', '__proto__'], answer(200, '{"data":{}}'), now);
    expect(outcome).toMatchObject({ kind: 'answered', missing: ['constructor', '__proto__'] });
    const both = '{"data":{"__proto__":{"success":true},"constructor":{"success":true}}}';
    expect(classifyImport(['constructor', '__proto__'], answer(200, both), now)).toMatchObject({ missing: [] });
  });

  it.each([
    [
      { success: false, error: { code: 'ERR_EMPTY_MESSAGE_TEXT', message: 'Blank' } },
      'ERR_EMPTY_MESSAGE_TEXT',
      'Blank',
    ],
    [{ success: false, error: { error: { code: 'ERR_X', message: 'Inner' } } }, 'ERR_X', 'Inner'],
    [{ success: false, error: 'ERR_Y: it failed' }, 'ERR_Y', 'ERR_Y: it failed'],
    [{ success: false, code: 'ERR_Z', message: 'Beside' }, 'ERR_Z', 'Beside'],
    [{ success: false, data: { error: { code: 'ERR_W', message: 'Deep' } } }, 'ERR_W', 'Deep'],
    [{ success: false, message: 'no code at all' }, 'unnamed_error', 'no code at all'],
    [{ success: false }, 'unnamed_error', 'The service refused it without saying why'],
    [
      { success: false, error: { code: 'ERR_BAD_REQUEST', message: 'Bad', details: { tags: ['too many'] } } },
      'ERR_BAD_REQUEST',
      'Bad; tags: too many',
    ],
  ])('reads the refusal %j', (item, code, detail) => {
    const outcome = classify(200, { data: { m1: item, m2: imported('2') } });
    expect(outcome.kind === 'answered' && outcome.answers.get('m1')).toEqual({ result: 'refused', code, detail });
  });

  it.each([
    ['ERR_IMPORT_MUID_ALREADY_EXISTS', 'already-exists'],
    ['ERR_MESSAGE_ALREADY_EXISTS', 'already-exists'],
    ['ERR_ALREADY_EXISTS', 'already-exists'],
    ['ERR_UID_ALREADY_EXISTS', 'refused'],
    ['ERR_GUID_ALREADY_EXISTS', 'refused'],
  ])('takes %s for %s', (code, result) => {
    const outcome = classify(200, { data: { m1: { success: false, error: { code, message: '' } } } });
    expect(outcome.kind === 'answered' && outcome.answers.get('m1')).toMatchObject({ result, code });
  });

  it('knows nothing of an item that says neither yes nor no', () => {
    const outcome = classify(200, { data: { m1: { data: { id: '1' } }, m2: null } });
    expect(outcome).toMatchObject({ kind: 'answered', missing: ['m1', 'm2'], unexpectedKeyCount: 0 });
  });

  it.each([
    ['no JSON', page],
    ['JSON cut short', '{"data":{"m1":{"success":true'],
    ['an array', []],
    ['no data', { result: {} }],
    ['a list as data', { data: [imported('1')] }],
    ['null', 'null'],
  ])('is unknown with %s', (_, body) => {
    expect(classify(200, body)).toMatchObject({ kind: 'unknown', byService: false, code: 'bad_answer', status: 200 });
  });

  it('is unknown, by the service, with its error body', () => {
    expect(classify(200, serviceError('ERR_EXCEPTION'))).toMatchObject({ kind: 'unknown', byService: true });
  });
});

describe('classifyImport() of anything else', () => {
  it.each([
    [400, serviceError('ERR_BAD_REQUEST'), 'rejected'],
    [404, serviceError('ERR_UID_NOT_FOUND'), 'rejected'],
    [422, serviceError('ERR_INVALID_METADATA'), 'rejected'],
    [401, serviceError('AUTH_ERR_APIKEY_NOT_FOUND'), 'stop'],
    [403, serviceError('AUTH_ERR_NO_ACCESS'), 'stop'],
    [401, page, 'stop'],
    [403, page, 'stop'],
    [400, serviceError('AUTH_ERR_EMPTY_APIKEY'), 'stop'],
    [400, serviceError('ERR_PLAN_QUOTA_RESTRICTION'), 'stop'],
    [402, serviceError('ERR_SUBSCRIPTION_EXPIRED'), 'stop'],
    [404, serviceError('ERR_API_NOT_FOUND'), 'stop'],
    [400, serviceError('ERR_INVALID_API_VERSION'), 'stop'],
    [301, '', 'stop'],
    [307, '', 'stop'],
    [308, '', 'stop'],
    [413, page, 'too-large'],
    [413, serviceError('ERR_BAD_REQUEST'), 'too-large'],
    [429, '', 'rate-limited'],
    [429, page, 'rate-limited'],
    [400, serviceError('ERR_TOO_MANY_REQUESTS'), 'rate-limited'],
  ])('takes %i %j for not applied: %s', (status, body, why) => {
    expect(classify(status, body)).toMatchObject({ kind: 'not-applied', why, status });
  });

  it.each([
    [400, page, false],
    [404, page, false],
    [422, { error: 'no object' }, false],
    [409, page, false],
    [409, serviceError('ERR_OPERATION_FAILED'), true],
    [408, '', false],
    [500, serviceError('ERR_EXCEPTION'), true],
    [500, serviceError('AUTH_ERR_NO_ACCESS'), true],
    [500, serviceError('ERR_PLAN_QUOTA_RESTRICTION'), true],
    [500, page, false],
    [502, page, false],
    [503, serviceError('ERR_MISSION_FAILED'), true],
    [504, '', false],
    [520, page, false],
    [599, '{}', false],
  ])('takes %i %j for unknown, by the service: %j', (status, body, byService) => {
    expect(classify(status, body)).toMatchObject({ kind: 'unknown', byService, status });
  });

  it('names the new address of a redirect, and nothing else of it', () => {
    const outcome = classify(307, '', { location: 'https://other.example.com/v3/data_import/messages?token=x' });
    expect(outcome).toMatchObject({ why: 'stop', hint: expect.stringContaining('--to https://other.example.com if') });
    expect(JSON.stringify(outcome)).not.toContain('token');
  });

  it.each([undefined, '/v3/elsewhere', 'javascript:alert(1)', 'https://'])('names no address in %j', (location) => {
    const outcome = classify(308, '', location === undefined ? {} : { location });
    expect(outcome).toMatchObject({ hint: 'The service is at another address' });
  });

  it.each<[number, unknown, string | undefined]>([
    [404, serviceError('ERR_API_NOT_FOUND'), 'Check --to: the address is the part before /v3'],
    [404, page, 'Check --to: the address is the part before /v3'],
    [404, serviceError('ERR_GUID_NOT_FOUND'), undefined],
    [402, serviceError('ERR_PLAN_RESTRICTION'), 'The plan of this app does not allow it; ask the service'],
    [500, page, undefined],
  ])('advises about %i %j: %j', (status, body, hint) => {
    const outcome = classify(status, body);
    expect('hint' in outcome ? outcome.hint : undefined).toBe(hint);
  });

  it('describes a failed authentication in our words, because the service quotes parts of the key', () => {
    const outcome = classify(401, serviceError('AUTH_ERR_APIKEY_NOT_FOUND', 'The key abcd****wxyz does not exist'));
    expect(outcome).toMatchObject({
      code: 'AUTH_ERR_APIKEY_NOT_FOUND',
      detail: 'The service does not know this API key',
    });
    expect(outcome).toMatchObject({ hint: expect.stringContaining('CHATFERRY_API_KEY') });
  });

  it.each([
    ['of a header', { 'retry-after': '7' }, '', 7_000],
    ['of a header before that in the text', { 'retry-after': '7' }, 'retry after 9 seconds', 7_000],
    ['of the text', {}, serviceError('ERR_TOO_MANY_REQUESTS', 'Please retry after 9 seconds'), 9_000],
    ['of the text where the header is garbage', { 'retry-after': '-1' }, 'retry after 9 seconds', 9_000],
    ['until the end of the window', { 'x-rate-limit-reset': `${now / 1000 + 5}` }, '', 5_000],
    ['of nothing', { 'retry-after': '0' }, '', 0],
    ['of a day at most', { 'retry-after': '1000000000' }, '', 86_400_000],
  ])('passes the wait %s on', (_, headers, body, retryAfterMs) => {
    expect(classify(429, body, headers)).toMatchObject({ why: 'rate-limited', retryAfterMs });
  });

  it('has no wait if a 429 names none', () => {
    expect(classify(429, page)).not.toHaveProperty('retryAfterMs');
  });

  it('passes the wait of a 503 on', () => {
    expect(classify(503, '', { 'retry-after': '30' })).toMatchObject({ kind: 'unknown', retryAfterMs: 30_000 });
  });

  it('keeps the request id', () => {
    expect(classify(500, '', { 'x-request-id': 'r-1' })).toMatchObject({ requestId: 'r-1' });
  });

  it('does not take a sentence for a code, and cuts long words', () => {
    expect(classify(400, { error: { code: 'it failed badly', message: 'x' } })).toMatchObject({ kind: 'unknown' });
    const outcome = classify(400, serviceError('ERR_BAD_REQUEST', 'x'.repeat(100_000)));
    expect('detail' in outcome && outcome.detail.length).toBe(500);
  });
});

const fault = (code: string, more: object = {}) => Object.assign(new Error(`it failed: ${code}`), { code, ...more });

describe('classifyFault()', () => {
  it.each([
    ['ENOTFOUND', {}],
    ['EAI_AGAIN', {}],
    ['ECONNREFUSED', {}],
    ['UND_ERR_CONNECT_TIMEOUT', {}],
    ['EHOSTUNREACH', { syscall: 'connect' }],
    ['ETIMEDOUT', { syscall: 'connect' }],
    ['ERR_SSL_WRONG_VERSION_NUMBER', {}],
  ])('takes %s for unreachable: no byte left', (code, more) => {
    expect(classifyFault(fault(code, more))).toMatchObject({ kind: 'not-applied', why: 'unreachable', code });
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('stops at %s', (code) => {
    expect(classifyFault(fault(code))).toMatchObject({ kind: 'not-applied', why: 'stop', code });
  });

  it.each([
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'UND_ERR_SOCKET',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'UND_ERR_RES_EXCEEDED_MAX_SIZE',
    'timeout',
  ])('knows nothing after %s', (code) => {
    expect(classifyFault(fault(code))).toMatchObject({ kind: 'unknown', byService: false, code });
  });

  it('names a fault without a code by its class', () => {
    class HTTPParserError extends Error {
      override name = 'HTTPParserError';
    }
    expect(classifyFault(new HTTPParserError('bad'))).toMatchObject({ kind: 'unknown', code: 'HTTPParserError' });
    expect(classifyFault(AbortSignal.abort().reason)).toMatchObject({ kind: 'unknown', code: 'aborted' });
    const tried = new AggregateError([fault('ECONNREFUSED'), fault('ECONNREFUSED')], '');
    expect(classifyFault(tried)).toMatchObject({ why: 'unreachable', code: 'ECONNREFUSED' });
  });

  it.each([
    new TypeError('a mistake of ours'),
    new RangeError('a mistake of ours'),
    new StoreError('The disk is full', { path: 'x' }),
    fault('UND_ERR_INVALID_ARG'),
    'no error at all',
  ])('throws %s: it is no fault of the network', (mistake) => {
    expect(() => classifyFault(mistake)).toThrow();
    expect(() => classifyReadFault(mistake)).toThrow();
  });
});

describe('classifyRead()', () => {
  const read = (...parts: Parameters<typeof answer>) =>
    classifyRead(answer(...parts), (json) => (json as { data?: string } | undefined)?.data, now);

  it('answers the value', () => {
    expect(read(200, { data: 'x' })).toEqual({ kind: 'answered', value: 'x' });
  });

  it.each([
    [200, page, 'retry'],
    [200, { other: 1 }, 'retry'],
    [500, serviceError('ERR_EXCEPTION'), 'retry'],
    [502, page, 'retry'],
    [408, '', 'retry'],
    [429, '', 'rate-limited'],
    [404, serviceError('ERR_GUID_NOT_FOUND'), 'not-found'],
    [400, serviceError('ERR_GUID_NOT_FOUND'), 'not-found'],
    [404, serviceError('ERR_API_NOT_FOUND'), 'stop'],
    [404, page, 'stop'],
    [400, serviceError('ERR_BAD_REQUEST'), 'stop'],
    [401, serviceError('AUTH_ERR_APIKEY_NOT_FOUND'), 'stop'],
    [302, '', 'stop'],
    [413, '', 'stop'],
  ])('takes %i %j for failed: %s', (status, body, why) => {
    expect(read(status, body)).toMatchObject({ kind: 'failed', why, status });
  });
});

describe('classifyReadFault()', () => {
  it.each([
    ['ECONNRESET', 'retry'],
    ['ECONNREFUSED', 'retry'],
    ['timeout', 'retry'],
    ['CERT_HAS_EXPIRED', 'stop'],
  ])('takes %s for failed: %s', (code, why) => {
    expect(classifyReadFault(fault(code))).toMatchObject({ kind: 'failed', why, code });
  });
});
