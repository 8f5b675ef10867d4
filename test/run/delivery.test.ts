import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Books } from '../../src/model/books.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { sharedPace } from '../../src/upload/pace.ts';
import { apiKey, check, copyStore, planTemplate, type Sending, type Sent, send } from './bench.ts';
import { type Fault, type FaultyTransport, faultyTransport, serviceError } from './faults.ts';
import { type GeneratedExport, makeExport, message, seeded, user, userId, writeFiles } from './make-export.ts';
import { byName, sandboxContents } from './sandbox-contents.ts';
import { temporaryFolderInMemory } from './temporary-folder.ts';
import { VirtualClock } from './virtual-clock.ts';

const home = temporaryFolderInMemory();
/** Three servers: more than 200 seeds together. */
const seedsPerServer = 70;

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

interface Scene {
  /** Done by itself at the end of a test; earlier where a test has many. */
  readonly close: () => void;
  readonly clock: VirtualClock;
  readonly folder: string;
  readonly data: string;
  readonly transport: FaultyTransport;
  readonly sending: Sending;
}

interface SceneOptions {
  readonly template?: Template;
  readonly seed?: number;
  readonly duplicates?: 'refused' | 'stored';
  readonly sandboxProfile?: 'spec' | 'public';
  readonly importFault?: (muids: readonly string[]) => Fault | ReturnType<typeof serviceError>;
  readonly readFault?: () => 'none' | 'reset' | 'unavailable' | 'rate-limited';
  readonly refused?: ReadonlySet<string>;
  readonly ignored?: ReadonlySet<string>;
  readonly sending?: Partial<Sending>;
}

