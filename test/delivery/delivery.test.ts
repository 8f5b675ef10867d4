import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Totals } from '../../src/model/totals.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { createInProcessTransport } from '../../src/sandbox/in-process.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import type { Transport } from '../../src/service/transport.ts';
import { sharedPace } from '../../src/delivery/pace.ts';
import { isNightly } from '../tier.ts';
import { apiKey, check, copyStore, never, planTemplate, type Sending, send } from '../scenes/bench.ts';
import { type GeneratedExport, makeExport, message, seeded, user, userId, writeFiles } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';

const home = temporaryFolderInMemory();

interface Template {
  readonly store: string;
  readonly made: GeneratedExport;
}

async function templateOf(messages: number, seed = 1): Promise<Template> {
  const folder = home.make();
  const made = makeExport(join(folder, 'export'), {
    seed,
    messages,
    people: 6,
    channels: 3,
    directs: 3,
    groupDirects: 1,
  });
  const store = join(folder, 'template.db');
  await planTemplate(store, [made.folder], new VirtualClock());
  return { store, made };
}

let small: Template;
let large: Template;
beforeAll(async () => {
  small = await templateOf(120);
  large = await templateOf(1000, 2);
});

type Rule = NonNullable<FaultPlanInput['rules']>[number];

interface Scene {
  readonly clock: VirtualClock;
  readonly folder: string;
  readonly data: string;
  readonly sandbox: FaultySandbox;
  /** The muids of each import that left, in order. */
  readonly imports: readonly (readonly string[])[];
  readonly sending: Sending;
}

interface SceneOptions {
  readonly template?: Template;
  readonly duplicates?: 'refused' | 'stored';
  readonly sandboxProfile?: 'spec' | 'hosted';
  readonly rules?: FaultPlanInput['rules'];
  /** Called for each import when it is sent. */
  readonly onImport?: (body: string) => void;
  readonly sending?: Partial<Sending>;
}

