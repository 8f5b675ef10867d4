import { createHmac } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type NoticeReason, webhookSchema } from '../../src/sync/config/webhook.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { Secret } from '../../src/lib/secret.ts';
import { openWebhook, type WebhookDeps } from '../../src/sync/webhook.ts';
import { noticeSchema } from '../../src/sync/webhook-notice.ts';
import { type ManualClock, manualClock } from '../upload/manual-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { failedResult, jobResult, startMs } from './job-result.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const temporary = temporaryFolder();
const secret = 'a secret of the webhook, long enough';

interface Scene {
  readonly clock: ManualClock;
  readonly outboxFolder: string;
  readonly told: { message: string; fields: Readonly<Record<string, unknown>> }[];
  readonly counted: string[];
  readonly open: (given?: object, deps?: Partial<WebhookDeps>) => ReturnType<typeof openWebhook>;
}

function sceneFor(url: string | undefined): Scene {
  const clock = manualClock(startMs);
  const outboxFolder = join(temporary.make(), 'chatferry.jobs.webhook');
  const told: Scene['told'] = [];
  const counted: string[] = [];
  const tell = (message: string, fields: Readonly<Record<string, unknown>> = {}) => void told.push({ message, fields });
  return {
    clock,
    outboxFolder,
    told,
    counted,
    async open(given = {}, deps = {}) {
      const webhook = await openWebhook(webhookSchema.parse({ ...(url && { url }), ...given }), {
        clock,
        random: () => 1,
        env: { CHATFERRY_WEBHOOK_SECRET: secret },
        past: [],
        outboxFolder,
        secrets: [],
        log: { info: tell, warn: tell },
        count: (outcome) => void counted.push(outcome),
        countWaiting: () => {},
        ...deps,
      });
      onTestFinished(() => webhook.close());
      return webhook;
    },
  };
}

async function sceneWithReceiver() {
  const receiver = await openReceiver();
  return { receiver, ...sceneFor(receiver.url) };
}

const headerOf = (receiver: Receiver, index: number) =>
  String(receiver.received[index]!.headers['x-chatferry-signature']);
const noticeIn = (receiver: Receiver, index = 0) => noticeSchema.parse(JSON.parse(receiver.received[index]!.body));

/** Time passes until so many requests have come: what waits for the network is waited for, what sleeps is woken. */
async function passUntil({ clock, receiver }: { clock: ManualClock; receiver: Receiver }, count: number) {
  let isThere = false;
  void receiver.until(count).then(() => {
    isThere = true;
  });
  while (!isThere) await clock.advance(1_000);
}

describe('a notice', () => {
  it('is posted as JSON with counts and the reason of a failure', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const webhook = await open();
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(receiver.received).toHaveLength(1);
    const [{ method, path, headers }] = receiver.received as [Receiver['received'][number]];
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hooks/chatferry?team=7', 'application/json']);
    expect(noticeIn(receiver)).toMatchObject({
      reasons: ['failure'],
      job: 'support',
      run: 'support-12',
      exit: 5,
      outcome: 'failed',
      failuresInARow: 1,
      startedAt: '2026-11-21T12:00:00.000Z',
      left: { pending: 10, inDoubt: 0 },
      stopped: { code: 'AUTH_ERR_NO_ACCESS', hint: 'chatferry doctor' },
    });
    expect(headers['x-chatferry-event']).toBe(noticeIn(receiver).id);
  });

  it('carries a signature over the time and the body that the secret makes, and no other', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const webhook = await open();
    webhook.runEnded(failedResult());
    await webhook.close();
    const { body } = receiver.received[0]!;
    const signedWith = (key: string, text = body) =>
      createHmac('sha256', key)
        .update(`${startMs / 1000}.${text}`)
        .digest('hex');
    expect(headerOf(receiver, 0)).toBe(`t=${startMs / 1000},v1=${signedWith(secret)}`);
    expect(headerOf(receiver, 0)).not.toContain(signedWith('another secret of the webhook'));
    expect(headerOf(receiver, 0)).not.toContain(signedWith(secret, `${body} `));
  });

  it('carries two signatures while the secret changes', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const secretFile = join(temporary.make(), 'secret');
    writeFileSync(secretFile, `${secret}\nthe new secret of the webhook\n`, { mode: 0o600 });
    const webhook = await open({ secretFile }, { env: {} });
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(headerOf(receiver, 0)).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
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
    expect(noticeIn(receiver).stopped!.message).toBe('Refused "[redacted]" and [redacted] Two lines');
  });
});

