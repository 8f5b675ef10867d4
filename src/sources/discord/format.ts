/**
 * Output of DiscordChatExporter: a file for each channel and thread, as JSON with `guild`, `channel`, `messages` in
 * this order.
 *
 * {"guild": {"id": "1477…", "name": "Harbour"}, "channel": {"id": "1477…", "type": "GuildTextChat", "name": "general"},
 * "messages": [ {"id": "1477…", "type": "Default", "timestamp": "2026-03-02T10:00:00.25+01:00", "content": "Good
 * morning", "author": {…}}]}
 *
 * https://github.com/Tyrrrz/DiscordChatExporter, Core/Exporting/JsonMessageWriter.cs (2026-11). Every field may be
 * missing: versions differ, and other tools write the same.
 */
export interface DiscordExport {
  readonly guild: DiscordGuild;
  readonly channel: DiscordChannel;
  readonly exportedAt: string;
  /** Date range that was requested. After the messages follows `messageCount`. */
  readonly dateRange: { readonly after: string; readonly before: string };
}

/** For direct messages: id `0`, name `Direct Messages`. */
export interface DiscordGuild {
  readonly id: string;
  readonly name: string;
}

export interface DiscordChannel {
  readonly id: string;
  /** `GuildTextChat`, `DirectTextChat`, `DirectGroupTextChat`, `GuildPublicThread`, `GuildPrivateThread`, … */
  readonly type: string;
  /** Parent of the channel. For a thread, this is its channel. */
  readonly categoryId: string;
  readonly category: string;
  readonly name: string;
  readonly topic: string;
  readonly iconUrl: string;
}

export interface DiscordUser {
  readonly id: string;
  readonly name: string;
  /** `0000` since names are unique, and of webhooks; other bots have one. */
  readonly discriminator: string;
  /** Name on this server, else the one to show. */
  readonly nickname: string;
  readonly isBot: boolean;
  /** Absent for people who reacted. */
  readonly roles: readonly { readonly name: string }[];
  readonly avatarUrl: string;
}

export interface DiscordMessage {
  readonly id: string;
  /** A name, or the number of a type that the exporter has no name for. */
  readonly type: string;
  /** With the offset of the clock that exported, or of UTC. */
  readonly timestamp: string;
  readonly timestampEdited: string;
  readonly callEndedTimestamp: string;
  readonly isPinned: boolean;
  /** Discord's Markdown. Mentions are names already, or tokens (`<@300…>`) with `--markdown false`. */
  readonly content: string;
  readonly author: DiscordUser;
  readonly attachments: readonly DiscordFile[];
  readonly embeds: readonly DiscordEmbed[];
  readonly stickers: readonly DiscordSticker[];
  readonly reactions: readonly DiscordReaction[];
  readonly mentions: readonly DiscordUser[];
  readonly reference: DiscordReference;
  /** Not written by the exporter itself. */
  readonly components: readonly unknown[];
  /** The content of what is forwarded. Missing before version 2.46. */
  readonly forwardedMessage: DiscordMessage;
  /** The command that an app answers. */
  readonly interaction: { readonly name: string; readonly user: DiscordUser };
  readonly inlineEmojis: readonly DiscordEmoji[];
  /** Not written by the exporter: the answer of an app that one person alone saw. */
  readonly isEphemeral: boolean;
}

export interface DiscordReference {
  readonly type: string;
  readonly messageId: string;
  readonly channelId: string;
}

export interface DiscordFile {
  readonly id: string;
  /** Path next to the file if the export was made with `--media`, with backslashes on Windows. */
  readonly url: string;
  readonly fileName: string;
  readonly fileSizeBytes: number;
}

export interface DiscordSticker {
  readonly id: string;
  readonly name: string;
  /** `Png`, `Apng`, `Lottie`, `Gif`. */
  readonly format: string;
  readonly sourceUrl: string;
}

/** `id` is empty for those that are characters. */
export interface DiscordEmoji {
  readonly id: string;
  readonly name: string;
}

export interface DiscordReaction {
  readonly emoji: DiscordEmoji;
  readonly count: number;
  readonly users: readonly DiscordUser[];
}

interface Picture {
  readonly url: string;
}

/** A card of an app, or the preview of a link. */
export interface DiscordEmbed {
  readonly title: string;
  readonly url: string;
  readonly timestamp: string;
  readonly description: string;
  readonly color: string;
  readonly author: { readonly name: string; readonly url: string; readonly iconUrl: string };
  readonly thumbnail: Picture;
  readonly image: Picture;
  readonly images: readonly Picture[];
  readonly video: Picture;
  readonly footer: { readonly text: string; readonly iconUrl: string };
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly inlineEmojis: readonly DiscordEmoji[];
}

/**
 * The data package that Discord sends on request: what one account wrote, with a folder for each channel. Names of folders are those of
 * the account's language, so files are known by their places relative to each other.
 *
 *     Messages/index.json                         {"1477…": "general in Harbour", "1478…": "Direct Message with tomasz#0"}
 *     Messages/c1477000000000000100/channel.json  {"id": "1477…", "type": "GUILD_TEXT", "name": "general", "guild": {"id": "…", "name": "Harbour"}}
 *     Messages/c1477000000000000100/messages.json [{"ID": 1477…, "Timestamp": "2026-03-02 09:00:00", "Contents": "…", "Attachments": "…"}]
 *     Account/user.json                           {"id": "300…", "username": "ines", "global_name": "Ines H."}
 *
 * Before 2024 messages.csv, folders without `c`, types as numbers.
 * https://support.discord.com/hc/en-us/articles/360004957991 (2026-11)
 */
export const ownMessages = /(?:^|\/)c?(\d{15,20})\/messages\.(?:json|csv)$/;
export const channelFacts = /(?:^|\/)c?(\d{15,20})\/channel\.json$/;
