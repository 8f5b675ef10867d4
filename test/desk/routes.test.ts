import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Download } from '../../src/desk/answers/download.ts';
import { checkedBody } from '../../src/desk/answers/faults.ts';
import { answerRequest } from '../../src/desk/answers/routes.ts';
import { Busy } from '../../src/desk/runs/runner.ts';
import { DestinationError, SourceError, StoreError, UsageError } from '../../src/lib/errors.ts';

const own = {
  ...{ host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4000' },
  ...{ 'sec-fetch-site': 'same-origin', 'x-chatferry': 'desk' },
};

/** The answer to a request of the page. */
async function asked(
  answer: (search: URLSearchParams, body: unknown) => unknown,
  { type = 'application/json', body = '{}' }: { readonly type?: string; readonly body?: string } = {},
) {
  const found = await answerRequest(
    { 'PUT thing': answer },
    {
      ...{ method: 'PUT', path: '/data/thing', search: new URLSearchParams('of=all') },
      headers: { ...own, 'content-type': type },
      body: Buffer.from(body),
    },
  );
  const { status, headers, body: text } = found!;
  return { status, headers, text, error: status === 200 ? undefined : JSON.parse(text).error };
}

const throwing = (error: Error) => () => Promise.reject(error);

describe('answerRequest()', () => {
  it('waits for an answer, and sends it as JSON', async () => {
    const { status, text } = await asked(async (search, body) => [search.get('of'), body], { body: '{"a":1}' });
    expect([status, JSON.parse(text)]).toEqual([200, ['all', { a: 1 }]]);
  });

  it('passes bytes and CSV on as they are', async () => {
    for (const type of ['application/octet-stream', 'text/csv']) {
      const { text } = await asked((_, body) => Buffer.from(body as Uint8Array).toString(), { type, body: '{' });
      expect(JSON.parse(text)).toBe('{');
    }
  });

  it('sends a file as something to save, never as a page', async () => {
    const html = new Download({ fileName: 'report.html', type: 'text/html', text: '<script>' });
    const { headers, text } = await asked(() => html);
    expect(text).toBe('<script>');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename="report.html"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it.each([
    ['a wrong setting', new UsageError('Cannot use it', { hint: 'Try this' })],
    ['an export', new SourceError('Cannot use it', { hint: 'Try this' })],
    ['a store', new StoreError('Cannot use it', { hint: 'Try this', path: 'x.db' })],
    ['a destination', new DestinationError('Cannot use it', { hint: 'Try this', code: 'X' })],
  ])('passes on what the program says of %s', async (_, fault) => {
    const { status, error } = await asked(throwing(fault));
    expect([status, error]).toEqual([422, { code: 'DESK_REFUSED', message: 'Cannot use it', hint: 'Try this' }]);
  });

  it('says that another run goes on', async () => {
    expect(await asked(throwing(new Busy()))).toMatchObject({ status: 409, error: { code: 'DESK_BUSY', hint: null } });
  });

  it('says which part of a body is wrong, and that it is no JSON', async () => {
    const checked = (_: unknown, body: unknown) => checkedBody(z.strictObject({ id: z.string() }), body);
    expect(await asked(checked, { body: '{"id":1}' })).toMatchObject({
      status: 400,
      error: { code: 'DESK_BAD_REQUEST', message: expect.stringContaining('id: ') },
    });
    expect((await asked(checked, { body: '{' })).status).toBe(400);
    expect((await asked(checked, { body: '"x"', type: 'text/csv' })).status).toBe(400);
  });

  it('hides no mistake of the program', async () => {
    await expect(asked(throwing(new TypeError('x is not a function')))).rejects.toThrow('not a function');
  });

  it('finds nothing under another method, another name and the names of every object', async () => {
    for (const [method, path] of [
      ['GET', '/data/thing'],
      ['PUT', '/data/other'],
      ['PUT', '/thing'],
      ['', '/data/toString'],
    ] as const) {
      const request = { method, path, search: new URLSearchParams(), headers: own, body: Buffer.from('') };
      expect(await answerRequest({ 'PUT thing': () => 1 }, request)).toBeUndefined();
    }
  });
});