/** A planned store, and a service that breaks what the rules say. */
function sceneOf(options: SceneOptions = {}): Scene {
  const { template = small, duplicates = 'refused', rules = [], onImport = () => {} } = options;
  const folder = home.make();
  const data = join(folder, 'server.db');
  const clock = new VirtualClock();
  const sandbox = new FaultySandbox({
    store: openSandboxStore(data, { synchronous: 'NORMAL' }),
    apiKey,
    clock,
    duplicates,
    profile: options.sandboxProfile ?? 'spec',
  });
  sandbox.plan = { rules };
  onTestFinished(async () => {
    clock.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const imports: string[][] = [];
  const inner = createInProcessTransport(sandbox, clock);
  const transport: Transport = {
    ...inner,
    async send(request, signal) {
      await turn();
      signal.throwIfAborted();
      if (request.method === 'POST') {
        const body = String(request.body);
        imports.push(Object.keys((JSON.parse(body) as { messages: object }).messages));
        onImport(body);
      }
      // The request has been sent: a client that hangs up now does not stop it from arriving.
      return await inner.send(request, never);
    },
  };
  const store = copyStore(template.store, folder);
  return {
    clock,
    folder,
    data,
    sandbox,
    imports,
    sending: { store, transport, clock, random: seeded(1), ...options.sending },
  };
}

const isBalanced = (totals: Totals): boolean =>
  totals.read === totals.planned + totals.skipped + totals.invalid &&
  totals.planned === totals.imported + totals.existing + totals.failed + totals.pending + totals.unconfirmed;

/** Texts of messages that were marked as late. */
function lateTexts(store: string): Set<string> {
  const db = new Database(store, { readonly: true });
  const texts = db
    .prepare(
      `SELECT m.payload ->> '$.data.text' FROM delivery d JOIN message m ON m.seq = d.message WHERE d.is_late = 1`,
    )
    .pluck()
    .all() as string[];
  db.close();
  return new Set(texts);
}

/** Expects every message once, and in order unless it is named as late. */
function expectDelivered(
  { data, sending }: Scene,
  made: GeneratedExport,
  without: ReadonlySet<string> = new Set(),
): void {
  const contents = sandboxContents(data);
  const late = lateTexts(sending.store);
  const expected = new Map(
    [...made.conversations].map(([name, texts]) => [name, texts.filter((text) => !without.has(text))]),
  );
  const sorted = (texts: readonly string[]) => [...texts].sort();
  const each = (from: ReadonlyMap<string, readonly string[]>, change: (texts: readonly string[]) => string[]) =>
    byName(new Map([...from].map(([name, texts]) => [name, change(texts)])));
  expect(each(contents, sorted)).toEqual(each(expected, sorted));
  const punctual = (texts: readonly string[]) => texts.filter((text) => !late.has(text));
  expect(each(contents, punctual)).toEqual(each(expected, punctual));
}

const everythingIsThere = (template: Template) => ({
  read: template.made.read,
  planned: template.made.planned,
  invalid: 0,
  failed: 0,
  pending: 0,
  unconfirmed: 0,
});

/** Planned messages of a store, oldest first inside each conversation. */
function plannedMessages(store: string): { muid: string; text: string; conversation: number }[] {
  const db = new Database(store, { readonly: true });
  const rows = db
    .prepare<[], { muid: string; text: string; conversation: number }>(
      `SELECT muid, payload ->> '$.data.text' AS text, conversation FROM message WHERE verdict = 'planned'
       ORDER BY conversation, sent_at, sort_key, seq`,
    )
    .all();
  db.close();
  return rows;
}

/** Changes a server's data behind everybody's back. */
function tamper(data: string, sql: string, ...values: unknown[]): void {
  const db = new Database(data);
  db.prepare(sql).run(...values);
  db.close();
}

describe('delivery without faults', () => {
  it('makes full requests, as many as the messages need', async () => {
    const scene = sceneOf({ template: large, sending: { options: { concurrency: 8 } } });
    const { requests, report, stopped } = await send(scene.sending);
    const sizes = scene.imports.map(({ length }) => length);
    expect({ stopped, ...report.totals }).toMatchObject({ stopped: undefined, ...everythingIsThere(large), late: 0 });
    expect(requests).toMatchObject({ import: Math.ceil(large.made.planned / 50), retried: 0, rateLimited: 0 });
    expect(sizes.filter((size) => size !== 50).length).toBeLessThan(2);
    expectDelivered(scene, large.made);
  });

  it('sends exactly ceil(messages / 50) requests for conversations of any size', async () => {
    const shapes = fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 160 })), {
      minLength: 1,
      maxLength: 25,
    });
    const property = fc.asyncProperty(shapes, fc.integer({ min: 1, max: 12 }), async (sizes, concurrency) => {
      const folder = home.make();
      writeFiles(join(folder, 'export'), exportOfSizes(sizes));
      const store = join(folder, 'chatferry.db');
      await planTemplate(store, [join(folder, 'export')], new VirtualClock());
      const scene = sceneOf({ template: { store, made: small.made }, sending: { options: { concurrency } } });
      const { requests } = await send(scene.sending);
      const messages = sizes.reduce((sum, size) => sum + size, 0);
      expect(requests.import).toBe(Math.ceil(messages / 50));
      expect(scene.imports.flat()).toHaveLength(messages);
    });
    await fc.assert(property, { numRuns: isNightly ? 12 : 5 });
  });

  it('keeps each request below the bytes that it may have', async () => {
    const batchBytesMax = 4000;
    const sizes: number[] = [];
    const scene = sceneOf({
      onImport: (body) => sizes.push(Buffer.byteLength(body)),
      sending: { profile: { batchBytesMax } },
    });
    const { report } = await send(scene.sending);
    expect(report.totals).toMatchObject(everythingIsThere(small));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(batchBytesMax);
    expectDelivered(scene, small.made);
  });

  it('sends nothing a second time', async () => {
    const scene = sceneOf();
    await send(scene.sending);
    const { requests, report } = await send(scene.sending);
    expect(requests).toEqual({ import: 0, list: 0, retried: 0, rateLimited: 0 });
    expect(report.totals).toMatchObject(everythingIsThere(small));
  });
});

