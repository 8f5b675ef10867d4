import { createHmac } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type NoticeReason, webhookSchema } from '../../src/sync/config/webhook.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { Secret } from '../../src/lib/secret.ts';
import { openWebhook, type WebhookDeps } from '../../src/sync/serve/webhook.ts';
import { manualClock } from '../delivery/manual-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { failedResult, jobResult, startMs } from './job-result.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const temporary = temporaryFolder();
const secret = 'a secret of the webhook';

function sceneFor(url: string | undefined) {
  const clock = manualClock(startMs);
  const logged: { message: string; fields: Readonly<Record<string, unknown>> }[] = [];
  const log = (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
    void logged.push({ message, fields });
  return {
    clock,
    logged,
    async open(given: object = {}, deps: Partial<WebhookDeps> = {}) {
      const webhook = await openWebhook(webhookSchema.parse({ ...(url && { url }), ...given }), {
        clock,
        random: () => 1,
        env: { CHATFERRY_WEBHOOK_SECRET: secret },
        past: [],
        secrets: [],
        log: { info: log, warn: log },
        ...deps,
      });
      // Most tests have closed it by then.
      onTestFinished(() => webhook.close().catch(() => {}));
      return webhook;
    },
  };
}

async function sceneWithReceiver() {
  const receiver = await openReceiver();
  return { receiver, ...sceneFor(receiver.url) };
}

type Scene = Awaited<ReturnType<typeof sceneWithReceiver>>;

const noticeIn = (receiver: Receiver, index = 0) => JSON.parse(receiver.received[index]!.body);

/** Advances the clock while the receiver waits for this many requests. */
async function passUntil({ clock, receiver }: Scene, count: number) {
  let isThere = false;
  void receiver.until(count).then(() => {
    isThere = true;
  });
  while (!isThere) await clock.advance(100);
}

describe('a notice', () => {
  it('is one POST of JSON with the reasons and the fields of the log line', async () => {
    const { receiver, logged, open } = await sceneWithReceiver();
    const webhook = await open();
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(receiver.received).toHaveLength(1);
    const [{ method, path, headers }] = receiver.received as [Receiver['received'][number]];
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hooks/chatferry?team=7', 'application/json']);
    expect(noticeIn(receiver)).toMatchObject({
      reasons: ['failure'],
      endedAt: '2026-11-21T12:00:04.500Z',
      failuresInARow: 1,
      job: 'support',
      run: 'support-12',
      exit: 8,
      outcome: 'needs-person',
      remaining: { pending: 10, unconfirmed: 0 },
      stopped: { code: 'AUTH_ERR_NO_ACCESS', hint: 'chatferry doctor' },
    });
    const { host } = new URL(receiver.url);
    const fields = { job: 'support', run: 'support-12', host };
    expect(logged).toEqual([{ message: 'webhook: notice delivered', fields }]);
  });

  it('is signed with the secret of the variable, or of the file', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const secretFile = join(temporary.make(), 'secret');
    writeFileSync(secretFile, 'the secret of the file\n', { mode: 0o600 });
    for (const webhook of [await open(), await open({ secretFile })]) {
      webhook.runEnded(failedResult());
      await webhook.close();
    }
    const signatures = receiver.received.map(({ headers }) => headers['x-chatferry-signature']);
    const expected = [secret, 'the secret of the file'].map((key, index) => {
      const { body } = receiver.received[index]!;
      return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
    });
    expect(signatures).toEqual(expected);
  });

  it('has no signature without a secret', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const webhook = await open({}, { env: {} });
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(receiver.received[0]!.headers).not.toHaveProperty('x-chatferry-signature');
  });

  it('holds no filter of the reading back, and no value of a key', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const webhook = await open({}, { secrets: [new Secret('k3y-of-the-app')] });
    const verify = { same: 1, missing: 1, extra: 0, different: 0, duplicated: 0, foreign: 0, only: 'from:ann' };
    const stopped = { code: 'ERR', message: `Refused "k3y-of-the-app" and ${secret}\nTwo lines`, hint: null };
    webhook.runEnded(failedResult({ verify, stopped }));
    await webhook.close();
    const { body } = receiver.received[0]!;
    for (const hidden of ['from:ann', 'k3y-of-the-app', secret]) expect(body).not.toContain(hidden);
    expect(noticeIn(receiver).stopped.message).toBe('Refused "[redacted]" and [redacted] Two lines');
  });
});

describe('a webhook is notified', () => {
  const drift = jobResult({ added: { drift: { edited: 3 } } });
  const rejects = jobResult({ exit: 3, added: { invalid: 1 } });
  const cases: readonly (readonly [string, Parameters<typeof reasonsOf>[0], readonly NoticeReason[] | null])[] = [
    ['of no run that went well', jobResult(), null],
    ['of no run that was stopped', failedResult({ exit: 143 }), null],
    ['of no messages that an earlier run rejected', jobResult({ exit: 3 }), null],
    ['of a failure', failedResult(), ['failure']],
    ['of differences that reading back found', failedResult({ exit: 6 }), ['failure']],
    ['of messages that were rejected', rejects, ['failed-messages']],
    ['of drift', drift, ['drift']],
    [
      'of several things at once',
      failedResult({ added: { failed: 1, drift: { deleted: 1 } } }),
      ['failure', 'failed-messages', 'drift'],
    ],
  ];

  async function reasonsOf(result: ReturnType<typeof jobResult>, on?: readonly NoticeReason[]) {
    const { receiver, open } = await sceneWithReceiver();
    const webhook = await open(on ? { on } : {});
    webhook.runEnded(result);
    await webhook.close();
    return receiver.received.length === 0 ? null : noticeIn(receiver).reasons;
  }

  it.each(cases)('%s', async (_, result, reasons) => {
    expect(await reasonsOf(result)).toEqual(reasons);
  });

  it('only of the reasons under `on`', async () => {
    expect(await reasonsOf(drift, ['failure', 'recovery'])).toBeNull();
    expect(await reasonsOf(failedResult({ added: { failed: 1 } }), ['failure'])).toEqual(['failure']);
  });

  it('of a recovery, once and in order, even if an earlier process saw the failure', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const past = [{ job: 'support', lastExit: 5, lastEndAtMs: 1, lastSuccessAtMs: null, failuresInARow: 2 }];
    const webhook = await open({}, { past });
    webhook.runEnded(failedResult({ number: 12 }));
    webhook.runEnded(failedResult({ number: 13, exit: 130 }));
    webhook.runEnded(jobResult({ number: 14 }));
    webhook.runEnded(jobResult({ number: 15 }));
    await webhook.close();
    const notices = receiver.received.map((_, index) => noticeIn(receiver, index));
    expect(notices.map(({ run, reasons, failuresInARow }) => [run, reasons, failuresInARow])).toEqual([
      ['support-12', ['failure'], 3],
      ['support-14', ['recovery'], 0],
    ]);
  });
});

