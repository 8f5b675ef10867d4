/**
 * Slack's own shapes, in Slack's own words: only the fields that are read.
 *
 * They describe correct output of Slack. The actual content of a file is `Untrusted<…>` of these. Layout of an export:
 * https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports (2026-11).
 */

/**
 * One person or bot of `users.json` or `org_users.json`.
 *
 *     { "id": "U061A5N1G", "team_id": "T061A2UFL", "name": "neerajt", "deleted": false,
 *       "real_name": "Neeraj Tandon", "is_admin": true, "profile": { "display_name": "", "image_512": "https://…" } }
 *
 * https://docs.slack.dev/reference/objects/user-object (2026-11)
 */
export interface SlackUser {
  id: string;
  team_id: string;
  enterprise_user: { enterprise_id: string };
  name: string;
  deleted: boolean;
  real_name: string;
  is_admin: boolean;
  is_owner: boolean;
  is_primary_owner: boolean;
  /** A guest; with `is_ultra_restricted`, one of a single channel. */
  is_restricted: boolean;
  is_ultra_restricted: boolean;
  is_bot: boolean;
  tz: string;
  profile: SlackProfile;
}

/** `profile` of a user, and `user_profile` of a message whose author belongs to another workspace. Any value may be null. */
export interface SlackProfile {
  display_name: string;
  display_name_normalized: string;
  real_name: string;
  real_name_normalized: string;
  /** Handle; only in `user_profile`. */
  name: string;
  /** Missing since about 2018 unless the export was made with that permission. */
  email: string;
  /** `B…`: the id that messages of a bot carry instead of its user id. */
  bot_id: string;
  image_72: string;
  image_192: string;
  image_512: string;
  image_original: string;
  /** Details that have no field in our model. `fields` are the workspace's own. */
  title: string;
  phone: string;
  skype: string;
  pronouns: string;
  status_text: string;
  status_emoji: string;
  start_date: string;
  fields: Readonly<Record<string, unknown>> | null;
}

/**
 * One conversation of `channels.json`, `groups.json`, `dms.json`, `mpims.json` or `file_conversations.json`.
 *
 *     { "id": "C061A0WJG", "name": "datajam", "created": "1433558319", "is_archived": false, "members": ["U061A1R2R"],
 *       "pins": [{ "id": "1444755381.000003", "type": "C" }], "topic": { "value": "" }, "purpose": { "value": "" } }
 *
 * https://docs.slack.dev/reference/objects/conversation-object (2026-11)
 */
export interface SlackConversation {
  id: string;
  /** Absent in `dms.json`. The folder has this name, or the id of a direct conversation. */
  name: string;
  /** Seconds; a string in exports of 2015 and 2016. */
  created: number | string;
  creator: string;
  is_archived: boolean;
  members: string[];
  topic: { value: string };
  purpose: { value: string };
  /** `id` is the `ts` of the pinned message, or a file. */
  pins: { id: string }[];
  /** Only in lists of the API, which has one for all kinds. */
  is_im: boolean;
  is_mpim: boolean;
  is_group: boolean;
  is_private: boolean;
}

/**
 * One row of `<folder>/YYYY-MM-DD.json`. The day is that of California, so it says nothing about the time.
 *
 *     { "type": "message", "user": "U061A5N1G", "text": "Gorgeous! It's fantastic", "ts": "1433563027.000006",
 *       "reactions": [{ "name": "+1", "users": ["U061A1R2R"], "count": 1 }], "thread_ts": "1433562823.000002" }
 *
 * https://docs.slack.dev/reference/events/message (2026-11)
 */
export interface SlackMessage {
  subtype: string;
  /** Seconds and microseconds as text. Unique in its conversation: the message's id. */
  ts: string;
  text: string;
  user: string;
  bot_id: string;
  /** Made by the app of the message's author; lines of the platform have none. */
  client_msg_id: string;
  /** The name a bot chose to post under. */
  username: string;
  icons: { image_72: string; image_64: string; image_48: string };
  bot_profile: { name: string; icons: { image_72: string } };
  user_profile: SlackProfile;
  blocks: SlackBlock[] | null;
  attachments: SlackAttachment[];
  files: SlackFile[];
  /** One file, in messages from before about 2018. */
  file: SlackFile;
  /** Text of `file_comment` rows, and its author. */
  comment: { user: string; comment: string };
  reactions: { name: string; users: string[]; count: number }[];
  edited: { user: string; ts: string };
  /** Equal to `ts` at the root of a thread. */
  thread_ts: string;
  /** Of a row with replies. The replies of an export may be left out by its range or by the plan's limit. */
  reply_count: number;
  /** For slackdump: the replies, inside the row that they answer. */
  slackdump_thread_replies: SlackMessage[];
  /** Root of the thread that an old `reply_broadcast` shows. */
  broadcast_thread_ts: string;
  pinned_to: string[];
  hidden: boolean;
  /** One person alone saw it. */
  is_ephemeral: boolean;
  /** Data that an app attached for its own use. */
  metadata: { event_type: string };
  /** Who invited the person that joined. */
  inviter: string;
  room: SlackRoom;
  /** The version inside `message_changed`, and the one before `message_deleted`. */
  message: SlackMessage;
  previous_message: SlackMessage;
  deleted_ts: string;
  /** For a Slack Post among the messages. */
  mimetype: string;
}

/**
 * A huddle or call.
 *
 *     "room": { "id": "R05", "created_by": "U061A5N1G", "date_start": 1689964161, "date_end": 1689965161,
 *               "participant_history": ["U061A5N1G", "U061A1R2R"], "has_ended": true }
 *
 * https://docs.slack.dev/reference/objects/conversation-object, example of a huddle (2026-11)
 */
