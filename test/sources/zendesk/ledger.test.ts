import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, calls: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the same text again': ['body', 'plain_body'],
  'times of the row': ['created_at'],
  'says that it is a comment, and to whom it is shown': ['type', 'public'],
  'of the log and of the browser': ['audit_id', 'metadata.system.*'],
  'Zendesk itself': ['author_id'],
  'for the screen of agents': ['attachments[].width', 'attachments[].height', 'attachments[].mapped_content_url'],
};

const losses = { filesWithoutAddress: ['attachments[].*'], attachments: ['attachments[].id'] };

const folder = 'samples/zendesk/support/export';

interface Comment {
  readonly id: number;
  readonly html_body: string;
}

const rowsOf = (ticket: string): (readonly [string, object])[] => {
  const text = readFileSync(`${folder}/tickets/${ticket}/comments.json`, 'utf8');
  const { comments } = JSON.parse(text) as { readonly comments: readonly Comment[] };
  return comments.map((row) => [`${ticket} ${row.id}`, { ...row, html_body: row.html_body.replace(/<[^>]*>/g, ' ') }]);
};

async function missingAfter(change: (row: object) => object) {
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = new Map(['501', '502'].flatMap(rowsOf).map(([key, row]) => [key, change(row)]));
  return { missing: missingIn({ rows, planned, meaningless, losses }), planned: planned.length };
}

describe('the totals of an export of Zendesk', () => {
  it('account for every value of the sample support', async () => {
    expect(await missingAfter((row) => row)).toEqual({ missing: {}, planned: 7 });
  });

  it('miss what is said nowhere', async () => {
    expect((await missingAfter((row) => ({ ...row, colour: 'mauve' }))).missing).toEqual({ colour: 7 });
  });
});
