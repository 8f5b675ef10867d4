import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the sender is described by a list, and numbered by type': ['sender.*'],
  'times of the row': ['created_at'],
  'says what kind of message it is, and to whom it is shown': ['message_type', 'content_type', 'private', 'status'],
  'of the desk, which has one inbox for each channel': ['inbox_id'],
  'for the screen of agents': ['attachments[].thumb_url', 'attachments[].width', 'attachments[].height'],
  'numbers around the file': ['attachments[].account_id', 'attachments[].message_id', 'attachments[].file_type'],
  'a map of the place that the text names': [
    'attachments[].id',
    'attachments[].data_url',
    'attachments[].fallback_title',
  ],
  'why it failed, for agents': ['content_attributes.external_error'],
};

const losses = {
  menus: ['content_attributes.items[].*'],
  appData: ['content_attributes.submitted_values[].*'],
  deleted: ['content_attributes.deleted'],
  quotes: ['content_attributes.in_reply_to'],
};

const folder = 'samples/chatwoot/answers/export';

const rowsOf = (conversation: string): (readonly [string, object])[] => {
  const text = readFileSync(`${folder}/messages/${conversation}.json`, 'utf8');
  const { payload } = JSON.parse(text) as { readonly payload: readonly { readonly id: number }[] };
  return payload.map((row) => [`${conversation} ${row.id}`, row]);
};

async function missingAfter(change: (row: object) => object) {
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('chatwoot-not-migrated');
  const rows = new Map(['7', '8'].flatMap(rowsOf).map(([key, row]) => [key, change(row)]));
  return { missing: missingIn({ rows, planned, meaningless, losses }), planned: planned.length };
}

describe('the totals of an export of Chatwoot', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter((row) => row)).toEqual({ missing: {}, planned: 13 });
  });

  it('miss what is said nowhere', async () => {
    expect((await missingAfter((row) => ({ ...row, colour: 'mauve' }))).missing).toEqual({ colour: 13 });
  });
});