/** Channels with so many messages each. */
function exportOfSizes(sizes: readonly number[]): Record<string, unknown> {
  const author = userId(1);
  const channels = sizes.map((_, index) => ({
    id: `C${String(index).padStart(8, '0')}`,
    name: `c${index}`,
    members: [author],
  }));
  const days = sizes.map((size, index) => [
    `c${index}/2024-03-01.json`,
    Array.from({ length: size }, (_, position) =>
      message(`${1_709_251_200 + position}.000100`, author, `${index} ${position}`),
    ),
  ]);
  return { 'users.json': [user(author)], 'channels.json': channels, ...Object.fromEntries(days) };
}

describe('delivery of messages that the service does not take', () => {
  it('finds the one message that spoils every request, and sends the others', async () => {
    const poison = plannedMessages(large.store)[400]!;
    const scene = sceneOf({
      template: large,
      rules: [{ answer: 'error', status: 400, code: 'ERR_BAD_REQUEST', muids: [poison.muid] }],
    });
    const { report, requests } = await send(scene.sending);
    expect(report.totals).toMatchObject({ failed: 1, imported: large.made.planned - 1, pending: 0, unconfirmed: 0 });
    expect(report.failed).toMatchObject([{ code: 'ERR_BAD_REQUEST', count: 1 }]);
    // Halving 50 takes six steps of two requests.
    expect(requests.import).toBeLessThanOrEqual(Math.ceil(large.made.planned / 50) + 12);
    expectDelivered(scene, large.made, new Set([poison.text]));
  });

  it.each(['error', 'page'] as const)('finds it even if the request just fails: %s', async (answer) => {
    const poison = plannedMessages(large.store)[40]!;
    const scene = sceneOf({ template: large, rules: [{ answer, muids: [poison.muid] }] });
    const { report, stopped } = await send({ ...scene.sending, profile: { batchItemsMax: 10 } });
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ failed: 1, imported: large.made.planned - 1 });
    expectDelivered(scene, large.made, new Set([poison.text]));
  });

  it.each([0, 1, 2])('leaves two of the last ones to the user, next to each other at place %i', async (place) => {
    const planned = plannedMessages(small.store);
    const poisons = planned.slice(place, place + 2);
    const muids = poisons.map(({ muid }) => muid);
    const texts = new Set(poisons.map(({ text }) => text));
    const scene = sceneOf({ rules: [{ answer: 'page', status: 504, muids }] });
    const first = await send(scene.sending);
    expect(first.stopped?.message).toContain('answers no import with the 2 messages that are left');
    expect(first.report.totals).toMatchObject({ failed: 0, pending: 2, imported: small.made.planned - 2 });
    const { report, stopped } = await send({ ...scene.sending, oneByOne: true });
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ failed: 2, imported: small.made.planned - 2 });
    expectDelivered(scene, small.made, texts);
  });

  it('records the error of the service for one message, and continues after it', async () => {
    const [, , bad] = plannedMessages(small.store);
    const scene = sceneOf({ rules: [{ answer: 'items-refused', muids: [bad!.muid], code: 'ERR_NOT_TODAY' }] });
    const { report } = await send(scene.sending);
    expect(report.totals).toMatchObject({ failed: 1, imported: small.made.planned - 1, late: 0 });
    expect(report.failed).toMatchObject([
      { code: 'ERR_NOT_TODAY', examples: [{ detail: expect.stringContaining('configured to refuse') }] },
    ]);
    expectDelivered(scene, small.made, new Set([bad!.text]));
  });

  it('stops asking about a message that the service neither stores nor mentions', async () => {
    const [ghost] = plannedMessages(large.store);
    const scene = sceneOf({
      template: large,
      rules: [{ answer: 'normal', applied: 'others', muids: [ghost!.muid] }],
      sending: { profile: { batchItemsMax: 10 } },
    });
    const { report, requests } = await send(scene.sending);
    expect(report.totals).toMatchObject({ imported: large.made.planned - 1, failed: 1, unconfirmed: 0 });
    expect(report.failed).toMatchObject([{ code: 'no_answer' }]);
    expect(requests.import).toBeLessThan(large.made.planned / 10 + 20);
    expectDelivered(scene, large.made, new Set([ghost!.text]));
  });

  it('stops when one refusal takes over', async () => {
    const scene = sceneOf({
      template: large,
      rules: [{ answer: 'items-refused', share: 1, code: 'ERR_NOT_TODAY' }],
      sending: { options: { maxFailureShare: 0.2 } },
    });
    const { report, stopped } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'ERR_NOT_TODAY' });
    expect(report.totals.failed).toBeGreaterThanOrEqual(200);
    expect(report.totals.failed).toBeLessThanOrEqual(300);
    expect(report.totals).toSatisfy(isBalanced);
  });
});

