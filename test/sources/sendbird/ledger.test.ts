import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, calls: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time stands in the message, the person in a list': ['created_at', 'user.*', 'mentioned_users[]*'],
  'says that it was never edited, or is kept for ever': ['updated_at', 'message_survival_seconds'],
  'is that of the channel': ['channel_type'],
  'for the client': ['mention_type', 'req_id', 'silent'],
  'counts what stands elsewhere': [
    'thread_info.*',
    'parent_message_info.*',
    'poll.id',
    'poll.options[].id',
    'poll.options[].vote_count',
  ],
  'says that it is an ordinary message': ['type'],
  'has names for ids, which the text shows': ['mentioned_message_template'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  custom: ['data', 'custom_type', 'sorted_metaarray[]*', 'translations.*'],
  previews: ['og_tag.*'],
  reactions: ['reactions[].*'],
  deleted: ['is_removed'],
  replies: ['parent_message_id', 'is_reply_to_channel'],
  broadcasts: ['is_reply_to_channel'],
};

/** Counted for the whole export, by the finding `sendbird-not-migrated`. */
const notMigrated = { counted: ['file.require_auth'] };

type Row = Readonly<Record<string, unknown>> & { readonly channel_url: string };

const folder = 'samples/sendbird/data-export/export';
const answers = 'samples/sendbird/api-answers/export';

/** Ids have more digits than a number holds. */
const textOf = (path: string) => readFileSync(path, 'utf8').replace(/("\w*message_id": ?)(\d{17})/g, '$1"$2"');
const rowsIn = (path: string) => (JSON.parse(textOf(path)) as { readonly messages: readonly Row[] }).messages;
const rows = ['harbour_2026-03_1.json', 'harbour_2026-03_2.json', 'pair_2026-03.json'].flatMap((name) =>
  rowsIn(join(folder, 'messages', name)),
);
const answered = [
  ...textOf(join(answers, 'messages.ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row),
  ...rowsIn(join(answers, 'messages-tides.json')),
];

async function balanceOf(raw: readonly Row[], of = folder) {
  const { rows: planned, findings } = await planOf(home.make(), of, everythingSent);
  expect(findings).toContain('sendbird-not-migrated');
  const byId = new Map(raw.map((row) => [`${row.channel_url} ${String(row.message_id)}`, row]));
  return {
    missing: missingIn({ rows: byId, planned, meaningless: { ...meaningless, ...notMigrated }, losses }),
    planned: planned.length,
  };
}

describe('the plan and losses of a Sendbird export', () => {
  it('account for every value of the sample data-export', async () => {
    expect(await balanceOf(rows)).toEqual({ missing: {}, planned: 11 });
  });

  it('account for every value of the sample api-answers', async () => {
    // The eighth was removed, and has no text.
    expect(await balanceOf(answered, answers)).toEqual({ missing: {}, planned: 7 });
  });

  it('do not account for an unknown field', async () => {
    expect((await balanceOf(rows.map((row) => ({ ...row, colour: 'mauve' })))).missing).toEqual({ colour: 11 });
  });
});
