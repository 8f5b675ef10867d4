/**
 * Messenger's and Instagram's chats in the download of one's information, as JSON: a folder for each thread, in it
 * `message_1.json` with the latest messages, then `message_2.json` … (until 2019 one `message.json`, in 2018 with times
 * in seconds); chats of groups in `groups/your_group_messages/<number>.json`; Instagram's `messages.json` of 2018 to
 * 2020 with all conversations (`direct-file.ts`); and the flat files of Messenger's encrypted chats (secure storage),
 * `<Name>_<number>.json`.
 *
 * https://www.facebook.com/help/212802592074644, https://help.instagram.com/181231772500920,
 * https://www.messenger.com/secure_storage/dyi (looked at 2026-11).
 *
 * Undocumented: neither messages nor people have ids, and people are identified by name; every text is UTF-8
 * interpreted as Latin-1 (`caf\u00c3\u00a9`), but not in every version, nor in every row; `type` is gone since 2024;
 * rows are newest first, with exceptions; paths of files begin at another folder than that of the download.
 *
 * {"participants":[{"name":"Ines"},{"name":"Tom"}],"messages":[{"sender_name":"Ines","timestamp_ms":1772442000000,"content":"Hi"}],
 * "title":"Tom","thread_path":"inbox/tom_4f2a"}
 * {"participants":["Ines","Tom"],"threadName":"Tom_3","messages":[{"senderName":"Ines","text":"Hi","timestamp":1772442000000}]}
 */
export interface MetaThread {
  readonly participants: readonly ({ readonly name: string } | string)[];
  readonly title: string;
  /** For an encrypted chat. */
  readonly threadName: string;
  /** For a chat of a group. */
  readonly thread_name: string;
  readonly thread_path: string;
  readonly thread_type: string;
  readonly is_still_participant: boolean;
  readonly image: { readonly uri: string };
  readonly joinable_mode: { readonly link: string };
  readonly magic_words: readonly unknown[];
}

export interface MetaMessage {
  readonly sender_name: string;
  readonly timestamp_ms: number;
  readonly content: string;
  /**
   * `Generic`, `Share`, `Call`, `Subscribe` (a person was added), `Unsubscribe`, `Payment`; encrypted: `text`, `media`,
   * `link`, `placeholder`.
   */
  readonly type: string;
  readonly is_unsent: boolean;
  readonly call_duration: number;
  readonly missed: boolean;
  readonly share: MetaShare;
  readonly sticker: MetaFile & { readonly ai_stickers: readonly MetaFile[] };
  readonly photos: readonly MetaFile[];
  readonly videos: readonly MetaFile[];
  readonly audio_files: readonly MetaFile[];
  readonly files: readonly MetaFile[];
  readonly gifs: readonly MetaFile[];
  readonly reactions: readonly MetaReaction[];
  /** Who was added or left. */
  readonly users: readonly { readonly name: string }[];
  /** Milliseconds in an encrypted chat; seconds in place of `timestamp_ms` in 2018. */
  readonly timestamp: number;
  /** The same in an encrypted chat. */
  readonly senderName: string;
  readonly text: string;
  readonly isUnsent: boolean;
  readonly media: readonly MetaFile[];
}

export interface MetaFile {
  readonly uri: string;
  /** Seconds. */
  readonly creation_timestamp: number;
}

export interface MetaShare {
  readonly link: string;
  readonly share_text: string;
  readonly original_content_owner: string;
  readonly profile_share_username: string;
  readonly profile_share_name: string;
}

export interface MetaReaction {
  readonly reaction: string;
  readonly actor: string;
}

/** Whether the name belongs to a closed account: all of them have this name, or none. */
export const isDeletedName = (name: string): boolean => /^(?:facebook user|instagram ?user)?$/i.test(name);