describe('delivery to a service that is down', () => {
  const operations = ['importMessages' as const];
  const outages: readonly (readonly [string, Rule])[] = [
    ['answers with a gateway page', { answer: 'page', status: 504, operations }],
    ['cuts every connection', { answer: 'reset', applied: 'nothing', operations }],
    ['answers with its own error', { answer: 'error', status: 503, code: 'ERR_SERVICE_UNAVAILABLE', operations }],
  ];

  it.each(outages)('blames no message: %s', async (_, outage) => {
    const scene = sceneOf({ rules: [outage] });
    await expectBlameless(scene);
  });

  it('blames no message if it does not mention any', async () => {
    const muids = plannedMessages(small.store).map(({ muid }) => muid);
    await expectBlameless(sceneOf({ rules: [{ answer: 'normal', applied: 'others', muids }] }));
  });

  it('blames no message if it refuses connections', async () => {
    const scene = sceneOf();
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const { transport } = scene.sending;
    const refusing: Transport = {
      ...transport,
      send: (request, signal) =>
        request.method === 'POST' ? Promise.reject(refused) : transport.send(request, signal),
    };
    await expectBlameless(scene, { ...scene.sending, transport: refusing });
  });

  /** It stops, everything is pending, and the next run brings it when nothing is broken any more. */
  async function expectBlameless(scene: Scene, sending = scene.sending): Promise<void> {
    const { report, stopped } = await send(sending);
    expect(stopped?.name).toBe('DestinationError');
    expect(report.totals).toMatchObject({ failed: 0, pending: small.made.planned, unconfirmed: 0 });
    scene.sandbox.plan = {};
    expect((await send(scene.sending)).report.totals).toMatchObject({ ...everythingIsThere(small), late: 0 });
    expectDelivered(scene, small.made);
  }

  it('blames no message when it goes down in the middle', async () => {
    const scene = sceneOf({
      rules: [{ answer: 'page', status: 504, operations, skip: 6 }],
      sending: { profile: { batchItemsMax: 5 }, options: { concurrency: 6 } },
    });
    const { report, stopped } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'http_504' });
    expect(report.totals).toMatchObject({ failed: 0, unconfirmed: 0, imported: 30 });
    scene.sandbox.plan = {};
    await send(scene.sending);
    expectDelivered(scene, small.made);
  });

  it('stops at a key that is not accepted, after no more requests than were in flight', async () => {
    const scene = sceneOf({
      rules: [{ answer: 'error', status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND', operations }],
      sending: { profile: { batchItemsMax: 5 } },
    });
    const { report, requests, stopped } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'AUTH_ERR_APIKEY_NOT_FOUND' });
    expect(stopped?.message).not.toContain(apiKey);
    expect(requests.import).toBeLessThanOrEqual(3);
    expect(report.totals).toMatchObject({ pending: small.made.planned, unconfirmed: 0, failed: 0 });
  });

  it('stops if the service asks for too long a wait', async () => {
    const scene = sceneOf({ rules: [{ answer: 'rate-limited', retryAfter: 86_400, operations }] });
    const before = scene.clock.now();
    const { stopped, report } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'ERR_TOO_MANY_REQUESTS' });
    expect(scene.clock.now() - before).toBeLessThan(60_000);
    expect(report.totals).toMatchObject({ pending: small.made.planned, unconfirmed: 0 });
  });
});

