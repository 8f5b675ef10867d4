import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { faultPlan, type FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import type { Delivery } from '../../src/sandbox/operations/delivery.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import type { TransportRequest } from '../../src/service/transport.ts';
import { apiKey, direct, now, nowSeconds } from './fixture.ts';

/** A clock whose sleepers wake on command. */
function manualClock() {
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  return {
    ms: now,
    now() {
      return this.ms;
    },
    monotonic() {
      return this.ms;
    },
    uptime() {
      return this.ms;
    },
    sleep(ms: number, signal?: AbortSignal) {
      return new Promise<void>((resolve, reject) => {
        sleepers.push({ atMs: this.ms + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
    async advance(ms: number) {
      this.ms += ms;
      for (const { atMs, wake } of sleepers) if (atMs <= this.ms) wake();
      await new Promise(setImmediate);
    },
  };
}

function faulty(plan: FaultPlanInput, options: { readonly duplicates?: 'refused' | 'stored' } = {}) {
  const clock = manualClock();
  const store = openSandboxStore(':memory:');
  const sandbox = new FaultySandbox({ store, apiKey, profile: 'spec', clock, ...options });
  onTestFinished(() => sandbox.close());
  sandbox.plan = plan;
  return { sandbox, clock };
}

const importOf = (...muids: readonly string[]): TransportRequest => ({
  method: 'POST',
  path: '/v3/data_import/messages',
  headers: { apikey: apiKey },
  body: JSON.stringify({ messages: Object.fromEntries(muids.map((muid) => [muid, direct(muid)])) }),
});

const listing: TransportRequest = { method: 'GET', path: '/v3/messages?limit=1000', headers: { apikey: apiKey } };

const control = (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): TransportRequest => ({
  method,
  path,
  headers: { apikey: apiKey },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
function jsonOf(delivery: Delivery): any {
  if (delivery.kind !== 'answered') throw new Error(`The answer is lost: ${delivery.how}`);
  return JSON.parse(delivery.answer.body);
}

/** Returns the stored messages, read without any fault. */
function stored(sandbox: FaultySandbox): string[] {
  const { plan } = sandbox;
  sandbox.plan = {};
  const muids = jsonOf(sandbox.deliver(listing)).data.map(({ muid }: { muid: string }) => muid);
  sandbox.plan = plan;
  return muids;
}

const status = (delivery: Delivery) => (delivery.kind === 'answered' ? delivery.answer.status : delivery.how);

describe('a faulty sandbox', () => {
  it('breaks nothing without a plan', () => {
    const { sandbox } = faulty({});
    const delivery = sandbox.deliver(importOf('m1'));
    expect(delivery).toMatchObject({
      kind: 'answered',
      answer: { status: 200 },
      transfer: { way: 'whole' },
      delayMs: 0,
    });
    expect(jsonOf(delivery).data.m1.success).toBe(true);
  });

  it.each([
    ['rate-limited', 429, []],
    ['error', 500, []],
    ['page', 502, []],
    ['redirect', 307, []],
    ['closed', 'closed', ['m1', 'm2']],
    ['reset', 'reset', ['m1', 'm2']],
    ['silent', 'silent', ['m1', 'm2']],
    ['garbage', 'garbage', ['m1', 'm2']],
    ['endless', 'endless', ['m1', 'm2']],
    ['cut', 200, ['m1', 'm2']],
    ['stalled', 200, ['m1', 'm2']],
    ['slow', 200, ['m1', 'm2']],
    ['hung-up', 200, ['m1', 'm2']],
    ['gzip', 200, ['m1', 'm2']],
    ['invalid-json', 200, ['m1', 'm2']],
    ['no-data', 200, ['m1', 'm2']],
    ['normal', 200, ['m1', 'm2']],
  ] as const)('answers "%s" with %s, and has stored what that says by itself', (answer, expected, muids) => {
    const { sandbox } = faulty({ rules: [{ answer, times: 1 }] });
    expect(status(sandbox.deliver(importOf('m1', 'm2')))).toBe(expected);
    expect(stored(sandbox)).toEqual(muids);
    expect(sandbox.book.summary().operations.importMessages).toEqual({
      requests: 1,
      answers: { [typeof expected === 'string' ? 'lost' : expected]: 1 },
      faults: { [answer]: 1 },
    });
  });

  it.each(['rate-limited', 'error', 'page', 'closed', 'reset', 'silent'] as const)(
    'answers "%s" whatever was applied of the request',
    async (answer) => {
      const plans = { nothing: [], whole: ['m1', 'm2', 'm3'], twice: ['m1', 'm2', 'm3'], late: [] };
      for (const [applied, muids] of Object.entries(plans)) {
        const { sandbox } = faulty({ rules: [{ answer, applied: applied as 'whole' }] });
        const delivery = sandbox.deliver(importOf('m1', 'm2', 'm3'));
        expect(status(delivery), applied).not.toBe(200);
        expect(stored(sandbox), applied).toEqual(muids);
      }
    },
  );

  it('applies the first messages of an import, or the last ones, and then fails', () => {
    const muids = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'];
    for (let seed = 1; seed <= 20; seed++) {
      const first = faulty({ seed, rules: [{ answer: 'error', applied: 'first-part' }] }).sandbox;
      expect(status(first.deliver(importOf(...muids)))).toBe(500);
      const some = stored(first);
      expect(some.length).toBeGreaterThanOrEqual(1);
      expect(some.length).toBeLessThan(muids.length);
      expect(some).toEqual(muids.slice(0, some.length));

      const last = faulty({ seed, rules: [{ answer: 'reset', applied: 'last-part' }] }).sandbox;
      last.deliver(importOf(...muids));
      expect(stored(last)).toEqual(muids.slice(-stored(last).length));
      expect(stored(last)).not.toEqual(muids);
    }
  });

  it('does not mention the rest of an import that it answers after a part of it', () => {
    const { sandbox } = faulty({ rules: [{ answer: 'normal', applied: 'first-part' }] });
    expect(Object.keys(jsonOf(sandbox.deliver(importOf('m1', 'm2'))).data)).toEqual(stored(sandbox));
  });

  it('stores a request after the gateway has given up on it', async () => {
    const rules = [{ answer: 'page', status: 504, applied: 'late', lateMs: 5_000, times: 1 }] as const;
    const { sandbox, clock } = faulty({ rules: [...rules] });
    expect(status(sandbox.deliver(importOf('m1')))).toBe(504);
    await clock.advance(4_999);
    expect(stored(sandbox)).toEqual([]);
    await clock.advance(1);
    expect(stored(sandbox)).toEqual(['m1']);
  });

  it('stores outstanding messages when it is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chatferry-faults-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'sandbox.db');
    const sandbox = new FaultySandbox({
      store: openSandboxStore(path),
      apiKey,
      profile: 'spec',
      clock: manualClock(),
    });
    sandbox.plan = { rules: [{ answer: 'silent', applied: 'late' }] };
    sandbox.deliver(importOf('m1'));
    await sandbox.close();
    const reader = openDatabase(path, { readonly: true });
    onTestFinished(() => void reader.close());
    expect(reader.prepare('SELECT muid FROM message').pluck().all()).toEqual(['m1']);
  });

  it('stores a message twice where duplicates are stored, and the book says so', () => {
    const { sandbox } = faulty({ duplicates: 'stored', rules: [{ answer: 'closed', applied: 'twice', times: 1 }] });
    sandbox.deliver(importOf('m1'));
    expect(stored(sandbox)).toEqual(['m1', 'm1']);
    expect(sandbox.book.applied('m1')).toEqual({
      muid: 'm1',
      times: 2,
      at: [new Date(now).toISOString(), new Date(now).toISOString()],
      ids: ['1', '2'],
    });
    expect(sandbox.book.summary().applied).toEqual({ messages: 2, muids: 1, moreThanOnce: ['m1'] });
  });

  it.each([
    [undefined, undefined],
    [3, '3'],
    [0, '0'],
    [-1, '-1'],
    [1e9, '1000000000'],
    [{ date: 60 }, 'Sat, 21 Nov 2026 12:01:00 GMT'],
    [{ text: 'soon' }, 'soon'],
    [{ sentence: 7 }, undefined],
  ])('sends a retryAfter of %j as %s', (retryAfter, header) => {
    const { sandbox } = faulty({
      rules: [{ answer: 'rate-limited', ...(retryAfter !== undefined && { retryAfter }) }],
    });
    const delivery = sandbox.deliver(importOf('m1'));
    expect(delivery.kind === 'answered' && delivery.answer.headers['retry-after']).toBe(header);
    expect(jsonOf(delivery).error.code).toBe('ERR_TOO_MANY_REQUESTS');
    if (typeof retryAfter === 'object' && 'sentence' in retryAfter) {
      expect(jsonOf(delivery).error.message).toContain('retry after 7 seconds');
    }
  });

  it('leaves out keys, renames them, adds one, changes texts', () => {
    const muids = Array.from({ length: 30 }, (_, index) => `m${index}`);
    const answered = (answer: 'keys-missing' | 'keys-renamed' | 'keys-added' | 'texts-changed') =>
      jsonOf(faulty({ rules: [{ answer }] }).sandbox.deliver(importOf(...muids))).data;
    const missing = Object.keys(answered('keys-missing'));
    expect(missing.length).toBeGreaterThan(5);
    expect(missing.length).toBeLessThan(25);
    const renamed = answered('keys-renamed');
    expect(Object.keys(renamed)).toEqual(muids.map((_, index) => String(index + 1)));
    expect(renamed[1].data.muid).toBe('m0');
    expect(Object.keys(answered('keys-added'))).toEqual([...muids, 'nobody-sent-this']);
    expect(answered('texts-changed').m0.data.data.text).toBe('text of m0 (changed)');
  });

  it('refuses a share of the messages, which are not stored', () => {
    const muids = Array.from({ length: 30 }, (_, index) => `m${index}`);
    const { sandbox } = faulty({ rules: [{ answer: 'items-refused', share: 0.3, code: 'ERR_NOT_TODAY' }] });
    const { data } = jsonOf(sandbox.deliver(importOf(...muids)));
    expect(Object.keys(data).toSorted()).toEqual(muids.toSorted());
    const refused = muids.filter((muid) => data[muid].error?.code === 'ERR_NOT_TODAY');
    expect(refused.length).toBeGreaterThan(2);
    expect(stored(sandbox)).toEqual(muids.filter((muid) => !refused.includes(muid)));
  });

  it('leaves rows out of a listing', () => {
    const { sandbox } = faulty({ rules: [{ answer: 'keys-missing', operations: ['listMessages'], share: 1 }] });
    sandbox.deliver(importOf('m1', 'm2'));
    expect(jsonOf(sandbox.deliver(listing)).data).toEqual([]);
    expect(stored(sandbox)).toEqual(['m1', 'm2']);
  });

  it('breaks the operations, the share and the number of requests that a rule names', () => {
    const { sandbox } = faulty({ rules: [{ answer: 'error', operations: ['importMessages'], skip: 2, times: 3 }] });
    const statuses = Array.from({ length: 7 }, (_, index) => {
      expect(status(sandbox.deliver(listing))).toBe(200);
      return status(sandbox.deliver(importOf(`m${index}`)));
    });
    expect(statuses).toEqual([200, 200, 500, 500, 500, 200, 200]);
  });

  it('breaks the same requests with the same seed, and others with another', () => {
    const broken = (seed: number) => {
      const { sandbox } = faulty({
        seed,
        rules: [
          { answer: 'error', probability: 0.3 },
          { answer: 'closed', probability: 0.3 },
        ],
      });
      return Array.from({ length: 200 }, () => status(sandbox.deliver(listing)));
    };
    expect(broken(7)).toEqual(broken(7));
    expect(broken(7)).not.toEqual(broken(8));
    const share = broken(7).filter((one) => one === 500).length / 200;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
  });

  it('puts the clock of its answers ahead', () => {
    const { sandbox } = faulty({ clockSkewSeconds: 86_400 });
    const delivery = sandbox.deliver(listing);
    expect(delivery.kind === 'answered' && delivery.answer.headers.date).toBe('Sun, 22 Nov 2026 12:00:00 GMT');
  });

  it('refuses a plan that it does not understand, by field', () => {
    expect(faultPlan.safeParse({ rules: [{ answer: 'normal', probability: 2 }] }).error?.issues[0]?.path).toEqual([
      'rules',
      0,
      'probability',
    ]);
    expect(faultPlan.safeParse({ rules: [{ answer: 'explode' }] }).success).toBe(false);
    expect(faultPlan.safeParse({ rules: [{ answer: 'error', stauts: 500 }] }).success).toBe(false);
  });
});

describe('the control of a sandbox', () => {
  it('shows, changes and ends the plan', () => {
    const { sandbox } = faulty({});
    const put = sandbox.deliver(control('PUT', '/sandbox/faults', { rules: [{ answer: 'error', status: 503 }] }));
    expect(jsonOf(put).data.rules).toMatchObject([
      { answer: 'error', status: 503, probability: 1, applied: 'nothing' },
    ]);
    expect(jsonOf(sandbox.deliver(control('GET', '/sandbox/faults')))).toEqual(jsonOf(put));
    expect(status(sandbox.deliver(listing))).toBe(503);
    sandbox.deliver(control('DELETE', '/sandbox/faults'));
    expect(status(sandbox.deliver(listing))).toBe(200);
  });

  it('reports what is wrong with a plan, and keeps the old one', () => {
    const { sandbox } = faulty({ rules: [{ answer: 'page' }] });
    const refused = sandbox.deliver(
      control('PUT', '/sandbox/faults', { rules: [{ answer: 'error', probability: 7 }] }),
    );
    expect(status(refused)).toBe(400);
    expect(jsonOf(refused).error.details).toHaveProperty(['rules.0.probability']);
    expect(status(sandbox.deliver({ ...control('PUT', '/sandbox/faults'), body: '{' }))).toBe(400);
    expect(sandbox.plan.rules).toHaveLength(1);
  });

  it('needs the key of the sandbox', () => {
    const { sandbox } = faulty({});
    for (const headers of [{}, { apikey: 'other' }]) {
      expect(status(sandbox.deliver({ ...control('GET', '/sandbox/book'), headers }))).toBe(401);
    }
  });

  it('lists its paths if another one is requested', () => {
    const { sandbox } = faulty({});
    const answer = sandbox.deliver(control('GET', '/sandbox/nothing'));
    expect(status(answer)).toBe(404);
    expect(jsonOf(answer).error.message).toContain('GET /sandbox/book');
  });

  it('shows the recorded requests, with the messages asked for, and is not recorded itself', () => {
    const { sandbox } = faulty({ rules: [{ answer: 'closed', times: 1 }] });
    sandbox.deliver(importOf('m1', 'm2'));
    sandbox.deliver(importOf('m1'));
    sandbox.deliver({ ...listing, path: '/v3/nowhere' });
    expect(jsonOf(sandbox.deliver(control('GET', '/sandbox/book?muid=m1&muid=m9')))).toEqual({
      data: {
        since: new Date(now).toISOString(),
        operations: {
          importMessages: { requests: 2, answers: { lost: 1, 200: 1 }, faults: { closed: 1 } },
          unknown: { requests: 1, answers: { 404: 1 }, faults: {} },
        },
        applied: { messages: 2, muids: 2, moreThanOnce: [] },
        messages: [
          { muid: 'm1', times: 1, at: [new Date(now).toISOString()], ids: ['1'] },
          { muid: 'm9', times: 0, at: [], ids: [] },
        ],
      },
    });
  });
});

describe('listings of a sandbox with listing options', () => {
  const import3 = () => {
    const messages = [
      direct('m1', { sentAt: nowSeconds - 10 }),
      direct('m2', { sentAt: nowSeconds - 30 }),
      direct('m3', { sentAt: nowSeconds - 20 }),
      direct('m4', { sentAt: nowSeconds - 20 }),
    ];
    const body = JSON.stringify({ messages: Object.fromEntries(messages.map((message) => [message.muid, message])) });
    return { ...importOf(), body };
  };
  const list = (sandbox: FaultySandbox, query: string) => {
    const { data, meta } = jsonOf(sandbox.deliver({ ...listing, path: `/v3/messages?${query}` }));
    return { muids: data.map(({ muid }: { muid?: string }) => muid), next: meta.next };
  };

  it('hide muids', () => {
    const { sandbox } = faulty({ listing: { muids: 'hidden' } });
    sandbox.deliver(import3());
    expect(list(sandbox, '').muids).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('come by time and then id, page by page', () => {
    const { sandbox } = faulty({ listing: { order: 'time' } });
    sandbox.deliver(import3());
    expect(list(sandbox, 'limit=2')).toEqual({
      muids: ['m2', 'm3'],
      next: { affix: 'append', sentAt: nowSeconds - 20, id: '3' },
    });
    expect(list(sandbox, `limit=2&affix=append&id=3&sentAt=${nowSeconds - 20}`).muids).toEqual(['m4', 'm1']);
    expect(list(sandbox, 'limit=2&id=3').muids).toEqual(['m4', 'm1']);
    expect(list(sandbox, 'limit=2&affix=prepend&id=1').muids).toEqual(['m3', 'm4']);
  });

  it.each([
    ['id', ['m1', 'm2'], ['m2', 'm3'], ['m1', 'm2']],
    ['time', ['m2', 'm3'], ['m3', 'm4'], ['m2', 'm3']],
  ] as const)('begin with the message of the cursor, by %s', (order, first, second, back) => {
    const { sandbox } = faulty({ listing: { order, cursors: 'inclusive' } });
    sandbox.deliver(import3());
    const page = list(sandbox, 'limit=2');
    expect(page.muids).toEqual(first);
    expect(list(sandbox, `limit=2&id=${page.next.id}&sentAt=${page.next.sentAt}`).muids).toEqual(second);
    expect(list(sandbox, `limit=2&affix=prepend&id=${page.next.id}`).muids).toEqual(back);
  });

  it('show a message when it is old enough', async () => {
    const { sandbox, clock } = faulty({});
    sandbox.deliver(importOf('m0'));
    sandbox.plan = { listing: { visibleAfterMs: 10_000 } };
    sandbox.deliver(importOf('m1'));
    await clock.advance(5_000);
    sandbox.deliver(importOf('m2'));
    expect(list(sandbox, '').muids).toEqual(['m0']);
    await clock.advance(5_000);
    expect(list(sandbox, '').muids).toEqual(['m0', 'm1']);
    await clock.advance(5_000);
    expect(list(sandbox, '').muids).toEqual(['m0', 'm1', 'm2']);
  });
});