describe('a webhook is told', () => {
  const drift = jobResult({ brought: { drift: { edited: 3 } } });
  const rejects = jobResult({ exit: 3, brought: { rejected: 1 } });
  const cases: readonly (readonly [string, Parameters<typeof reasonsOf>[0], readonly NoticeReason[] | null])[] = [
    ['nothing of a run that went well', jobResult(), null],
    ['nothing of a run that was stopped', failedResult({ exit: 143 }), null],
    ['nothing where old messages stay rejected', jobResult({ exit: 3 }), null],
    ['of a failure', failedResult(), ['failure']],
    ['of differences that reading back found', failedResult({ exit: 6 }), ['failure']],
    ['of messages that were rejected', rejects, ['failed-messages']],
    ['of drift', drift, ['drift']],
    [
      'of several things at once',
      failedResult({ brought: { refused: 1, drift: { deleted: 1 } } }),
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
    expect(await reasonsOf(result as never)).toEqual(reasons);
  });

  it('only of what was asked for', async () => {
    expect(await reasonsOf(drift, ['failure', 'recovery'])).toBeNull();
    expect(await reasonsOf(failedResult({ brought: { refused: 1 } }), ['failure'])).toEqual(['failure']);
  });

  it('of a recovery, once, with how often it failed before, also where another process saw it fail', async () => {
    const { receiver, open } = await sceneWithReceiver();
    const past = [{ job: 'support', lastExit: 5, lastEndAtMs: 1, lastSuccessAtMs: null, failuresInARow: 2 }];
    const webhook = await open({}, { past });
    webhook.runEnded(failedResult({ number: 12 }));
    webhook.runEnded(failedResult({ number: 13, exit: 130 }));
    webhook.runEnded(jobResult({ number: 14 }));
    webhook.runEnded(jobResult({ number: 15 }));
    await webhook.close();
    const told = receiver.received.map((_, index) => noticeIn(receiver, index));
    expect(told.map(({ run, reasons, failuresInARow }) => [run, reasons, failuresInARow])).toEqual([
      ['support-12', ['failure'], 3],
      ['support-14', ['recovery'], 0],
    ]);
  });
});

describe('delivery', () => {
  it.each([500, 503, 429, 408, 0])('is tried again after %s, signed anew, with the same id', async (status) => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(status, status, 204);
    const webhook = await scene.open();
    webhook.runEnded(failedResult());
    await passUntil(scene, 3);
    await webhook.close();
    expect(scene.counted).toEqual(['delivered']);
    expect(scene.clock.slept.slice(0, 2)).toEqual([1_000, 2_000]);
    expect(new Set(scene.receiver.received.map(({ body }) => body)).size).toBe(1);
    const seconds = [0, 1, 2].map((index) => Number(/^t=(\d+),/.exec(headerOf(scene.receiver, index))![1]));
    expect(seconds[2]! - seconds[0]!).toBeGreaterThanOrEqual(3);
  });

  it('waits for an answer as long as it is told, and no longer', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(undefined, 204);
    const webhook = await scene.open({ timeout: '1s' });
    webhook.runEnded(failedResult());
    await passUntil(scene, 2);
    await webhook.close();
    expect(scene.counted).toEqual(['delivered']);
  });

  it.each([400, 401, 404, 410, 301, 307])(
    'is not repeated at once after %s, and follows no redirect',
    async (status) => {
      const scene = await sceneWithReceiver();
      scene.receiver.answer(status);
      const webhook = await scene.open();
      webhook.runEnded(failedResult());
      await webhook.close();
      expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/hooks/chatferry?team=7']);
      expect(scene.counted).toEqual(['failed']);
      expect(scene.told.at(-1)).toMatchObject({
        message: 'webhook: notice failed',
        fields: { reason: `status ${status}`, host: new URL(scene.receiver.url).host },
      });
      expect(JSON.stringify(scene.told)).not.toContain('team=7');
      expect(JSON.stringify(scene.told)).not.toContain('nobody reads');
    },
  );

  it('is taken up again minutes later while the process lives', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(500, 500, 500, 500, 204);
    const webhook = await scene.open();
    webhook.runEnded(failedResult());
    await passUntil(scene, 5);
    await webhook.close();
    expect(scene.counted).toEqual(['failed', 'delivered']);
    expect(scene.clock.slept).toEqual(expect.arrayContaining([1_000, 2_000, 4_000, 300_000]));
  });

  it('goes on in the next process with what nobody took, oldest first, and nothing comes twice after it was taken', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(404);
    const first = await scene.open();
    first.runEnded(failedResult({ number: 1 }));
    await scene.clock.advance(1_000);
    first.runEnded(failedResult({ number: 2 }));
    await first.close();
    expect(readdirSync(scene.outboxFolder)).toHaveLength(2);
    scene.receiver.answer(204);
    const before = scene.receiver.received.length;
    const second = await scene.open();
    second.started();
    await second.close();
    const later = scene.receiver.received.slice(before).map(({ body }) => JSON.parse(body).run);
    expect(later).toEqual(['support-1', 'support-2']);
    expect(readdirSync(scene.outboxFolder)).toEqual([]);
    const third = await scene.open();
    third.started();
    await third.close();
    expect(scene.receiver.received).toHaveLength(before + 2);
  });

  it('keeps 100 notices of the last three days, and says what it forgets', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(404);
    const first = await scene.open({ on: ['failure'] });
    for (let number = 1; number <= 102; number++) {
      first.runEnded(failedResult({ number }));
      await scene.clock.advance(1);
    }
    await first.close();
    expect(readdirSync(scene.outboxFolder)).toHaveLength(100);
    expect(scene.counted.filter((outcome) => outcome === 'dropped')).toHaveLength(2);
    await scene.clock.advance(3 * 24 * 3_600_000 + 1_000);
    const second = await scene.open();
    second.started();
    await second.close();
    expect(readdirSync(scene.outboxFolder)).toEqual([]);
    expect(scene.counted.filter((outcome) => outcome === 'dropped')).toHaveLength(102);
  });

  it('keeps its files to their owner, and the address and the secret out of them', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(404);
    const webhook = await scene.open();
    webhook.runEnded(failedResult());
    await webhook.close();
    const [name] = readdirSync(scene.outboxFolder);
    expect(statSync(scene.outboxFolder).mode & 0o777).toBe(0o700);
    const path = join(scene.outboxFolder, name!);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const kept = readFileSync(path, 'utf8');
    expect(noticeSchema.parse(JSON.parse(kept)).run).toBe('support-12');
    for (const hidden of [secret, 'team=7', 'v1=']) expect(kept).not.toContain(hidden);
  });

  it('works without its folder, and says so', async () => {
    const scene = await sceneWithReceiver();
    const outboxFolder = join(temporary.make(), 'file');
    writeFileSync(outboxFolder, '');
    const webhook = await scene.open({}, { outboxFolder });
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(scene.counted).toEqual(['delivered']);
    expect(scene.told.map(({ message }) => message)).toContain('webhook: the folder of waiting notices cannot be used');
  });

  it('holds up the end of the process for 15 seconds at most', async () => {
    const scene = await sceneWithReceiver();
    scene.receiver.answer(undefined);
    const webhook = await scene.open({ timeout: '60s' });
    webhook.runEnded(failedResult());
    await scene.receiver.until(1);
    const closed = webhook.close();
    await scene.clock.advance(15_000);
    await closed;
    expect(readdirSync(scene.outboxFolder)).toHaveLength(1);
  });
});