describe('delivery at the rate of the service', () => {
  const paced = (scene: Scene, perMinute: { import?: number }): Sending => ({
    ...scene.sending,
    pace: () =>
      sharedPace({ address: 'bench', perMinute, clock: scene.clock, onWait() {}, path: join(scene.folder, 'pace.db') }),
  });

  it('learns an unknown rate from the first answer, and gets no 429', async () => {
    const scene = sceneOf({ template: large, sandboxProfile: 'hosted', sending: { profile: { batchItemsMax: 7 } } });
    const { report, requests } = await send(paced(scene, {}));
    expect(requests.rateLimited).toBe(0);
    expect(report.totals).toMatchObject({ pending: 0, unconfirmed: 0 });
  });

  it('spaces requests evenly and gets no 429 if the rate is known', async () => {
    const times: number[] = [];
    const scene = sceneOf({
      template: large,
      sandboxProfile: 'hosted',
      onImport: () => times.push(scene.clock.now()),
    });
    const { requests } = await send(paced(scene, { import: 60 }));
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(requests.rateLimited).toBe(0);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  });
});

describe('delivery into conversations that have messages already', () => {
  it.each(['refused', 'stored'] as const)(
    'recognises what an older copy of its store sent: duplicates %s',
    async (duplicates) => {
      const stopping = new AbortController();
      const scene = sceneOf({
        duplicates,
        onImport: () => scene.imports.length >= 4 && stopping.abort(new Error('stopped')),
        sending: { profile: { batchItemsMax: 10 } },
      });
      const older = copyStore(small.store, scene.folder, 'older.db');
      const first = await send({ ...scene.sending, options: { stopping: stopping.signal } });
      expect(first.report.totals.imported).toBeGreaterThan(30);
      expect(first.report.totals).toMatchObject({ unconfirmed: 0, failed: 0 });

      const { report } = await send({ ...scene.sending, store: older });
      expect(report.totals).toMatchObject({
        ...everythingIsThere(small),
        existing: first.report.totals.imported,
        imported: small.made.planned - first.report.totals.imported,
      });
      expectDelivered(scene, small.made);
    },
  );

  /** Sends these messages from another store, as another user. */
  async function importByOthers(scene: Scene, ...muids: readonly string[]): Promise<void> {
    const store = copyStore(small.store, scene.folder, 'others.db');
    const left = muids.map(() => '?').join(', ');
    tamper(store, `UPDATE message SET verdict = 'skipped', reason = 'left' WHERE muid NOT IN (${left})`, ...muids);
    const { report } = await send({ ...scene.sending, store });
    expect(report.totals).toMatchObject({ imported: muids.length, pending: 0 });
  }

  it('reports messages sent before existing ones as late', async () => {
    const scene = sceneOf();
    const largest = plannedMessages(small.store).filter(
      ({ conversation }, _, all) => conversation === all[0]!.conversation,
    );
    const there = largest.slice(4, 8);
    await importByOthers(scene, ...there.map(({ muid }) => muid));
    const { report } = await send(scene.sending);
    expect(report.totals).toMatchObject({ ...everythingIsThere(small), existing: 4, late: 4 });
    expect(lateTexts(scene.sending.store)).toEqual(new Set(largest.slice(0, 4).map(({ text }) => text)));
    expectDelivered(scene, small.made);
    expect(await check(scene.sending)).toMatchObject({ same: small.made.planned, different: 0, duplicated: 0 });
  });

  it('fails a message that exists with other content, and does not change it', async () => {
    const scene = sceneOf();
    const [, target] = plannedMessages(small.store);
    await importByOthers(scene, target!.muid);
    tamper(
      scene.data,
      `UPDATE message SET data = json_set(data, '$.text', 'something else') WHERE muid = ?`,
      target!.muid,
    );
    const { report } = await send(scene.sending);
    expect(report.totals).toMatchObject({ failed: 1, imported: small.made.planned - 1, existing: 0 });
    expect(report.failed).toMatchObject([
      { code: 'different-content', examples: [{ detail: 'already there with another text' }] },
    ]);
    expect(await check(scene.sending)).toMatchObject({ different: 1, same: small.made.planned - 1 });
  });

  it('sends all other messages if one exists twice', async () => {
    const scene = sceneOf({ duplicates: 'stored' });
    const [, target] = plannedMessages(small.store);
    await importByOthers(scene, target!.muid);
    const columns = 'muid, conversation, sender, receiver, receiver_type, category, type, data, tags, sent_at';
    tamper(scene.data, `INSERT INTO message (${columns}) SELECT ${columns} FROM message WHERE muid = ?`, target!.muid);
    const { report } = await send(scene.sending);
    expect(report.totals).toMatchObject({ existing: 1, imported: small.made.planned - 1, pending: 0 });
    expect(await check(scene.sending)).toMatchObject({ same: small.made.planned, duplicated: 1 });
  });

  it('fails a message that exists in another conversation', async () => {
    const scene = sceneOf();
    const planned = plannedMessages(small.store);
    const target = planned[1]!;
    const elsewhere = planned.find(({ conversation }) => conversation !== target.conversation)!;
    await importByOthers(scene, elsewhere.muid);
    tamper(scene.data, 'UPDATE message SET muid = ?', target.muid);
    const { report, requests } = await send(scene.sending);
    expect(report.failed).toMatchObject([{ code: 'ERR_IMPORT_MUID_ALREADY_EXISTS', count: 1 }]);
    expect(report.totals).toMatchObject({ failed: 1, imported: small.made.planned - 1 });
    expect(requests.import).toBeLessThan(10);
  });

  it('counts a message that another program imported between its read and its request as existing', async () => {
    const scene = sceneOf({
      rules: [{ answer: 'normal', applied: 'twice', operations: ['importMessages'], times: 1 }],
    });
    const { report } = await send(scene.sending);
    expect(report.totals).toMatchObject({ ...everythingIsThere(small), existing: 50 });
    expectDelivered(scene, small.made);
  });
});

