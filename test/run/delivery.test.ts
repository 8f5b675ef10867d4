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
import { temporaryFolder } from './temporary-folder.ts';
import { VirtualClock } from './virtual-clock.ts';

const home = temporaryFolder();

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
  onTestFinished(() => sandbox.close());
  const { readFault } = options;
  const transport = faultyTransport({
    ...{ sandbox, clock, random, importFault, lateMs: 100_000 },
    ...(readFault && { readFault }),
  });
  const store = copyStore(template.store, folder);
  return { folder, data, transport, sending: { store, transport, clock, random, ...options.sending } };
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
    for (let seed = 1; seed <= 80; seed++) {
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
    }
  });
});
