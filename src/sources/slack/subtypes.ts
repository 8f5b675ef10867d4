/**
 * Meaning of a row's `subtype`. Rows without one are `message`.
 *
 * - `message`: written by a person. Includes Slackbot's automatic answers and bots' posts.
 * - `action`: `/me waves`; the text in italics.
 * - `broadcast`: a reply that was also shown in the conversation.
 * - `file-share`: before 2018 a file was the message; its text is the owner's comment, not Slack's sentence about it.
 * - `file-comment`: before 2018 a comment on a file; author and text are in `comment`.
 * - `system`: the platform wrote it: `systemEvent` is the subtype, the text stays readable, the author is the person
 *   who caused it.
 * - `call`: a huddle or call: a row of its own with `call` and `systemEvent`; the author is the person who started it.
 * - `deleted`: the rest of a deleted message that has replies. Its author field is Slackbot, so it has no author.
 * - `changed`: a note of the Discovery API around a message's new version; the row is that version, under its own `ts`.
 * - `removed`: the same around the last version of a deleted message.
 * - `unreadable`: the content was withheld by encryption key management; an invalid row, because there is nothing to
 *   migrate.
 */
export type SubtypeRule =
  | 'message'
  | 'action'
  | 'broadcast'
  | 'file-share'
  | 'file-comment'
  | 'system'
  | 'call'
  | 'deleted'
  | 'changed'
  | 'removed'
  | 'unreadable';

const subtypesByRule: Readonly<Record<SubtypeRule, readonly string[]>> = {
  message: ['bot_message', 'slackbot_response', 'file_mention'],
  action: ['me_message'],
  broadcast: ['thread_broadcast', 'reply_broadcast'],
  'file-share': ['file_share'],
  'file-comment': ['file_comment'],
  system: [
    ...['join', 'leave', 'topic', 'purpose', 'name', 'archive', 'unarchive'].flatMap((event) => [
      `channel_${event}`,
      `group_${event}`,
    ]),
    ...['channel_convert_to_private', 'channel_convert_to_public', 'channel_posting_permissions'],
    ...['channel_canvas_updated', 'tabbed_canvas_updated', 'document_mention'],
    ...['bot_add', 'bot_remove', 'bot_enable', 'bot_disable', 'app_conversation_join', 'app_conversation_leave'],
    ...['pinned_item', 'unpinned_item', 'reminder_add', 'reminder_delete'],
    ...['joiner_notification', 'joiner_notification_for_inviter', 'assistant_app_thread', 'welcome_party'],
    ...['added', 'removed', 'renamed', 'updated'].map((event) => `channel_tab_${event}`),
  ],
  call: ['huddle_thread', 'sh_room_created', 'sh_room_shared'],
  deleted: ['tombstone'],
  changed: ['message_changed', 'message_replied'],
  removed: ['message_deleted'],
  unreadable: ['ekm_access_denied'],
};

const ruleOfSubtype: ReadonlyMap<string, SubtypeRule> = new Map(
  Object.entries(subtypesByRule).flatMap(([rule, subtypes]) =>
    subtypes.map((subtype) => [subtype, rule as SubtypeRule] as const),
  ),
);

/** Undefined for a subtype that is not known here: such a row is reported, and kept as a message unless the platform wrote it. */
export const findRule = (subtype: string): SubtypeRule | undefined => ruleOfSubtype.get(subtype);
