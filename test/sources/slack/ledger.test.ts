import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../../requirements.ts';
import { user, userId, writeFiles } from '../../scenes/make-export.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { type Account, accountOf, fetchedRows, leavesOf, rawRows } from './ledger.ts';
import { madeRows } from './made-export.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep }';

/** Counts values by account, and returns the paths of those that are found nowhere: never the text that people wrote. */
async function balanceOf(path: string, rowsOf = rawRows) {
  const { rows: planned, losses } = await planOf(home.make(), path, everythingSent);
  const raw = rowsOf(path);
  const counts: Record<Account, number> = { planned: 0, absent: 0, loss: 0, meaningless: 0, missing: 0 };
  const missing: Record<string, number> = {};
  for (const row of planned) {
    const own = raw.get(`${row.conversation} ${row.id}`)!;
    for (const leaf of leavesOf(own)) {
      const account = accountOf(leaf, own, row);
      counts[account] += 1;
      if (account === 'missing') missing[leaf.path] = (missing[leaf.path] ?? 0) + 1;
    }
  }
  return { counts, missing, losses, planned: planned.length, raw: raw.size };
}

/** A folder with an export of the files. */
function exportOf(files: Readonly<Record<string, unknown>>): string {
  const folder = join(home.make(), 'export');
  writeFiles(folder, files);
  return folder;
}

const made = {
  'users.json': [user(userId(1), 'Ada'), user(userId(2), 'Bob')],
  'channels.json': [
    { id: 'C00000001', name: 'general', members: [userId(1), userId(2)] },
    { id: 'C00000002', name: 'harbour', members: [userId(1), userId(2)] },
  ],
  'general/2026-02-02.json': madeRows,
};

const exports = sharedFolder('exports/slack');
const real = (name: string): unknown =>
  JSON.parse(readFileSync(join(exports!, 'single-messages', `${name}.json`), 'utf8'));

describe('the plan and losses of a Slack export', () => {
  it.skipIf(exports === null)('account for every value of a workspace of 2016', async () => {
    const { missing, planned, raw, counts } = await balanceOf(join(exports!, 'workspace-2016'));
    expect(missing).toEqual({});
    expect([planned, raw]).toEqual([1382, 1382]);
    expect(counts.planned).toBeGreaterThan(7000);
  });

  it.skipIf(exports === null)('account for every value of messages with many files and rich text', async () => {
    const rows = [
      ...(real('thread_with_broadcast_reply') as unknown[]),
      real('message_with_variety_files_and_rich_text'),
    ];
    const files = { 'channels.json': [{ id: 'C00000001', name: 'random' }], 'random/2026-03-04.json': rows };
    const { missing, planned, raw } = await balanceOf(exportOf(files));
    expect(missing).toEqual({});
    expect([planned, raw]).toEqual([4, 4]);
  });

  it('account for every value of the sample with every feature', async () => {
    const { missing, planned, raw } = await balanceOf('samples/slack/every-feature/export');
    expect(missing).toEqual({});
    expect(planned).toBe(raw);
  });

  it('account for every value of the sample of rows of the API', async () => {
    const { missing, planned, raw } = await balanceOf('samples/slack/fetched/export', fetchedRows);
    expect(missing).toEqual({});
    expect(planned).toBe(raw);
  });

  it('account for every value of an export that was made to lose something of every kind', async () => {
    const { missing, planned, raw, losses } = await balanceOf(exportOf(made));
    expect(missing).toEqual({});
    expect([planned, raw]).toEqual([madeRows.length, madeRows.length]);
    expect(losses).toMatchObject({
      'accidental Markdown': 1,
      'link previews': 2,
      underlines: 1,
      'custom emoji in texts': 1,
      'custom emoji': 1,
      'names that are not known': 1,
      'links into the old system': 2,
      'data of apps': 1,
      'menus and fields': 3,
      'details of cards': 1,
      'beginnings of text files': 1,
      'tokens of files': 1,
      'system line marks': 3,
    });
  });

  it('do not account for an unknown field', async () => {
    const rows = [
      {
        ...madeRows[0],
        something_new: 'says what no other field says',
        text: 'Hi',
        files: [{ id: 'F1', colour: 'mauve' }],
      },
    ];
    const { missing } = await balanceOf(exportOf({ ...made, 'general/2026-02-02.json': rows }));
    expect(missing).toEqual({ something_new: 1, 'files[].colour': 1 });
  });
});
