import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time is in the message, in other words': ['date_sent', 'created_at', 'updated_at', 'edited_at'],
  'the same as the dialog, or 0': ['recipient_id'],
  'replaced by the lists of receipts': ['read'],
  'names the kind of a file, whose name is kept': ['attachments[].type', 'attachments[].id'],
  'says who asked, not who reacted': ['reactions.own[]*'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row, or by a finding. */
const losses: Readonly<Record<string, readonly string[]>> = {
  custom: ['age'],
  system: ['notification_type'],
  reactions: ['reactions.total.*'],
};
const notMigrated = { counted: ['read_ids[]*', 'delivered_ids[]*', 'views_count', 'deleted_for_ids[]*'] };

type Row = Readonly<Record<string, unknown>> & { readonly _id: string; readonly chat_dialog_id: string };

async function balanceOf(sample: string, files: readonly string[], more: object) {
  const folder = `samples/quickblox/${sample}/export`;
  const rows = files.flatMap(
    (file) => (JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as { readonly items: readonly Row[] }).items,
  );
  const { rows: planned } = await planOf(home.make(), folder, 'messages: { system: keep }');
  const byId = new Map(rows.map((row) => [`${row.chat_dialog_id} ${row._id}`, { ...row, ...more }]));
  return missingIn({ rows: byId, planned, meaningless: { ...meaningless, ...notMigrated }, losses });
}

describe('the totals of an export of QuickBlox', () => {
  it('account for every value of the samples', async () => {
    expect(await balanceOf('quickblox-answers', ['harbour.json', 'pair.json'], {})).toEqual({});
    expect(await balanceOf('connectycube-answers', ['messages.json'], {})).toEqual({});
  });

  it('miss a value that is nowhere', async () => {
    expect(await balanceOf('connectycube-answers', ['messages.json'], { colour: 'mauve' })).toEqual({ colour: 3 });
  });
});