describe('delivery', () => {
  it.each([500, 503, 429, 408, 0])('is tried again after %s, with the same body', async (status) => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(status, status, 204);
    const webhook = await scene.open();
    webhook.runEnded(failedResult());
    await passUntil(scene, 3);
    await webhook.close();
    expect(scene.logged.map(({ message }) => message)).toEqual(['webhook: notice delivered']);
    expect(scene.clock.slept).toEqual(expect.arrayContaining([1_000, 2_000]));
    expect(new Set(scene.receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('gives up after three attempts, with one line in the log, and continues with the next notice', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(500, 500, 500, 204);
    const webhook = await scene.open();
    webhook.runEnded(failedResult({ number: 1 }));
    webhook.runEnded(failedResult({ number: 2 }));
    await passUntil(scene, 4);
    await webhook.close();
    expect(scene.receiver.received.map((_, index) => noticeIn(scene.receiver, index).run)).toEqual([
      ...['support-1', 'support-1', 'support-1', 'support-2'],
    ]);
    expect(scene.logged.map(({ message, fields }) => [message, fields.run, fields.reason])).toEqual([
      ['webhook: notice failed', 'support-1', 'status 500'],
      ['webhook: notice delivered', 'support-2', undefined],
    ]);
  });

  it('waits 10 s for an answer, then tries again', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(undefined, 204);
    const webhook = await scene.open();
    webhook.runEnded(failedResult());
    await scene.receiver.until(1);
    await scene.clock.advance(9_999);
    expect(scene.receiver.received).toHaveLength(1);
    await passUntil(scene, 2);
    await webhook.close();
    expect(scene.clock.slept.slice(0, 2)).toEqual([10_000, 1_000]);
    expect(scene.logged.map(({ message }) => message)).toEqual(['webhook: notice delivered']);
  });

  it.each([400, 401, 404, 410, 301, 307])('ends with %s, and follows no redirect', async (status) => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(status);
    const webhook = await scene.open();
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/hooks/chatferry?team=7']);
    expect(scene.logged).toMatchObject([
      {
        message: 'webhook: notice failed',
        fields: { reason: `status ${status}`, host: new URL(scene.receiver.url).host },
      },
    ]);
    expect(JSON.stringify(scene.logged)).not.toMatch(/team=7|nobody reads/);
  });

  it('holds up the end of the process for 15 s at most', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(undefined);
    const webhook = await scene.open();
    webhook.runEnded(failedResult());
    webhook.runEnded(failedResult({ number: 13 }));
    await scene.receiver.until(1);
    const closed = webhook.close();
    await passUntil(scene, 2);
    await scene.clock.advance(15_000);
    await closed;
    expect(scene.receiver.received).toHaveLength(2);
    expect(scene.logged.map(({ fields }) => fields.run)).toEqual(['support-12', 'support-13']);
  });
});

describe('openWebhook()', () => {
  const fault = async (scene: ReturnType<typeof sceneFor>, given: object, deps: Partial<WebhookDeps> = {}) =>
    scene.open(given, deps).catch((error: unknown) => error);

  it('takes the address from the variable, before the file', async () => {
    const receiver = await openReceiver();
    const scene = sceneFor('https://nobody.example');
    const webhook = await scene.open({}, { env: { CHATFERRY_WEBHOOK_URL: receiver.url } });
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['no address', undefined],
    ['http to another machine', 'http://hooks.example/?token=s3cret'],
    ['credentials', 'https://user:s3cret@hooks.example/'],
  ])('refuses %s, without repeating it', async (_, address) => {
    const error = await fault(sceneFor(undefined), {}, { env: { CHATFERRY_WEBHOOK_URL: address } });
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ hint: expect.stringContaining('sync.webhook.url') });
    expect(String(error)).not.toContain('s3cret');
  });

  it('refuses an empty secret, and a file that others may read', async () => {
    const scene = sceneFor('https://hooks.example/');
    expect(await fault(scene, {}, { env: { CHATFERRY_WEBHOOK_SECRET: ' ' } })).toMatchObject({
      message: 'Cannot use the webhook: "CHATFERRY_WEBHOOK_SECRET" holds no secret',
    });
    const secretFile = join(temporary.make(), 'secret');
    writeFileSync(secretFile, secret);
    chmodSync(secretFile, 0o644);
    expect(await fault(scene, { secretFile })).toMatchObject({ hint: `Run: chmod 600 ${secretFile}` });
    expect(await fault(scene, { secretFile: `${secretFile}.none` })).toMatchObject({
      message: expect.stringContaining('ENOENT'),
    });
  });
});
