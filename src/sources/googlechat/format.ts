/**
 * Google Chat in a download of Google Takeout: `Google Chat/Groups/<DM id|Space id>/` with `group_info.json`,
 * `messages.json` and files, and `Google Chat/Users/User <digits>/user_info.json`. The names of the folders around them
 * are in the language of the account.
 *
 * https://support.google.com/accounts/answer/3024190 (looked at 2026-11); Google documents no fields.
 *
 * Undocumented: times are sentences in the language of the account, in UTC, to the second; an edited message has only
 * `updated_date`, and its first time is in its earlier versions; a deleted message has no author, text or time; file
 * names in messages differ from those in the folder.
 *
 * {"messages":[{"creator":{"name":"Ines","email":"ines@example.com","user_type":"Human"}, "created_date":"Monday, March
 * 2, 2026 at 9:00:00 AM UTC","text":"Hi","topic_id":"t1","message_id":"AAAA/t1/t1"}]}
 */
export interface ChatMessage {
  readonly creator: ChatPerson;
  readonly created_date: string;
  readonly updated_date: string;
  readonly deleted_date: string;
  readonly text: string;
  readonly topic_id: string;
  /** `<group>/<topic>/<message>`: the last two are the same for the first message of a topic. */
  readonly message_id: string;
  readonly attached_files: readonly ChatFile[];
  readonly annotations: readonly ChatAnnotation[];
  readonly reactions: readonly {
    readonly emoji: { readonly unicode: string };
    readonly reactor_emails: readonly string[];
  }[];
  readonly quoted_message_metadata: Pick<ChatMessage, 'creator' | 'text' | 'attached_files'>;
  readonly previous_message_versions: readonly ChatMessage[];
  readonly message_state: string;
  readonly deletion_metadata: { readonly deletion_type: string };
}

export interface ChatPerson {
  readonly name: string;
  /** Not of deleted accounts. */
  readonly email: string;
  readonly user_type: 'Human' | 'Bot';
}

export interface ChatFile {
  readonly original_name: string;
  readonly export_name: string;
}

/** Annotation of a piece of the text; of length 0 if it is about the whole message. */
export interface ChatAnnotation {
  readonly start_index: number;
  readonly length: number;
  readonly format_metadata: { readonly format_type: string };
  readonly url_metadata: {
    readonly title: string;
    readonly url: { readonly private_do_not_access_or_else_safe_url_wrapped_value: string };
  };
  readonly interaction_data: {
    readonly url: { readonly private_do_not_access_or_else_safe_url_wrapped_value: string };
  };
  readonly youtube_metadata: { readonly id: string };
  readonly drive_metadata: { readonly id: string; readonly title: string };
  readonly video_call_metadata: { readonly meeting_space: { readonly meeting_url: string } };
  readonly user_mention: { readonly user: ChatPerson };
}

/** Content of other apps of Google. */
export interface ChatGsuite {
  readonly call_data: { readonly call_status: string };
  readonly calendar_event_data: { readonly calendar_event: ChatCalendarEvent };
  readonly tasks_data: { readonly task_properties: ChatTask };
}

export interface ChatCalendarEvent {
  readonly title: string;
  readonly location: string;
  readonly start_time: { readonly timed: string };
  readonly end_time: { readonly timed: string };
}

export interface ChatTask {
  readonly title: string;
  readonly description: string;
}

export interface ChatGroup {
  readonly name: string;
  readonly emoji_id: string;
  readonly members: readonly ChatPerson[];
}
