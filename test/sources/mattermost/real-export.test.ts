import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { messageSchema } from '../../../src/model/records.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { mattermost } from '../../../src/sources/mattermost/index.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { type Account, importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/mattermost');
const home = temporaryFolderInMemory();

async function readExport(path: string) {
  const [input] = await openExport([`${folder}/${path}`]);
  try {
    const entries = await readAll(mattermost, input!);
    const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
    const messages = records.filter((record) => record.kind === 'message');
    for (const message of messages) expect(() => messageSchema.parse(message)).not.toThrow();
    expect(new Set(messages.map(({ origin }) => `${origin.conversation} ${origin.id}`)).size).toBe(messages.length);
    const codes = entries.flatMap((entry) => ('code' in entry ? [entry.code] : []));
    return { entries, records, messages, codes };
  } finally {
    await input!.close();
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe.skipIf(folder === null)('published exports of Mattermost', () => {
  it("a server's own of 2021 has 4,213 messages of 66 conversations", async () => {
    const { entries, records, messages, codes } = await readExport('server-export');
    expect(messages.length).toBe(2003 + 900 + 1310);
    expect(messages.filter(({ threadRoot }) => threadRoot !== undefined).length).toBe(1310);
    expect(sum(messages.map(({ reactions = [] }) => sum(reactions.map(({ count }) => count))))).toBe(741);
    const files = messages.flatMap(({ attachments = [] }) => attachments);
    expect([files.length, files.filter(({ url }) => url === undefined).length]).toEqual([11, 7]);
    expect(files.find(({ name }) => name === 'ltagent.log')).toMatchObject({
      id: 'z6oexdi7z3gjfnjycpyhd9wmco',
    });
    expect(new Set(messages.map(({ origin }) => origin.conversation)).size).toBe(66);
    const people = records.filter((record) => record.kind === 'user');
    const conversations = records.filter((record) => record.kind === 'conversation');
    expect([people.length, conversations.length]).toEqual([61, 24 + 90]);
    expect(conversations.find(({ id }) => id === 'benjamin.bennett,betty.campbell')).toMatchObject({
      type: 'direct',
      topic: 'dolorem veritatis nam voluptas ut id architecto at.',
    });
    expect(people.find(({ id }) => id === 'ashley.berry')).toMatchObject({
      name: 'Ashley Berry',
      metadata: { position: 'Registered Nurse' },
    });
    const reply = messages.find(({ text }) => text === 'some reply');
    expect(reply).toMatchObject({ author: 'sysadmin', sentAtMs: 1631085812476 });
    const root = messages.find(({ origin }) => origin.id === reply!.threadRoot);
    expect(root?.text).toBe('new post with attachments mysql');
    expect(new Set(codes)).toEqual(new Set(['profile-detail-not-migrated']));
    expect(entries.filter(({ type }) => type === 'file').length).toBe(5);
  });

  it('one of 2019 has a reply older than its post, and a direct channel that only posts name', async () => {
    const { records, messages, codes } = await readExport('direct-channel');
    expect(messages.length).toBe(13);
    expect(messages.find(({ text }) => text === 'The weather is so hot!')).toMatchObject({
      sentAtMs: 1553166657086,
      custom: { createdAt: '2019-03-21T11:09:44.976Z' },
    });
    expect(messages.find(({ text }) => text.includes('Welcome mate'))?.text).toBe('@Ron Weasley Welcome mate!');
    const direct = records.find((record) => record.kind === 'conversation' && record.id === 'harry,voldemort');
    expect(direct).toMatchObject({ type: 'direct', members: ['harry', 'voldemort'] });
    expect(codes).toContain('mattermost-unlisted-direct');
    expect(codes).toContain('mattermost-reply-before-root');
    expect(messages.filter(({ reactions }) => reactions).map(({ reactions }) => reactions)).toEqual([
      [{ emoji: '🚀', users: ['ron'], count: 1 }],
    ]);
  });

  it('reads no lines inside of "data"', async () => {
    const { entries } = await readExport('nested-decoy');
    expect(entries.map(({ type }) => type)).toEqual(['file', 'file']);
    expect(entries[0]).toMatchObject({ path: 'data/decoy.jsonl', role: 'skipped' });
  });

  it.each(['server-export', 'direct-channel', 'direct-channel/export.json', 'nested-decoy'])(
    'is the only one to claim %s',
    async (path) => {
      const [input] = await openExport([`${folder}/${path}`]);
      const detected = await detectSource(input!);
      expect(detected.map(({ adapter, match }) => [adapter.name, match])).toEqual([['mattermost', 'certain']]);
      expect(await foreignPlatform(input!)).toBeUndefined();
      await input!.close();
    },
  );

  it.each<[string, Account]>([
    [
      'server-export',
      {
        read: 4213,
        planned: 4213,
        skipped: {},
        invalid: {},
        losses: {
          'parts of a second': 4207,
          'thread links': 1310,
          reactions: 741,
          mentions: 141,
          'silent members': 115,
          'details of profiles': 63,
          'e-mail addresses': 61,
          handles: 61,
          topics: 20,
          'group conversations without a channel': 15,
          roles: 12,
          'files without an address': 11,
          guests: 1,
        },
      },
    ],
    [
      'direct-channel',
      {
        read: 13,
        planned: 13,
        skipped: {},
        invalid: {},
        losses: {
          'parts of a second': 13,
          'e-mail addresses': 4,
          handles: 4,
          'files without an address': 2,
          roles: 2,
          'silent members': 2,
          'thread links': 1,
          reactions: 1,
          mentions: 1,
          'platform facts': 1,
          'details of profiles': 1,
          'group conversations without a channel': 1,
          topics: 1,
        },
      },
    ],
  ])('%s is imported, and read back the same', async (path, account) => {
    expect(await importAndReadBack(mattermost, `${folder}/${path}`, home.make())).toEqual(account);
  });
});