/** A planned store, a server, and the network between them. */
function sceneOf(options: SceneOptions = {}): Scene {
  const { template = small, seed = 1, duplicates = 'refused', importFault = () => 'none' as const } = options;
  const folder = home.make();
  const data = join(folder, 'server.db');
  const clock = new VirtualClock();
  const random = seeded(seed);
  const sandbox = createSandbox({
    store: openSandboxStore(data, { synchronous: 'NORMAL' }),
    ...{ apiKey, clock, duplicates, profile: options.sandboxProfile ?? 'spec' },
  });
  const close = () => {
    clock.stop();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(close);
  const { readFault, refused, ignored } = options;
  const transport = faultyTransport({
    ...{ sandbox, clock, random, importFault, lateMs: 100_000 },
    ...(readFault && { readFault }),
    ...(refused && { refused }),
    ...(ignored && { ignored }),
  });
  const store = copyStore(template.store, folder);
  return { close, clock, folder, data, transport, sending: { store, transport, clock, random, ...options.sending } };
}

const isBalanced = (books: Books): boolean =>
  books.read === books.planned + books.skipped + books.rejected &&
  books.planned === books.imported + books.present + books.refused + books.pending + books.inDoubt;

/** Sends again until nothing is left, as a user would. */
async function sendAll(sending: Sending, runsMax = 12): Promise<Sent> {
  let sent = await send(sending);
  for (let runs = 1; sent.report.books.pending + sent.report.books.inDoubt > 0 && runs < runsMax; runs++) {
    expect(sent.report.books).toSatisfy(isBalanced);
    sent = await send(sending);
  }
  return sent;
}

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

/** Every message once, in order where it is not named as late. */
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

const faults: readonly Fault[] = [
  'refused-connection',
  'rate-limited',
  'applied-reset',
  'applied-500',
  'applied-504',
  'applied-cut',
  'keys-missing',
  'lost-reset',
  'lost-504',
  'half-500',
  'late-504',
];

/** Breaks a third of all requests, but the same message not more than twice in a row: an outage is another test. */
function randomFaults(random: () => number): (muids: readonly string[]) => Fault {
  const counts = new Map<string, number>();
  return (muids) => {
    const isDue = random() < 0.33 && muids.every((muid) => (counts.get(muid) ?? 0) < 2);
    for (const muid of muids) counts.set(muid, isDue ? (counts.get(muid) ?? 0) + 1 : 0);
    return isDue ? faults[Math.floor(random() * faults.length)]! : 'none';
  };
}

function randomReadFaults(random: () => number) {
  const kinds = ['reset', 'unavailable', 'rate-limited'] as const;
  return () => (random() < 0.1 ? kinds[Math.floor(random() * 3)]! : 'none');
}

describe('delivery over a network that breaks', () => {
  const servers = [
    { server: 'refused', profile: 'unknown' },
    { server: 'refused', profile: 'refused' },
    { server: 'stored', profile: 'unknown' },
  ] as const;

  it.each(servers)('brings every message once and in order: duplicates $server there, $profile to us', async (kind) => {
    for (let seed = 1; seed <= seedsPerServer; seed++) {
      const random = seeded(seed);
      const scene = sceneOf({
        seed,
        duplicates: kind.server,
        importFault: randomFaults(random),
        readFault: randomReadFaults(random),
        sending: { profile: { batchItemsMax: 1 + Math.floor(random() * 12), duplicates: kind.profile } },
      });
      const { report } = await sendAll(scene.sending);
      const context = `seed ${seed}`;
      expect(report.books, context).toMatchObject({ refused: 0, pending: 0, inDoubt: 0, planned: small.made.planned });
      expect(report.books, context).toSatisfy(isBalanced);
      try {
        expectDelivered(scene, small.made);
      } catch (error) {
        throw new Error(`${context}: ${(error as Error).message}`, { cause: error });
      }
      expect(await check(scene.sending), context).toEqual({
        ...{ same: small.made.planned, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 },
      });
      scene.close();
    }
  });
});

const everythingIsThere = (template: Template) => ({
  ...{ read: template.made.read, planned: template.made.planned, rejected: 0, refused: 0, pending: 0, inDoubt: 0 },
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
    const sizes = scene.transport.imports.map(({ length }) => length);
    expect({ stopped, ...report.books }).toMatchObject({ stopped: undefined, ...everythingIsThere(large), late: 0 });
    expect(requests).toMatchObject({ import: Math.ceil(large.made.planned / 50), retried: 0, rateLimited: 0 });
    expect(sizes.filter((size) => size !== 50).length).toBeLessThan(2);
    expectDelivered(scene, large.made);
  });

  it('makes exactly ceil(messages / 50) requests whatever the conversations look like', async () => {
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
      expect(scene.transport.imports.flat()).toHaveLength(messages);
      scene.close();
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it('keeps each request below the bytes that it may have', async () => {
    const batchBytesMax = 4000;
    const sizes: number[] = [];
    const scene = sceneOf({ template: small, sending: { profile: { batchBytesMax } } });
    const { transport } = scene;
    const measuring = {
      ...transport,
      send: (request: Parameters<typeof transport.send>[0], signal: AbortSignal) => {
        if (request.method === 'POST') sizes.push(Buffer.byteLength(request.body!));
        return transport.send(request, signal);
      },
    };
    const { report } = await send({ ...scene.sending, transport: measuring });
    expect(report.books).toMatchObject(everythingIsThere(small));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(batchBytesMax);
    expectDelivered(scene, small.made);
  });

  it('sends nothing a second time', async () => {
    const scene = sceneOf();
    await send(scene.sending);
    const { requests, report } = await send(scene.sending);
    expect(requests).toEqual({ import: 0, list: 0, retried: 0, rateLimited: 0 });
    expect(report.books).toMatchObject(everythingIsThere(small));
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
      importFault: (muids) => (muids.includes(poison.muid) ? serviceError(400, 'ERR_BAD_REQUEST') : 'none'),
    });
    const { report, requests } = await send(scene.sending);
    expect(report.books).toMatchObject({ refused: 1, imported: large.made.planned - 1, pending: 0, inDoubt: 0 });
    expect(report.refused).toMatchObject([{ code: 'ERR_BAD_REQUEST', count: 1 }]);
    // Halving 50 takes six steps of two requests.
    expect(requests.import).toBeLessThanOrEqual(Math.ceil(large.made.planned / 50) + 12);
    expectDelivered(scene, large.made, new Set([poison.text]));
  });

  it.each(['ERR_EXCEPTION', undefined])('finds it also where the request just breaks (%s)', async (code) => {
    const poison = plannedMessages(small.store)[40]!;
    const broken = code ? serviceError(500, code) : { status: 502, headers: {}, body: '<html>' };
    const scene = sceneOf({ importFault: (muids) => (muids.includes(poison.muid) ? broken : 'none') });
    const { report, stopped } = await send({ ...scene.sending, profile: { batchItemsMax: 10 } });
    expect(stopped).toBeUndefined();
    expect(report.books).toMatchObject({ refused: 1, imported: small.made.planned - 1 });
    expectDelivered(scene, small.made, new Set([poison.text]));
  });

  it.each([0, 1, 2])('finds two of them next to each other, at place %i of the last batch', async (place) => {
    const planned = plannedMessages(small.store);
    const poisons = planned.slice(place, place + 2);
    const muids = new Set(poisons.map(({ muid }) => muid));
    const texts = new Set(poisons.map(({ text }) => text));
    const scene = sceneOf({ importFault: (sent) => (sent.some((muid) => muids.has(muid)) ? 'lost-504' : 'none') });
    const { report, stopped } = await send(scene.sending);
    expect(stopped).toBeUndefined();
    expect(report.books).toMatchObject({ refused: 2, imported: small.made.planned - 2 });
    expectDelivered(scene, small.made, texts);
  });

  it('writes down what the service says about one message, and goes on behind it', async () => {
    const [, , bad] = plannedMessages(small.store);
    const scene = sceneOf({ refused: new Set([bad!.muid]) });
    const { report } = await send(scene.sending);
    expect(report.books).toMatchObject({ refused: 1, imported: small.made.planned - 1, late: 0 });
    expect(report.refused).toMatchObject([{ code: 'ERR_NOT_TODAY', examples: [{ detail: 'Not today' }] }]);
    expectDelivered(scene, small.made, new Set([bad!.text]));
  });

  it('stops asking about a message that the service neither stores nor mentions', async () => {
    const [ghost] = plannedMessages(small.store);
    const scene = sceneOf({ ignored: new Set([ghost!.muid]), sending: { profile: { batchItemsMax: 10 } } });
    const { report, requests } = await send(scene.sending);
    expect(report.books).toMatchObject({ imported: small.made.planned - 1, refused: 1, inDoubt: 0 });
    expect(report.refused).toMatchObject([{ code: 'no_answer' }]);
    expect(requests.import).toBeLessThan(30);
    expectDelivered(scene, small.made, new Set([ghost!.text]));
  });

  it('stops when one refusal takes over', async () => {
    const all = new Set(plannedMessages(large.store).map(({ muid }) => muid));
    const scene = sceneOf({ template: large, refused: all, sending: { options: { maxRefusedShare: 0.2 } } });
    const { report, stopped } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'ERR_NOT_TODAY' });
    expect(report.books.refused).toBeGreaterThanOrEqual(200);
    expect(report.books.refused).toBeLessThanOrEqual(300);
    expect(report.books).toSatisfy(isBalanced);
  });
});

