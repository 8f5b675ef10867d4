import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { messageSchema } from '../../../src/model/records.ts';
import { detectSource } from '../../../src/sources/detect.ts';
import { messenger } from '../../../src/sources/meta/index.ts';
import { foreignPlatform } from '../../../src/sources/signatures.ts';
import { readAll } from '../../contracts/source.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { type Account, importAndReadBack } from '../read-back.ts';

const folder = sharedFolder('exports/messenger/layouts');
const home = temporaryFolderInMemory();

async function readExport(name: string) {
  const [input] = await openExport([`${folder}/${name}`]);
  try {
    const entries = await readAll(messenger, input!);
    const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
    const messages = records.filter((record) => record.kind === 'message');
    for (const message of messages) expect(() => messageSchema.parse(message)).not.toThrow();
    return { entries, records, messages };
  } finally {
    await input!.close();
  }
}

/** Rows of each, and those that cannot be read. */
const counts: readonly (readonly [string, rows: number, rejects: number])[] = [
  ['json_group', 3, 0],
  ['json_multifile', 4, 0],
  ['json_simple', 4, 0],
  ['json_with_media', 1, 0],
  ['json_with_media_alt', 1, 0],
  ['mixed', 2, 0],
  ['corrupt', 1, 1],
  ['json_nontext', 6, 0],
  ['e2ee_simple', 6, 0],
];

/** Totals of all files together. Alice is in a thread and in an encrypted one, which is the second with her. */
const account: Account = {
  read: 29,
  planned: 24,
  skipped: { call: 2, 'deleted at the source': 1, 'system message: Unsubscribe': 1 },
  invalid: { 'json-syntax': 1 },
  losses: {
    'files without an address': 5,
    reactions: 3,
    'messages of files only': 3,
    calls: 2,
    'deleted messages': 1,
    'system lines': 1,
    'silent members': 1,
    'direct conversations as groups': 1,
  },
};

describe.skipIf(folder === null)('published downloads of Messenger', () => {
  it('are imported together, and read back the same', async () => {
    expect(await importAndReadBack(messenger, folder!, home.make())).toEqual(account);
  });

  it.each(counts)('%s has %i messages, and %i rows that cannot be read', async (name, rows, rejects) => {
    const { entries, messages } = await readExport(name);
    expect([messages.length, entries.filter(({ type }) => type === 'invalid').length]).toEqual([rows, rejects]);
  });

  it.each([...counts.map(([name]) => name), ''])('is the only one to claim %j', async (name) => {
    const [input] = await openExport([`${folder}/${name}`]);
    const detected = await detectSource(input!);
    expect(detected.map(({ adapter, match }) => [adapter.name, match])).toEqual([['messenger', 'certain']]);
    await input!.close();
  });

  it.each(['html_simple', 'html_with_media', 'html_timestamps'])('leaves the pages of %s alone', async (name) => {
    const [input] = await openExport([`${folder}/${name}`]);
    expect(await detectSource(input!)).toEqual([]);
    expect((await foreignPlatform(input!))?.signature.advice).toContain('Format: JSON');
    await input!.close();
  });

  it('letters and reactions are as they were written', async () => {
    const { messages, records } = await readExport('json_simple');
    expect(messages.find(({ text }) => text.includes('time?'))).toMatchObject({
      origin: { conversation: 'alice_ABC123' },
      author: 'Alice Example',
      sentAtMs: 1_600_000_060_000,
      text: 'café time?',
      reactions: [
        { emoji: '❤', users: ['Test User'], count: 1 },
        { emoji: '👍', users: ['Alice Example'], count: 1 },
      ],
    });
    expect(
      records.find(({ kind, ...one }) => kind === 'conversation' && 'id' in one && one.id === 'zoe_ARCH'),
    ).toMatchObject({
      type: 'direct',
      metadata: { folder: 'archived_threads' },
    });
  });

  it('files are taken by their number', async () => {
    const { entries } = await readExport('json_multifile');
    const files = entries.flatMap((entry) => (entry.type === 'file' ? [entry.path.split('/').at(-1)] : []));
    expect(files).toEqual(['message_1.json', 'message_2.json', 'message_10.json']);
  });

  it.each([
    ['json_with_media', 'your_activity_across_facebook/messages/inbox/bob_XYZ789/photos/tiny.png'],
    ['json_with_media_alt', 'your_facebook_activity/messages/inbox/carol_ALT456/photos/tiny.png'],
    ['e2ee_simple', 'your_activity_across_facebook/messages/media/photo.jpg'],
  ])('the photo of %s is found', async (name, url) => {
    const { messages } = await readExport(name);
    expect(messages.flatMap(({ attachments = [] }) => attachments)).toMatchObject([
      { url, sizeBytes: expect.any(Number) },
    ]);
  });

  it('calls, shares and missing content are shown', async () => {
    const { messages } = await readExport('json_nontext');
    expect(messages.map(({ text }) => text)).toEqual([
      '',
      '',
      'Call',
      'Missed call',
      '> Example share text\n\nhttps://example.com/article',
      'Sam left the chat',
    ]);
    expect(messages[1]!.attachments).toEqual([{ name: 'missing.jpg', kind: 'photo', unavailable: 'not-in-export' }]);
    expect(messages[2]!.call).toEqual({ startedAtMs: 1_600_000_400_000, endedAtMs: 1_600_000_592_000 });
  });
});
