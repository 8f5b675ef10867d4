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
  'the same for every row of an account or service': ['account_sid', 'chat_service_sid', 'service_sid'],
  'an address of the API, made of sids': ['url', 'links.*'],
  'the time is in the message, in other words': ['date_created', 'date_updated'],
  'orders rows, which are in order': ['index'],
  'a name for the author, who is named': ['participant_sid', 'last_updated_by'],
  'says that there are no attributes': ['attributes'],
  'says what kind of file it is, which its type says': ['media[].category', 'type'],
  'how a text message was delivered, and what that cost': [
    ...['num_segments', 'price', 'price_unit', 'error_code', 'error_message', 'messaging_service_sid', 'direction'],
    ...['status', 'num_media', 'date_sent', 'api_version', 'uri', 'subresource_uris.*'],
  ],
  'facts of a file without an address, whose name is kept': [
    ...['media[].sid', 'media[].size', 'media[].content_type'],
    ...['media.sid', 'media.size', 'media.content_type'],
  ],
  'says who wrote it, which is the kind of the row': ['author', 'from'],
};

/** Counted for the whole export, by the finding `twilio-not-migrated`. */
const notMigrated = { counted: ['delivery.*'] };

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  custom: ['content_sid'],
  edited: ['was_edited'],
};

interface Row extends Readonly<Record<string, unknown>> {
  readonly conversation_sid?: string;
  readonly channel_sid?: string;
}

/** In the log of text messages it is both addresses. */
const conversationOf = ({ conversation_sid, channel_sid, from, messaging_service_sid, to }: Row): string =>
  conversation_sid ?? channel_sid ?? [from ?? messaging_service_sid, to].toSorted().join(' ');

async function balanceOf(sample: string, files: readonly string[], more: object = {}) {
  const folder = `samples/twilio/${sample}/export`;
  const { rows: planned } = await planOf(home.make(), folder, everythingSent);
  const rows = files.flatMap(
    (file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly messages: readonly Row[] }).messages,
  );
  const byId = new Map(rows.map((row) => [`${conversationOf(row)} ${String(row.sid)}`, { ...row, ...more }]));
  return {
    missing: missingIn({ rows: byId, planned, meaningless: { ...meaningless, ...notMigrated }, losses }),
    planned: planned.length,
  };
}

it('the totals of kept webhooks account for every value of the sample webhooks', async () => {
  const path = 'samples/twilio/webhooks/export.ndjson';
  const { rows: planned } = await planOf(home.make(), path, everythingSent);
  const rows = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .map((row) => (row.data ?? row) as Readonly<Record<string, unknown>>)
    .filter((row) => row.MessageSid !== undefined);
  const byId = new Map(rows.map((row) => [`${String(row.ConversationSid)} ${String(row.MessageSid)}`, row]));
  const forWebhooks = {
    'the same for every row of an account': ['AccountSid', 'ChatServiceSid', 'Source', 'EventType', 'RetryCount'],
    'the same as in answers': [
      'Index',
      'ParticipantSid',
      'DateCreated',
      'DateRemoved',
      'Media[].Size',
      'Media[].ContentType',
    ],
    'JSON in a text, which is read': ['Media', 'Attributes'],
    ids: ['MessageSid', 'ConversationSid', 'Media[].MediaSid'],
  };
  expect(missingIn({ rows: byId, planned, meaningless: forWebhooks, losses })).toEqual({});
});

const [first, second] = ['CH00000000000000000000000000000001', 'CH00000000000000000000000000000002'];
const conversations = [`${first}/messages-0.json`, `${first}/messages-1.json`, `${second}/messages.json`];

describe('the totals of an export of Twilio', () => {
  it('account for every value of the sample conversations', async () => {
    expect((await balanceOf('conversations', conversations)).missing).toEqual({});
  });

  it('account for every value of the sample programmable-chat', async () => {
    expect(await balanceOf('programmable-chat', ['messages.json'])).toEqual({ missing: {}, planned: 5 });
  });

  it('account for every value of the sample text-messages', async () => {
    const pages = ['messages-0.json', 'messages-1.json'];
    expect(await balanceOf('text-messages', pages)).toEqual({ missing: {}, planned: 9 });
  });

  it('miss a value that is nowhere', async () => {
    expect((await balanceOf('programmable-chat', ['messages.json'], { colour: 'mauve' })).missing).toEqual({
      colour: 5,
    });
  });
});
