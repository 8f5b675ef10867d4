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
  'the time, the author and the conversation stand in the message': ['date_sent', 'sender', 'recipient', 'realm'],
  'says again what the text says': ['rendered_content*', 'has_*', 'is_channel_message'],
  'counted for the whole export (zulip-not-migrated)': ['sending_client'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  custom: ['subject', 'edit_history'],
  edited: ['last_edit_time'],
  filesWithoutAddress: ['content'],
};

type Row = Readonly<Record<string, unknown>> & { readonly id: number };
const folder = 'samples/zulip/whole-export/export';
const rowsIn = (name: string) =>
  (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { readonly zerver_message: readonly Row[] }).zerver_message;
const rows = ['messages-000001.json', 'messages-000002.json'].flatMap(rowsIn);

/** Removes the numbers after people's names, commands, and the words that name the kind of a fence. */
const shown = ({ content, ...row }: Row): Row => ({
  ...row,
  content: String(content).replace(
    /:working_on_it:|\|\d+|^\/(?:me|poll)\b|```(?:quote|spoiler)|\/user_uploads\/\S+/gm,
    ' ',
  ),
});

async function balanceOf(raw: readonly Row[]) {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const conversations = new Map(planned.map(({ id, conversation }) => [id, conversation]));
  const byId = new Map(raw.map((row) => [`${conversations.get(String(row.id))} ${row.id}`, shown(row)]));
  return { missing: missingIn({ rows: byId, planned, meaningless, losses }), planned: planned.length };
}

describe('the plan and losses of a Zulip export', () => {
  it('account for every value of the sample whole-export', async () => {
    expect(await balanceOf(rows)).toEqual({ missing: {}, planned: 13 });
  });

  it('do not account for an unknown field', async () => {
    expect((await balanceOf(rows.map((row) => ({ ...row, colour: 'mauve' })))).missing).toEqual({ colour: 13 });
  });
});
