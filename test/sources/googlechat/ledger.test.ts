import { globSync, readFileSync } from 'node:fs';
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
])('the plan and losses of Google Chat account for every value of the sample %s', async (name, count) => {
  const folder = `samples/googlechat/${name}/export`;
  const { rows: planned } = await planOf(home.make(), folder, 'messages: { system: keep, calls: keep, deleted: keep }');
  const rows = new Map<string, unknown>();
  for (const path of globSync('**/messages.json', { cwd: folder })) {
    const { messages } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as { messages: { message_id: string }[] };
    for (const row of messages) rows.set(`${row.message_id.split('/')[0]} ${row.message_id}`, row);
  }
  expect([missingIn({ rows, planned, meaningless, losses }), planned.length]).toEqual([{}, count]);
});

/** For Hangouts. */
const ofApp: Readonly<Record<string, readonly string[]>> = {
  'a number of microseconds, which the payload has in seconds': ['timestamp'],
  'a setting or position of the app': [
    ...['self_event_state.*', 'advances_sort_timestamp', 'event_otr', 'delivery_medium.*', 'event_version'],
    ...['hangout_event.media_type', 'membership_change.leave_reason'],
  ],
  'the kind of something, which the text shows': [
    ...[
      'segment[].type',
      'embed_item.type[]',
      'plus_photo.media_type',
      'membership_change.type',
      'hangout_event.event_type',
    ],
    ...['formatting.bold', 'event_type'],
  ],
  'somebody whose uid is kept, or whose name': ['gaia_id', 'chat_id'],
  'where the photo stands beside its file': ['plus_photo.url', 'plus_photo.album_id', 'attachment[].id', 'photo_id'],
};
const ofAppLosses = {
  underlines: ['formatting.underline'],
  calls: ['hangout_event.hangout_duration_secs'],
};

it('the plan and losses of Hangouts account for every value of the sample hangouts', async () => {
  const folder = 'samples/googlechat/hangouts/export';
  const { rows: planned } = await planOf(home.make(), folder, 'messages: { system: keep, calls: keep }');
  const file = readFileSync(join(folder, 'Takeout/Hangouts/Hangouts.json'), 'utf8');
  const { conversations } = JSON.parse(file) as {
    conversations: { events: { event_id: string; conversation_id: { id: string } }[] }[];
  };
  const events = conversations.flatMap((one) => one.events);
  const rows = new Map(events.map((event) => [`${event.conversation_id.id} ${event.event_id}`, event]));
  const missing = missingIn({ rows, planned, meaningless: ofApp, losses: ofAppLosses });
  expect([missing, planned.length]).toEqual([{}, 12]);
});
