import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, deleted: keep }';
const folder = 'samples/gorgias/answers/export';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'times of the row': ['created_datetime', 'sent_datetime', 'failed_datetime', 'deleted_datetime'],
  'says what kind of message it is, and to whom it is shown': ['public', 'from_agent', 'rule_id', 'via', 'source.type'],
  'the author is described by a list, or next to the message': ['sender.*', 'source.from.*', 'mention_ids[]'],
  'addresses of the message itself': ['uri', 'message_id', 'integration_id'],
  'the same text, or without quoted mails': ['body_text', 'stripped_text', 'stripped_html'],
  'why it failed, for agents': ['last_sending_error.*', 'is_retriable'],
  'says who may open the file': ['attachments[].public'],
};

/** Counted as `gorgias-not-migrated`. */
const notMigrated = { counted: ['intents[].*', 'headers.*', 'opened_datetime', 'source.cc[].*'] };

type Row = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly ticket_id: number;
  readonly body_html: string | null;
};

/** A body as a reader sees it. */
const seen = (html: string | null) => html?.replace(/<a href="([^"]*)">/g, ' $1 ').replace(/<[^>]*>/g, ' ') ?? null;

async function missingAfter(more: object) {
  const rows = ['messages-1', 'messages-2'].flatMap(
    (file) => (JSON.parse(readFileSync(`${folder}/${file}.json`, 'utf8')) as { data: Row[] }).data,
  );
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('gorgias-not-migrated');
  const byId = new Map(
    rows.map((row) => [`${row.ticket_id} ${row.id}`, { ...row, body_html: seen(row.body_html), ...more }]),
  );
  return missingIn({ rows: byId, planned, meaningless: { ...meaningless, ...notMigrated }, losses: {} });
}

describe('the totals of an export of Gorgias', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter({})).toEqual({});
  });

  it('miss what is said nowhere', async () => {
    expect(await missingAfter({ colour: 'mauve' })).toEqual({ colour: 14 });
  });
});
