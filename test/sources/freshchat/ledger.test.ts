import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn, seenIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const everythingSent = 'messages: { system: keep, internal: keep }';
const folder = 'samples/freshchat/answers/export';

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'times of the row': ['created_time'],
  'numbers around the message, which are the same for all of a conversation': [
    ...['app_id', 'channel_id', 'interaction_id', 'user_id'],
  ],
  'says what kind of message it is, and who wrote it': ['message_type', 'actor_type', 'actor_id', 'botsPrivateNote'],
  'through which channel it came': ['message_source'],
  'whether the user may write something else': ['restrictResponse', 'isBotsInput'],
  'names the message, whose reply is a quote': ['in_reply_to.message_id'],
  'says what happened: the message is of the system': ['meta_data.isResolved', 'error_code', 'error_message'],
  'how a template looks': ['template_content.type', 'sections[].name', 'url_button.target'],
};

const losses = {
  menus: ['quick_reply_button.custom_reply_text'],
  appData: ['message_parts[].location.*'],
};

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly conversation_id: string };

/** A text with what its HTML shows. */
const shown = (row: Row): Row =>
  JSON.parse(JSON.stringify(row), (key, value: unknown) =>
    key === 'content' && typeof value === 'string' ? seenIn(value, {}) : value,
  ) as Row;

const rows = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /messages-\d\.json$/.test(path))
  .flatMap((path) => (JSON.parse(readFileSync(`${folder}/${path}`, 'utf8')) as { messages: Row[] }).messages);

async function missingAfter(more: object) {
  const { rows: planned, findings } = await planOf(home.make(), folder, everythingSent);
  expect(findings).toContain('freshchat-not-migrated');
  const byId = new Map(rows.map((row) => [`${row.conversation_id} ${row.id}`, { ...shown(row), ...more }]));
  return missingIn({ rows: byId, planned, meaningless, losses });
}

describe('the totals of an export of Freshchat', () => {
  it('account for every value of the sample answers', async () => {
    expect(await missingAfter({})).toEqual({});
  });

  it('miss what is said nowhere', async () => {
    expect(await missingAfter({ colour: 'mauve' })).toEqual({ colour: 12 });
  });
});