describe('delivery to a service that is down', () => {
  const outages = [
    ['answers with a gateway page', 'lost-504'],
    ['cuts every connection', 'lost-reset'],
    ['answers with its own error', serviceError(503, 'ERR_SERVICE_UNAVAILABLE')],
    ['does not mention a message', { status: 200, headers: {}, body: '{"data":{}}' }],
    ['refuses connections', 'refused-connection'],
  ] as const;

  it.each(outages)('blames no message: %s', async (_, outage) => {
    let isDown = true;
    const scene = sceneOf({ importFault: () => (isDown ? outage : 'none') });
    const { report, stopped } = await send(scene.sending);
    expect(stopped?.name).toBe('DestinationError');
    expect(report.books).toMatchObject({ refused: 0, pending: small.made.planned, inDoubt: 0 });
    isDown = false;
    expect((await send(scene.sending)).report.books).toMatchObject({ ...everythingIsThere(small), late: 0 });
    expectDelivered(scene, small.made);
  });

  it('blames no message when it goes down in the middle', async () => {
    let left = 6;
    const scene = sceneOf({
      importFault: () => (left-- > 0 ? 'none' : 'lost-504'),
      sending: { profile: { batchItemsMax: 5 }, options: { concurrency: 6 } },
    });
    const { report, stopped } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'http_504' });
    expect(report.books).toMatchObject({ refused: 0, inDoubt: 0, imported: 30 });
    left = Number.POSITIVE_INFINITY;
    await send(scene.sending);
    expectDelivered(scene, small.made);
  });

  it('stops at a key that is not accepted, after no more requests than were in flight', async () => {
    const scene = sceneOf({
      importFault: () => serviceError(401, 'AUTH_ERR_APIKEY_NOT_FOUND'),
      sending: { profile: { batchItemsMax: 5 } },
    });
    const { report, requests, stopped } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'AUTH_ERR_APIKEY_NOT_FOUND' });
    expect(stopped?.message).not.toContain(apiKey);
    expect(requests.import).toBeLessThanOrEqual(3);
    expect(report.books).toMatchObject({ pending: small.made.planned, inDoubt: 0, refused: 0 });
  });

  it('stops where it asks for a longer wait than anybody has', async () => {
    const scene = sceneOf({
      importFault: () => serviceError(429, 'ERR_TOO_MANY_REQUESTS', { 'retry-after': '86400' }),
    });
    const before = scene.clock.now();
    const { stopped, report } = await send(scene.sending);
    expect(stopped).toMatchObject({ code: 'ERR_TOO_MANY_REQUESTS' });
    expect(scene.clock.now() - before).toBeLessThan(60_000);
    expect(report.books).toMatchObject({ pending: small.made.planned, inDoubt: 0 });
  });
});

