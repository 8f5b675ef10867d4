/** Columns that Sendbird writes into a table of messages, whether or not anything is made of them. */
const columns =
  'message_id type custom_type channel_url channel_type message mentioned_message_template mention_type mentioned_users created_at updated_at ' +
  'is_removed parent_message_id parent_message_info is_reply_to_channel thread_info reactions data sorted_metaarray translations ' +
  'extended_message_payload og_tag poll message_survival_seconds message_retention_hour message_events silent is_op_msg ' +
  'user user_id sender_id nickname sender_nickname profile_url is_active metadata ' +
  'file files thumbnails url name file_name size file_size file_type require_auth';

const known: ReadonlySet<string> = new Set(columns.split(' '));

export const isMessageColumn = (name: string): boolean => known.has(name) || name.startsWith('user.');

/** A first line with none but these: a table with others is one of the user's own. */
export const headOfMessages = new RegExp(
  `^\\ufeff?(?:"?(?:${columns.replaceAll(' ', '|')}|user\\.[\\w.]{1,60})"?(?:[^\\w."\\r\\n]|(?=\\r?(?:\\n|$))))+\\r?(?:\\n|$)`,
);