describe('delivery that is interrupted', () => {
  it('lets requests in flight finish and begins no other', async () => {
    const stopping = new AbortController();
    const scene = sceneOf({
      onImport: () => stopping.abort(new Error('stopped')),
      sending: { profile: { batchItemsMax: 5 } },
    });
    const { report, requests } = await send({ ...scene.sending, options: { stopping: stopping.signal } });
    expect(requests.import).toBeLessThanOrEqual(3);
    expect(report.totals).toMatchObject({ unconfirmed: 0, imported: requests.import * 5 });
    await send(scene.sending);
    expectDelivered(scene, small.made);
  });

  const cuts: readonly (readonly [string, Rule])[] = [
    ['it was applied', { answer: 'reset', applied: 'whole' }],
    ['it was not applied', { answer: 'reset', applied: 'nothing' }],
    ['it is applied later', { answer: 'page', status: 504, applied: 'late', lateMs: 60_000 }],
    ['its last messages were applied', { answer: 'reset', applied: 'last-part' }],
  ];
  it.each(cuts)('finds out first what became of a request that was cut: %s', async (fate, rule) => {
    const cutting = new AbortController();
    const scene = sceneOf({
      rules: [{ ...rule, operations: ['importMessages'], times: 1 }],
      onImport: () => cutting.abort(new Error('cut')),
      sending: { profile: { batchItemsMax: 8 } },
    });
    const { signal } = cutting;
    const cut = await send({ ...scene.sending, options: { signal, stopping: signal, concurrency: 1 } });
    expect(cut.report.totals).toMatchObject({ unconfirmed: 8, imported: 0, failed: 0 });
    expect(cut.report.totals).toSatisfy(isBalanced);
    const before = scene.clock.now();
    const { report } = await send(scene.sending);
    expect(report.totals).toMatchObject({ ...everythingIsThere(small), existing: 0 });
    if (fate === 'it was not applied') expect(scene.clock.now() - before).toBeGreaterThanOrEqual(120_000);
    if (fate === 'it was applied') expect(scene.clock.now() - before).toBe(0);
    expectDelivered(scene, small.made);
    expect(await check(scene.sending)).toMatchObject({ same: small.made.planned, different: 0, duplicated: 0 });
  });
});