describe('delivery at the rate of the service', () => {
  const paced = (scene: Scene, perMinute: { import?: number }): Sending => ({
    ...scene.sending,
    pace: () =>
      sharedPace({ address: 'bench', perMinute, clock: scene.clock, onWait() {}, path: join(scene.folder, 'pace.db') }),
  });

  it('obeys every 429 of a rate that nobody told it', async () => {
    const scene = sceneOf({ template: large, sandboxProfile: 'public', sending: { profile: { batchItemsMax: 7 } } });
    const { report, requests } = await send(paced(scene, {}));
    expect(requests.rateLimited).toBeGreaterThan(0);
    expect(report.books).toMatchObject({ pending: 0, inDoubt: 0 });
  });

  it('spaces requests evenly and meets no 429 where the rate is known', async () => {
    const times: number[] = [];
    const scene = sceneOf({
      template: large,
      sandboxProfile: 'public',
      importFault: () => {
        times.push(scene.clock.now());
        return 'none';
      },
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
      const scene = sceneOf({ duplicates, sending: { profile: { batchItemsMax: 10 } } });
      const older = copyStore(small.store, scene.folder, 'older.db');
      const stopping = new AbortController();
      const partly = { ...scene.transport, send: scene.transport.send };
      partly.send = (request, signal) => {
        if (scene.transport.imports.length >= 4) stopping.abort(new Error('stopped'));
        return scene.transport.send(request, signal);
      };
      const first = await send({ ...scene.sending, transport: partly, options: { stopping: stopping.signal } });
      expect(first.report.books.imported).toBeGreaterThan(30);
      expect(first.report.books).toMatchObject({ inDoubt: 0, refused: 0 });

      const { report } = await send({ ...scene.sending, store: older });
      expect(report.books).toMatchObject({
        ...everythingIsThere(small),
        present: first.report.books.imported,
        imported: small.made.planned - first.report.books.imported,
      });
      expectDelivered(scene, small.made);
    },
  );

  /** Somebody else sends these messages, from a store of their own. */
  async function importByOthers(scene: Scene, ...muids: readonly string[]): Promise<void> {
    const store = copyStore(small.store, scene.folder, 'others.db');
    const left = muids.map(() => '?').join(', ');
    tamper(store, `UPDATE message SET verdict = 'skipped', reason = 'left' WHERE muid NOT IN (${left})`, ...muids);
    const { report } = await send({ ...scene.sending, store });
    expect(report.books).toMatchObject({ imported: muids.length, pending: 0 });
  }

  it('names as late what it sends before messages that are there', async () => {
    const scene = sceneOf();
    const largest = plannedMessages(small.store).filter(
      ({ conversation }, _, all) => conversation === all[0]!.conversation,
    );
    const there = largest.slice(4, 8);
    await importByOthers(scene, ...there.map(({ muid }) => muid));
    const { report } = await send(scene.sending);
    expect(report.books).toMatchObject({ ...everythingIsThere(small), present: 4, late: 4 });
    expect(lateTexts(scene.sending.store)).toEqual(new Set(largest.slice(0, 4).map(({ text }) => text)));
    expectDelivered(scene, small.made);
    expect(await check(scene.sending)).toMatchObject({ same: small.made.planned, different: 0, duplicated: 0 });
  });

  it('refuses what is there with other content, and leaves it as it is', async () => {
    const scene = sceneOf();
    const [, target] = plannedMessages(small.store);
    await importByOthers(scene, target!.muid);
    tamper(
      scene.data,
      `UPDATE message SET data = json_set(data, '$.text', 'something else') WHERE muid = ?`,
      target!.muid,
    );
    const { report } = await send(scene.sending);
    expect(report.books).toMatchObject({ refused: 1, imported: small.made.planned - 1, present: 0 });
    expect(report.refused).toMatchObject([
      { code: 'different-content', examples: [{ detail: 'already there with another text' }] },
    ]);
    expect(await check(scene.sending)).toMatchObject({ different: 1, same: small.made.planned - 1 });
  });

  it('sends everything else where a message is there twice', async () => {
    const scene = sceneOf({ duplicates: 'stored' });
    const [, target] = plannedMessages(small.store);
    await importByOthers(scene, target!.muid);
    const columns = 'muid, conversation, sender, receiver, receiver_type, category, type, data, tags, sent_at';
    tamper(scene.data, `INSERT INTO message (${columns}) SELECT ${columns} FROM message WHERE muid = ?`, target!.muid);
    const { report } = await send(scene.sending);
    expect(report.books).toMatchObject({ present: 1, imported: small.made.planned - 1, pending: 0 });
    expect(await check(scene.sending)).toMatchObject({ same: small.made.planned, duplicated: 1 });
  });

  it('gives up on a message that stands in another conversation', async () => {
    const scene = sceneOf();
    const planned = plannedMessages(small.store);
    const target = planned[1]!;
    const elsewhere = planned.find(({ conversation }) => conversation !== target.conversation)!;
    await importByOthers(scene, elsewhere.muid);
    tamper(scene.data, 'UPDATE message SET muid = ?', target.muid);
    const { report, requests } = await send(scene.sending);
    expect(report.refused).toMatchObject([{ code: 'ERR_IMPORT_MUID_ALREADY_EXISTS', count: 1 }]);
    expect(report.books).toMatchObject({ refused: 1, imported: small.made.planned - 1 });
    expect(requests.import).toBeLessThan(10);
  });

  it('calls present what somebody else imported between its look and its request', async () => {
    let isFirst = true;
    const scene = sceneOf({
      importFault: () => {
        const fault = isFirst ? 'overtaken' : 'none';
        isFirst = false;
        return fault;
      },
    });
    const { report } = await send(scene.sending);
    expect(report.books).toMatchObject({ ...everythingIsThere(small), present: 50 });
    expectDelivered(scene, small.made);
  });
});

describe('delivery that is interrupted', () => {
  it.each(['refused', 'stored'] as const)(
    'brings every message once and in order through cuts and faults: duplicates %s',
    async (duplicates) => {
      for (let seed = 1; seed <= 40; seed++) {
        const random = seeded(1000 + seed);
        const faultOf = randomFaults(random);
        let cutting = new AbortController();
        const scene = sceneOf({
          seed,
          duplicates,
          importFault: (muids) => {
            if (random() < 0.15) cutting.abort(new Error('cut'));
            return faultOf(muids);
          },
          sending: { profile: { batchItemsMax: 1 + Math.floor(random() * 12), duplicates: 'unknown' } },
        });
        let sent: Sent | undefined;
        for (let runs = 0; runs < 60 && (!sent || sent.report.books.pending + sent.report.books.inDoubt > 0); runs++) {
          cutting = new AbortController();
          const { signal } = cutting;
          sent = await send({ ...scene.sending, options: { signal, stopping: signal } });
          expect(sent.report.books, `seed ${seed}`).toSatisfy(isBalanced);
        }
        expect(sent?.report.books, `seed ${seed}`).toMatchObject({ ...everythingIsThere(small) });
        try {
          expectDelivered(scene, small.made);
        } catch (error) {
          throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
        }
        expect(await check(scene.sending), `seed ${seed}`).toMatchObject({ same: small.made.planned, duplicated: 0 });
        scene.close();
      }
    },
  );

  it('lets requests in flight finish and begins no other', async () => {
    const stopping = new AbortController();
    const scene = sceneOf({
      importFault: () => {
        stopping.abort(new Error('stopped'));
        return 'none';
      },
      sending: { profile: { batchItemsMax: 5 } },
    });
    const { report, requests } = await send({ ...scene.sending, options: { stopping: stopping.signal } });
    expect(requests.import).toBeLessThanOrEqual(3);
    expect(report.books).toMatchObject({ inDoubt: 0, imported: requests.import * 5 });
    await send(scene.sending);
    expectDelivered(scene, small.made);
  });

  const cuts = ['applied-reset', 'lost-reset', 'late-504', 'last-only-reset'] as const;
  it.each(cuts)('finds out first what became of a request that was cut: %s', async (fault) => {
    const cutting = new AbortController();
    const scene = sceneOf({
      importFault: () => {
        if (cutting.signal.aborted) return 'none';
        cutting.abort(new Error('cut'));
        return fault;
      },
      sending: { profile: { batchItemsMax: 8 } },
    });
    const { signal } = cutting;
    const cut = await send({ ...scene.sending, options: { signal, stopping: signal, concurrency: 1 } });
    expect(cut.report.books).toMatchObject({ inDoubt: 8, imported: 0, refused: 0 });
    expect(cut.report.books).toSatisfy(isBalanced);
    const before = scene.clock.now();
    const { report } = await send(scene.sending);
    expect(report.books).toMatchObject({ ...everythingIsThere(small), present: 0 });
    if (fault === 'lost-reset') expect(scene.clock.now() - before).toBeGreaterThanOrEqual(120_000);
    if (fault === 'applied-reset') expect(scene.clock.now() - before).toBe(0);
    expectDelivered(scene, small.made);
    expect(await check(scene.sending)).toMatchObject({ same: small.made.planned, different: 0, duplicated: 0 });
  });
});
