import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep, deleted: keep }';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the author is described by the list of people, and numbered by type': ['author.*'],
  'times of the row': ['created_at', 'updated_at', 'notified_at'],
  'says that it is a part, or a message': ['type', 'part_type', 'delivered_as'],
  'for the screen of agents': ['attachments[].type', 'attachments[].width', 'attachments[].height'],
};

/** Counted for the whole export, by the finding `intercom-not-migrated`. */
const counted = ['tags[].*', 'event_details.*', 'email_message_metadata.email_address_headers[].*'];
const losses = { menus: ['metadata.quick_reply_options[].*'], deleted: ['redacted'] };

const folder = 'samples/intercom/answers/export';

interface Part {
  readonly id: string;
  readonly body: string | null;
}

interface Conversation {
  readonly source: Part;
  readonly conversation_parts: { readonly conversation_parts: readonly Part[] };
}

const withoutTags = (part: Part) => ({ ...part, body: part.body?.replace(/<[^>]*>/g, ' ') ?? null });

const rowsOf = (id: string): (readonly [string, object])[] => {
  const text = readFileSync(`${folder}/conversations/${id}.json`, 'utf8');
  const { source, conversation_parts } = JSON.parse(text) as Conversation;
  const parts = conversation_parts.conversation_parts.map((part) => [`${id} ${part.id}`, withoutTags(part)] as const);
  return [[`${id} source-${source.id}`, { ...withoutTags(source), id: `source-${source.id}` }], ...parts];
};

async function missingAfter(change: (row: object) => object) {
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('intercom-not-migrated');
  const rows = new Map(['123', '124'].flatMap(rowsOf).map(([key, row]) => [key, change(row)]));
  return {
    missing: missingIn({ rows, planned, meaningless: { ...meaningless, counted }, losses }),
    planned: planned.length,
  };
}

describe('the totals of an export of Intercom', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter((row) => row)).toEqual({ missing: {}, planned: 11 });
  });

  it('miss what is said nowhere', async () => {
    expect((await missingAfter((row) => ({ ...row, colour: 'mauve' }))).missing).toEqual({ colour: 11 });
  });
});
