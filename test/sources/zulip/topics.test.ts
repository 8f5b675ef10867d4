import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { zulip } from '../../../src/sources/zulip/index.ts';
import { readAll } from '../../contracts/source.ts';
import { writeFiles } from '../../scenes/make-export.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** Streams 100 and 101, and a chat with person 2. */
const realm = {
  zerver_realm: [{ id: 1, string_id: 'made' }],
  zerver_userprofile: [
    { id: 1, full_name: 'Ann', is_active: true },
    { id: 2, full_name: 'Ben', is_active: true },
    { id: 3, full_name: 'Notifications', email: 'notification-bot@zulip.com', is_bot: true, is_active: true },
  ],
  zerver_stream: [
    { id: 1, name: 'pier' },
    { id: 2, name: 'quay' },
  ],
  zerver_recipient: [
    { id: 2, type: 1, type_id: 2 },
    { id: 100, type: 2, type_id: 1 },
    { id: 101, type: 2, type_id: 2 },
  ],
};

const row = (id: number | string, subject: string, more: object = {}) => ({
  ...{ id, sender: 1, recipient: 100, subject, content: `Message ${id}`, date_sent: 1_772_442_000 },
  ...more,
});

/** Roots by ids of messages; `options` as a mapping says them. */
async function rootsOf(files: readonly (readonly object[])[], options: object = {}) {
  const folder = home.make();
  const chunks = files.map((rows, index) => [`messages-00000${index + 1}.json`, { zerver_message: rows }] as const);
  writeFiles(join(folder, 'export'), { 'realm.json': realm, ...Object.fromEntries(chunks) });
  const [input] = await openExport([join(folder, 'export')]);
  const entries = await readAll(zulip, input!, {}, zulip.options.parse(options));
  await input!.close();
  return Object.fromEntries(
    entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message'
        ? [[entry.record.origin.id, entry.record.threadRoot ?? null] as const]
        : [],
    ),
  );
}

describe('topics of zulip', () => {
  it('are threads under the message with the smallest id, in any file and order', async () => {
    expect(
      await rootsOf([
        [row(12, 'Tides'), row(30, 'tides')],
        [row(9, 'tides'), row(100, 'TIDES')],
      ]),
    ).toEqual({
      '9': null,
      '12': '9',
      '30': '9',
      '100': '9',
    });
  });

  it('of two streams, or with different names, are separate', async () => {
    const rows = [row(1, 'tides'), row(2, 'tides', { recipient: 101 }), row(3, 'ropes'), row(4, 'ropes')];
    expect(await rootsOf([rows])).toEqual({ '1': null, '2': null, '3': null, '4': '3' });
  });

  it('are none in private messages, and none without a name', async () => {
    const rows = [row(1, '', { recipient: 2 }), row(2, '', { recipient: 2 }), row(3, ''), row(4, '')];
    expect(await rootsOf([rows])).toEqual({ '1': null, '2': null, '3': null, '4': null });
  });

  it('do not begin with a message of the server, or with an unreadable row', async () => {
    const rows = [
      row(1, 'tides', { sender: 3 }),
      row(2, 'tides', { date_sent: 'soon' }),
      row(3, 'tides'),
      row(4, 'tides'),
    ];
    expect(await rootsOf([rows])).toEqual({ '1': null, '3': null, '4': '3' });
  });

  it('compare ids that no number holds', async () => {
    const [first, second] = ['9007199254740993', '9007199254740995'];
    expect(await rootsOf([[row(second, 'tides'), row(first, 'tides')]])).toEqual({ [first]: null, [second]: first });
  });

  it('are only labels if the mapping says so', async () => {
    expect(await rootsOf([[row(1, 'tides'), row(2, 'tides')]], { topics: 'labels' })).toEqual({ '1': null, '2': null });
  });
});
