/**
 * `Hangouts.json` of Google Takeout: conversations, each with its events. Google Hangouts ended in 2022; Takeout still
 * has the data if it was not deleted.
 *
 * Google documents no fields (looked at 2026-11). Until about 2017 the layout was
 * `conversation_state[].conversation_state.{conversation,event[]}`, then `conversations[].{conversation,events[]}`, in
 * which one conversation object is nested in another. Times are microseconds as text, in no particular order.
 */
export interface HangoutsConversation {
  readonly id: { readonly id: string };
  readonly type: 'STICKY_ONE_TO_ONE' | 'GROUP';
  readonly name: string;
  readonly participant_data: readonly HangoutsParticipant[];
}

export interface HangoutsPerson {
  readonly gaia_id: string;
  readonly chat_id: string;
}

export interface HangoutsParticipant {
  readonly id: HangoutsPerson;
  readonly fallback_name: string;
}

export interface HangoutsEvent {
  readonly event_id: string;
  readonly conversation_id: { readonly id: string };
  readonly sender_id: HangoutsPerson;
  /** Microseconds. */
  readonly timestamp: string;
  /** `REGULAR_CHAT_MESSAGE`, `SMS`, `MMS`, `VOICEMAIL`, `PHONE_CALL`, `HANGOUT_EVENT`, `RENAME_CONVERSATION`, `ADD_USER`, `REMOVE_USER`, … */
  readonly event_type: string;
  readonly chat_message: {
    readonly message_content: { readonly segment: readonly HangoutsSegment[]; readonly attachment: readonly unknown[] };
    readonly annotation: readonly unknown[];
  };
  readonly hangout_event: {
    readonly event_type: string;
    readonly hangout_duration_secs: string;
    readonly participant_id: readonly HangoutsPerson[];
  };
  readonly conversation_rename: { readonly new_name: string };
  readonly membership_change: { readonly participant_id: readonly HangoutsPerson[] };
}

export interface HangoutsSegment {
  readonly type: 'TEXT' | 'LINK' | 'LINE_BREAK';
  /** Not always there for a line break. */
  readonly text: string;
  readonly formatting: {
    readonly bold: boolean;
    readonly italics: boolean;
    readonly strikethrough: boolean;
    readonly underline: boolean;
  };
  readonly link_data: { readonly link_target: string };
}

/** A picture, film or sound, in `embed_item` under the name of its kind (`plus_photo`, `plus_audio_v2`), or `embed_item` itself. */
export interface HangoutsPhoto {
  /** `PHOTO`, `ANIMATED_PHOTO`, `VIDEO`, `AUDIO`. */
  readonly media_type: string;
  readonly name: string;
  readonly title: string;
  readonly embed_url: string;
  readonly thumbnail: { readonly image_url: string };
  readonly url: string;
  readonly original_content_url: readonly string[] | string;
  readonly photo_id: string;
}
