import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, restricted: keep, calls: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time stands in the message': ['created_at', 'updated_at'],
  'repeats what stands elsewhere': [
    'html',
    'user.*',
    'channel_*',
    'cid',
    'reply_count',
    'deleted_reply_count',
    'quoted_message.*',
    'mentioned_users[]*',
  ],
  'the server counts it by what stands elsewhere': ['reaction_scores.*', 'reaction_counts.*', 'latest_reactions[]*'],
  'for the client': [
    'attachments[].type',
    'attachments[].original_width',
    'attachments[].original_height',
    'attachments[].duration',
  ],
  'says that it is an ordinary message, or an answer': ['type'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  custom: ['berth', 'restricted_visibility[]', 'command'],
  previews: ['attachments[].og_scrape_url', 'attachments[].title', 'attachments[].image_url'],
  cardDetails: ['attachments[].color'],
  appData: ['attachments[].sku'],
  menus: ['attachments[].actions[]*'],
  deleted: ['deleted_at'],
  edited: ['message_text_updated_at'],
  pinned: ['pinned', 'pinned_at', 'pinned_by*'],
  replies: ['parent_id'],
  quotes: ['quoted_message_id'],
  broadcasts: ['show_in_channel'],
};

/** Said elsewhere of the export. */
const notMigrated = {
  'the poll stands in a row of its own': ['poll_id'],
};

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

async function balanceOf(folder: string, rows: readonly (readonly [conversation: string, row: Row])[]) {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const raw = new Map(rows.map(([conversation, row]) => [`${conversation} ${row.id}`, row]));
  return {
    missing: missingIn({ rows: raw, planned, meaningless: { ...meaningless, ...notMigrated }, losses }),
    planned: planned.length,
  };
}

const direct = 'messaging:!members-HrgD6jTRk9KFVJ7pTntR1WNl0mmt0FX7CTT5nu1Qlak';
const importRows = () =>
  readFileSync('samples/stream/import-v2/export/import.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; data: Row })
    .filter(({ type }) => type === 'message')
    .map(
      ({ data }) =>
        [
          data.channel_id === undefined ? direct : `${String(data.channel_type)}:${String(data.channel_id)}`,
          data,
        ] as const,
    );

describe('the plan and losses of a Stream export', () => {
  it('account for every value of the sample import-v2', async () => {
    expect(await balanceOf('samples/stream/import-v2/export', importRows())).toEqual({ missing: {}, planned: 13 });
  });

  it('account for every value of the sample channels-v1', async () => {
    const folder = 'samples/stream/channels-v1/export';
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;
    type Channel = { readonly channel: { readonly cid: string }; readonly messages: readonly Row[] };
    const all = [read('harbour.json') as Channel, ...(read('others.json') as readonly Channel[])];
    const rows = all.flatMap(({ channel, messages }) => messages.map((row) => [channel.cid, row] as const));
    expect(await balanceOf(folder, rows)).toEqual({ missing: {}, planned: 7 });
  });

  it('do not account for an unknown field', async () => {
    const rows = importRows().map(([conversation, row]) => [conversation, { ...row, colour: 'mauve' }] as const);
    expect((await balanceOf('samples/stream/import-v2/export', rows)).missing).toEqual({ colour: 13 });
  });
});