describe('openWebhook()', () => {
  const fault = async (scene: Scene, given: object, deps: Partial<WebhookDeps> = {}) =>
    scene.open(given, deps).catch((error: unknown) => error);

  it('takes the address from the variable, before the file', async () => {
    const receiver = await openReceiver();
    const scene = sceneFor('https://nobody.example');
    const env = { CHATFERRY_WEBHOOK_URL: receiver.url, CHATFERRY_WEBHOOK_SECRET: secret };
    const webhook = await scene.open({}, { env });
    webhook.runEnded(failedResult());
    await webhook.close();
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['no address', undefined, {}],
    [
      'http to another machine',
      'http://hooks.example/x?token=s3cret',
      { CHATFERRY_WEBHOOK_URL: 'http://hooks.example/?token=s3cret' },
    ],
    [
      'credentials',
      'https://user:s3cret@hooks.example/',
      { CHATFERRY_WEBHOOK_URL: 'https://user:s3cret@hooks.example/' },
    ],
  ])('refuses %s, without repeating it', async (_, __, variables) => {
    const error = await fault(sceneFor(undefined), {}, { env: { CHATFERRY_WEBHOOK_SECRET: secret, ...variables } });
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).not.toContain('s3cret');
  });

  it('refuses to run without a secret, with a short one, and with one that others may read', async () => {
    const scene = sceneFor('https://hooks.example/');
    expect(await fault(scene, {}, { env: {} })).toMatchObject({ hint: expect.stringContaining('secretFile') });
    const short = await fault(scene, {}, { env: { CHATFERRY_WEBHOOK_SECRET: 'too short' } });
    expect(short).toMatchObject({ message: expect.stringContaining('16 characters') });
    expect(String(short)).not.toContain('too short');
    const secretFile = join(temporary.make(), 'secret');
    writeFileSync(secretFile, secret);
    chmodSync(secretFile, 0o644);
    expect(await fault(scene, { secretFile })).toMatchObject({ hint: `Run: chmod 600 ${secretFile}` });
    expect(await fault(scene, { secretFile: `${secretFile}.none` })).toMatchObject({
      message: expect.stringContaining('ENOENT'),
    });
    expect(existsSync(scene.outboxFolder)).toBe(false);
  });
});
