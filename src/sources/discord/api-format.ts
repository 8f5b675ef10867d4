/**
 * Rows of Discord's API (v10), as `mappings/fetch/discord.yaml` writes them, a row on each line: `guilds.ndjson`, and a file for each
 * server (`roles/`, `members/`, `channels/`, `threads/<id>.ndjson`) or channel and thread (`messages/<id>.ndjson`).
 *
 * {"type": 0, "id": "1477…", "channel_id": "1477…", "content": "Good morning <@3000…>", "timestamp":
 * "2026-03-02T09:00:00.250000+00:00", "author": {"id": "3000…", "username": "ines", "discriminator": "0", "global_name": "Ines"}}
 *
 * https://docs.discord.com/developers/resources/message and https://github.com/discord/discord-api-spec (2026-11). Only what is read.
 */
export interface ApiMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly type: number;
  readonly content: string;
  readonly author: ApiUser;
  readonly timestamp: string;
  readonly edited_timestamp: string | null;
  readonly pinned: boolean;
  readonly flags: number;
  readonly mentions: readonly ApiUser[];
  readonly attachments: readonly ApiFile[];
  readonly embeds: readonly ApiEmbed[];
  readonly sticker_items: readonly ApiSticker[];
  readonly components: readonly ApiComponent[];
  /** Without the people who reacted. */
  readonly reactions: readonly {
    readonly count: number;
    readonly emoji: { readonly id: string | null; readonly name: string };
  }[];
  readonly message_reference: { readonly type: number; readonly message_id: string; readonly channel_id: string };
  readonly message_snapshots: readonly { readonly message: ApiMessage }[];
  readonly interaction: { readonly name: string; readonly user: ApiUser };
  readonly call: { readonly ended_timestamp: string | null };
  readonly poll: ApiPoll;
  readonly activity: object;
}

export interface ApiUser {
  readonly id: string;
  readonly username: string;
  /** `0000` for webhooks. */
  readonly discriminator: string;
  readonly global_name: string | null;
  readonly bot: boolean;
  readonly avatar: string | null;
}

export interface ApiMember {
  readonly user: ApiUser;
  readonly nick: string | null;
  /** Ids. */
  readonly roles: readonly string[];
}

/** A channel, a category or a thread. */
export interface ApiChannel {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly topic: string | null;
  /** The category of a channel, the channel of a thread. */
  readonly parent_id: string | null;
}

export interface ApiFile {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly url: string;
}

export interface ApiSticker {
  readonly id: string;
  readonly name: string;
  /** 1 PNG, 2 APNG, 3 Lottie, 4 GIF. */
  readonly format_type: number;
}

/** Type 10 shows a text, 11 and 12 pictures, 13 a file. https://docs.discord.com/developers/components/reference (2026-11) */
export interface ApiComponent {
  readonly type: number;
  readonly content: string;
  readonly components: readonly ApiComponent[];
  readonly media: Picture;
  readonly file: Picture;
  readonly items: readonly { readonly media: Picture }[];
  /** Of a section: a button or a picture. */
  readonly accessory: ApiComponent;
}

interface Picture {
  readonly url: string;
}

export interface ApiEmbed {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly timestamp: string;
  readonly color: number;
  readonly author: { readonly name: string; readonly url: string; readonly icon_url: string };
  readonly footer: { readonly text: string; readonly icon_url: string };
  readonly image: Picture;
  readonly thumbnail: Picture;
  readonly video: Picture;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

export interface ApiPoll {
  readonly question: { readonly text: string };
  readonly answers: readonly {
    readonly answer_id: number;
    readonly poll_media: { readonly text: string; readonly emoji: { readonly name: string } };
  }[];
  readonly results: { readonly answer_counts: readonly { readonly id: number; readonly count: number }[] };
}
