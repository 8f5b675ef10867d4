import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runJson } from '../../cli/in-process.ts';
import { user, userId, writeFiles } from '../../scenes/make-export.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { rowOf, tsOf } from '../../scenes/slack-rows.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const people = [user(userId(1), 'Ada'), user(userId(2), 'Bob')];
const members = people.map((person) => (person as { id: string }).id);
const channel = { id: 'C00000001', name: 'general', created: 1_700_000_000 };
const rows = [
  rowOf(0, { text: 'The harbour opens at *six*', reply_count: 2, thread_ts: tsOf(0) }),
  rowOf(1, { text: 'Too early', thread_ts: tsOf(0), user: userId(2) }),
  rowOf(2, { text: 'Read <https://example.com/tides>' }),
];
const later = [rowOf(3, { text: 'Half past six', thread_ts: tsOf(0) }), rowOf(4, { text: 'Good' })];
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

it('a fetch after the import of an export adds what is new, and finds the rest', async () => {
  const folder = home.make();
  writeFiles(join(folder, 'export'), {
    'users.json': people,
    'channels.json': [{ ...channel, members }],
    'general/2026-02-02.json': rows,
  });
  writeFiles(join(folder, 'fetched'), {
    'users.ndjson': lines(people),
    'conversations.ndjson': lines([{ ...channel, is_private: false }]),
    'members/C00000001.ndjson': lines(members),
    'history/C00000001.ndjson': lines([later[1], rows[2], rows[0]]),
    'replies/C00000001.ndjson': lines([rows[1], later[0]]),
  });
  const importFrom = async (path: string, store: string) =>
    (await runJson(['import', path, '--store', store, '--to', 'sandbox', '--quiet'], { folder })).json as Readonly<
      Record<string, number>
    >;
  expect(await importFrom('export', 'chatferry.db')).toMatchObject({ read: 3, imported: 3, existing: 0 });
  expect(await importFrom('fetched', 'chatferry.db')).toMatchObject({ imported: 5, failed: 0 });
  const texts = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()].flat();
  expect(texts.length).toBe(5);
  expect(texts).toContain('Half past six');
});