export interface SlackRoom {
  name: string;
  created_by: string;
  /** Seconds; 0 while it goes on. */
  date_start: number;
  date_end: number;
  participants: string[];
  participant_history: string[];
}

/**
 * An uploaded file. Exports hold its address, never its bytes.
 *
 *     { "id": "F061AT0CX", "name": "fritz.jpg", "title": "Fritz.jpg", "mimetype": "image/jpeg", "size": 427504,
 *       "mode": "hosted", "url_private": "https://files.slack.com/files-pri/T061A2UFL-F061AT0CX/fritz.jpg?t=xoxe-…" }
 *
 * https://docs.slack.dev/reference/objects/file-object (2026-11)
 */
export interface SlackFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  filetype: string;
  /** `slack_audio` and `slack_video` of clips that were recorded in Slack. */
  subtype: string;
  size: number;
  /** `hosted`, `external`, `snippet`, `space`, `post`, `quip`, `tombstone`, `hidden_by_limit`. */
  mode: string;
  is_external: boolean;
  /** `visible`, `access_denied`, `check_file_info`, `file_not_found`. */
  file_access: string;
  url_private: string;
  url_private_download: string;
  permalink_public: string;
  permalink: string;
  /** The first lines of a text file. */
  preview: string;
  /** For a mail: its text. */
  plain_text: string;
  /** Comment of its owner at the upload, before about 2018. */
  initial_comment: { comment: string };
}

/**
 * A legacy attachment: a bot's card, or the preview ("unfurl") that Slack made of a link.
 *
 *     { "fallback": "Build 812 passed", "title": "Build 812", "title_link": "https://ci.example.com/812",
 *       "text": "All *green*", "fields": [{ "title": "Branch", "value": "main", "short": true }], "footer": "CI" }
 *
 * https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments (2026-11)
 */
export interface SlackAttachment {
  fallback: string;
  pretext: string;
  author_name: string;
  author_link: string;
  title: string;
  title_link: string;
  text: string;
  fields: { title: string; value: string }[];
  image_url: string;
  thumb_url: string;
  footer: string;
  footer_icon: string;
  author_icon: string;
  author_subname: string;
  service_icon: string;
  color: string;
  video_url: string;
  video_html: string;
  actions: { type: string; text: string; url: string }[];
  blocks: SlackBlock[];
  files: SlackFile[];
  /** The page that a preview shows. */
  from_url: string;
  /** A preview of another message; a shared message where `is_share` is set. */
  is_msg_unfurl: boolean;
  /** A preview that an app made, such as GitHub's of a pull request: its words are not the author's. */
  is_app_unfurl: boolean;
  app_unfurl_url: string;
  /** The address as in the text, if `from_url` differs. */
  original_url: string;
  is_share: boolean;
  /** The blocks of a shared message: `[{ "channel": "C1", "ts": "…", "message": { "blocks": […] } }]`. */
  message_blocks: { message: { blocks: SlackBlock[] } }[];
  channel_id: string;
  ts: string;
}

/**
 * A layout block.
 *
 *     { "type": "rich_text", "elements": [{ "type": "rich_text_section", "elements": [{ "type": "text", "text": "hi" }] }] }
 *     { "type": "section", "text": { "type": "mrkdwn", "text": "*Deployed* <https://example.com|web>" } }
 *
 * https://docs.slack.dev/reference/block-kit/blocks (2026-11)
 */
export interface SlackBlock {
  type: string;
  /** A text object; a string in `markdown` blocks. */
  text: SlackText | string;
  fields: SlackText[];
  elements: SlackBlockElement[];
  accessory: SlackBlockElement;
  /** For an `input` block. */
  label: SlackText;
  element: SlackBlockElement;
  title: SlackText;
  title_url: string;
  video_url: string;
  alt_text: string;
  image_url: string;
  slack_file: { url: string };
  rows: SlackTableCell[][];
  call: { v1: { name: string; join_url: string } };
}

export interface SlackText {
  type: 'mrkdwn' | 'plain_text';
  text: string;
}

/** Element of a block: a button, an image, a text object, or a choice. */
export interface SlackBlockElement {
  type: string;
  text: SlackText | string;
  url: string;
  alt_text: string;
  image_url: string;
  options: { text: SlackText }[];
  placeholder: SlackText;
}

export interface SlackTableCell {
  type: 'raw_text' | 'rich_text';
  text: string;
  elements: SlackRichElement[];
}

/**
 * A part of a `rich_text` block: a section, list, quote or code block, or a piece of text in one of them.
 *
 *     { "type": "rich_text_list", "style": "ordered", "indent": 0, "offset": 4, "elements": [{ "type": "rich_text_section", … }] }
 *     { "type": "link", "url": "https://example.com", "text": "here", "style": { "bold": true } }
 *
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block (2026-11)
 */
export interface SlackRichElement {
  type: string;
  elements: SlackRichElement[];
  /** `bullet` or `ordered` of a list; flags such as `bold` of a piece of text. */
  style: string | { bold: boolean; italic: boolean; strike: boolean; code: boolean; underline: boolean };
  indent: number;
  /** Offset of the first number: 4 makes an ordered list begin with 5. */
  offset: number;
  text: string;
  url: string;
  user_id: string;
  usergroup_id: string;
  channel_id: string;
  /** Name of an emoji, and its code points in hexadecimal: `1f44d-1f3fd`. */
  name: string;
  unicode: string;
  /** 2 to 6. */
  skin_tone: number;
  /** `here`, `channel` or `everyone`. */
  range: string;
  /** A colour: `#ff0000`. */
  value: string;
  /** For a date: seconds, and the text to show if it cannot be formatted. */
  timestamp: number;
  fallback: string;
  file_id: string;
}
