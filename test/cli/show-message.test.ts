import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseOf, openStoreToRead } from '../../src/store/open.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { showMessage } from '../../src/commands/check.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { createInProcessTransport } from '../../src/sandbox/in-process.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import type { Profile } from '../../src/service/profiles.ts';
import type { Transport } from '../../src/service/transport.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { renderShownMessage } from '../../src/cli/prepare/plan-command.ts';
import { apiKey, copyStore, send } from '../scenes/bench.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import type { ShownMessage } from '../../src/commands/results.ts';

const home = temporaryFolderInMemory();
const address = 'https://bench.example';

const records = [
  person('U1', {
    name: 'Ada "the first" Lovelace',
    avatarUrl: 'https://example.com/ada.png',
    createdAtMs: 1_600_000_000_000,
  }),
  person('U2', { name: 'Bob 😀' }),
  person('U3', { name: 'Cleo' }),
  channel('C1', { name: 'general', topic: 'a topic', members: ['U1', 'U2'] }),
  channel('D1', { name: '', type: 'direct', members: ['U1', 'U2'] }),
  channel('D2', { name: '', type: 'direct', members: ['U1', 'U3'] }),
  says(1, 'C1', 'U1', 'a root, "quoted" \u202e and \u009b31m', {
    reactions: [{ emoji: '👍', users: ['U2'], count: 1 }],
  }),
  says(2, 'C1', 'U2', 'a reply', { threadRoot: 'm1' }),
  says(3, 'D1', 'U2', 'for two'),
  says(4, 'D2', 'U2', 'a third one'),
  says(5, 'C1', 'U1', 'words '.repeat(40), { attachments: [{ name: 'a.png', url: 'https://example.com/a.png' }] }),
  says(6, 'C1', 'U9', 'gone', { isDeleted: true }),
];

let template: string;
beforeAll(async () => {
  const folder = home.make();
  const exports = [writeRecords(join(folder, 'export.ndjson'), records)];
  const mapping = 'messages: { overlong: split, textCharsMax: 100 }';
  const request = await sessionRequest(folder, { from: exports, to: address, mapping });
  await planExport(request);
  template = request.store;
});

function muidsOf(store: string, verdict: string): string[] {
  const opened = openStoreToRead(store);
  try {
    return databaseOf(opened)
      .prepare('SELECT muid FROM message WHERE verdict = ? ORDER BY seq')
      .pluck()
      .all(verdict) as string[];
  } finally {
    opened.close();
  }
}

interface Showing {
  readonly store?: string;
  readonly profile?: Profile['name'];
}

const show = (muid: string, { store = template, profile }: Showing = {}): Promise<ShownMessage> =>
  showMessage(muid, {
    store,
    profile,
    to: address,
    overrides: {},
    apiKey: undefined,
    concurrency: 1,
    clock: systemClock,
  });

/** The bodies of all import requests of a run that sends one message in each, by the muid in it. */
async function sentBodies(store: string, details: 'always' | 'never', profile: Profile['name']) {
  const folder = home.make();
  const sandbox = createSandbox({
    store: openSandboxStore(join(folder, 'server.db')),
    apiKey,
    clock: systemClock,
    profile,
  });
  const inner = createInProcessTransport(sandbox);
  const bodies = new Map<string, string>();
  const transport: Transport = {
    close: () => inner.close(),
    send(request, signal) {
      if (request.path.includes('data_import')) {
        const body = Buffer.from(request.body!).toString();
        bodies.set(Object.keys((JSON.parse(body) as { messages: object }).messages)[0]!, body);
      }
      return inner.send(request, signal);
    },
  };
  const own = profile === 'hosted' ? ({ timesAs: 'integer', groupDetailsIn: 'receiverGroupDetails' } as const) : {};
  await send({
    store,
    transport,
    address,
    clock: systemClock,
    random: Math.random,
    profile: { batchItemsMax: 1, ...own },
    options: { sendProfiles: details },
  });
  sandbox.close();
  return bodies;
}

const showAll = async (muids: readonly string[], showing: Showing = {}) =>
  (await Promise.all(muids.map((muid) => show(muid, showing)))).flatMap(({ parts }) => parts);

describe('showMessage()', () => {
  it.each([
    ['always', 'spec'],
    ['never', 'spec'],
    ['always', 'hosted'],
    ['never', 'hosted'],
  ] as const)(
    'shows every message byte for byte as import --send-profiles %s sends it, profile %s',
    async (details, profile) => {
      const store = copyStore(template, home.make());
      const muids = muidsOf(store, 'planned').filter((muid) => muid.length === 27);
      const parts = await showAll(muids, { store, profile });
      const bodies = await sentBodies(store, details, profile);
      expect(bodies.size).toBe(7);
      expect(Object.fromEntries(parts.map((part) => [part.muid, part[details]]))).toEqual(Object.fromEntries(bodies));
      // Sent or not, it looks the same.
      expect(await showAll(muids, { store, profile })).toEqual(parts);
    },
  );

  it('shows the details of people apart: what --send-profiles always adds to never', async () => {
    const muids = muidsOf(template, 'planned');
    const [direct, third] = await showAll(muids.slice(2, 4));
    expect(direct!.details).toEqual({
      senderUserDetails: { uid: 'u2', name: 'Bob 😀' },
      receiverUserDetails: {
        uid: 'u1',
        name: 'Ada "the first" Lovelace',
        avatar: 'https://example.com/ada.png',
        createdAt: 1_600_000_000,
      },
    });
    expect(Object.keys(third!.details)).toEqual(['senderUserDetails', 'receiverUserDetails']);
    expect(JSON.parse(direct!.never)).not.toHaveProperty(['messages', direct!.muid, 'senderUserDetails']);
  });

  it('shows all parts of a text that was split, and a part alone', async () => {
    const parts = muidsOf(template, 'planned').filter((muid) => muid.length > 27);
    const head = parts[0]!.slice(0, 27);
    expect((await show(head)).parts.map(({ muid }) => muid)).toEqual([head, ...parts]);
    expect((await show(parts[0]!)).parts.map(({ muid }) => muid)).toEqual([parts[0]]);
  });

  it('refuses a muid that the store does not have, and one that is not sent', async () => {
    await expect(show('m1nobody')).rejects.toThrow(/has no message with this muid/);
    const [deleted] = muidsOf(template, 'skipped');
    await expect(show(deleted!)).rejects.toThrow('it is not sent, but skipped: deleted at the source');
  });

  it('is printed without a character that a terminal obeys, as the same JSON', async () => {
    const shown = await show(muidsOf(template, 'planned')[0]!);
    const text = renderShownMessage(shown);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    const line = text.split('\n').find((candidate) => candidate.startsWith('{'))!;
    expect(JSON.parse(line)).toEqual(JSON.parse(shown.parts[0]!.never));
  });
});
