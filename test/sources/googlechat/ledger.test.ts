import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'an instant, which the payload has as a number': ['created_date', 'updated_date', 'deleted_date'],
  'the kind of something': ['creator.user_type', 'user_mention.type', 'user_mention.user.user_type', 'message_state'],
  'somebody whose uid is kept': ['email', 'reactor_emails[]', 'creator.name'],
  'where in the text something holds': ['annotations[].start_index', 'annotations[].length'],
  'a style, which the text shows': ['annotations[].format_metadata.format_type'],
  'where the message stands': ['topic_id'],
  'what a version says of its message': [
    'previous_message_versions[].message_id',
    'previous_message_versions[].creator.*',
  ],
  'the name in the folder: the address has it where it is there': ['attached_files[].export_name'],
};

const losses: Readonly<Record<string, readonly string[]>> = {
  previews: ['url_metadata.snippet', 'url_metadata.image_url'],
};

it.each([
  ['takeout', 12],
  ['languages', 7],
])('the books of Google Chat account for every value of the sample %s', async (name, count) => {
  const folder = `samples/googlechat/${name}/export`;
  const { rows: planned } = await planOf(home.make(), folder, 'messages: { system: keep, calls: keep, deleted: keep }');
  const rows = new Map<string, unknown>();
  for (const path of globSync('**/messages.json', { cwd: folder })) {
    const { messages } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as { messages: { message_id: string }[] };
    for (const row of messages) rows.set(`${row.message_id.split('/')[0]} ${row.message_id}`, row);
  }
  expect([missingIn({ rows, planned, meaningless, losses }), planned.length]).toEqual([{}, count]);
});
