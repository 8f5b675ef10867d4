import { asId, asObject } from '../kit/narrow.ts';

/**
 * Rocket.Chat's collections as `mongoexport` writes them, and the same objects as its REST API returns them.
 *
 * `packages/core-typings/src` of https://github.com/RocketChat/Rocket.Chat (`IMessage/IMessage.ts`, `IRoom.ts`,
 * `IUser.ts`, `ISubscription.ts`); https://developer.rocket.chat/apidocs/channel-history;
 * https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/ (all 2026-11).
 *
 * Undocumented: the collections come as lines, as one array (`--jsonArray`), or as objects over several lines one after
 * another (`--pretty`); answers of `*.history` begin with the newest. Edited messages leave copies of the earlier text
 * (`_hidden`, `parent`) if the server keeps them. A reaction has the usernames from the time of the reaction, while
 * messages follow a new name. Before 2.6 `mongoexport` wrote `+0000` for the zone.
 *
 * {"_id":"r4Y…","rid":"GENERAL","msg":"Hi
 * @tom","ts":{"$date":"2026-03-02T09:00:00.000Z"},"u":{"_id":"…","username":"ines"}}
 */
export interface RocketMessage {
  readonly _id: string;
  /** Room. For two people: their ids, one after the other. */
  readonly rid: string;
  /** Markdown in which one star is bold. */
  readonly msg: string;
  readonly ts: unknown;
  readonly u: RocketPerson;
  /** Absent for what people say; else see `kinds.ts`. */
  readonly t: string;
  /** Root of the thread; `tshow`: shown in the room as well. */
  readonly tmid: string;
  readonly tshow: boolean;
  /** The discussion, a room of its own, that begins here. */
  readonly drid: string;
  readonly mentions: readonly RocketPerson[];
  readonly channels: readonly { readonly _id: string; readonly name: string; readonly fname: string }[];
  readonly urls: readonly { readonly url: string; readonly meta: unknown; readonly ignoreParse: boolean }[];
  readonly attachments: readonly RocketAttachment[];
  readonly file: RocketFile;
  readonly files: readonly RocketFile[];
  /** By `:name:`. */
  readonly reactions: Readonly<Record<string, { readonly usernames: readonly string[] }>>;
  readonly pinned: boolean;
  readonly starred: readonly unknown[];
  /** Time of the row's last change of any kind. */
  readonly _updatedAt: unknown;
  readonly editedAt: unknown;
  readonly editedBy: RocketPerson;
  /** Without `parent`: deleted, if the server keeps deleted messages. */
  readonly _hidden: boolean;
  /** One person alone saw it. */
  readonly private: boolean;
  readonly parent: string;
  /** Shown by a webhook instead of its owner's name and picture. */
  readonly alias: string;
  readonly avatar: string;
  readonly emoji: string;
  readonly bot: unknown;
  readonly location: { readonly coordinates: readonly [longitude: number, latitude: number] };
  /** For apps. */
  readonly blocks: readonly RocketBlock[];
  /** By language. */
  readonly translations: Readonly<Record<string, string>>;
  readonly customFields: Readonly<Record<string, unknown>>;
  /** For a role that a person was given. */
  readonly role: string;
}

/** In messages and rooms. `_id` is `all` or `here` for everybody, `type` `team` for a team. */
export interface RocketPerson {
  readonly _id: string;
  readonly username: string;
  readonly name: string;
  readonly type: string;
}

/** A block of UiKit: https://developer.rocket.chat/docs/ui-kit (2026-11) */
export interface RocketBlock {
  readonly type: string;
  readonly text: RocketText;
  readonly fields: readonly RocketText[];
  readonly title: RocketText;
  readonly elements: readonly RocketBlock[];
  readonly accessory: RocketBlock;
  readonly imageUrl: string;
  readonly altText: string;
  readonly url: string;
}

export interface RocketText {
  readonly type: string;
  readonly text: string;
}

export interface RocketFile {
  readonly _id: string;
  readonly name: string;
  readonly type: string;
  readonly size: unknown;
  readonly typeGroup: string;
}

/** A file, a message that is quoted, or a card of an app (`kit/text/cards.ts`). */
export interface RocketAttachment {
  readonly title: string;
  /** `/file-upload/<id>/<name>` of a file, like the four below. */
  readonly title_link: string;
  readonly image_url: string;
  readonly audio_url: string;
  readonly video_url: string;
  readonly type: string;
  /** For a file: the comment sent with it. */
  readonly description: string;
  /** Address of the message that is quoted. */
  readonly message_link: string;
  readonly author_name: string;
  readonly text: string;
  readonly attachments: readonly RocketAttachment[];
}

export interface RocketRoom {
  readonly _id: string;
  /** `c`: open to all, `p`: by invitation, `d`: of those in it, `l`: with a visitor, `v`: a call. */
  readonly t: string;
  readonly name: string;
  readonly fname: string;
  readonly topic: string;
  readonly description: string;
  readonly announcement: string;
  readonly u: RocketPerson;
  readonly ts: unknown;
  readonly archived: boolean;
  readonly ro: boolean;
  readonly encrypted: boolean;
  readonly teamMain: boolean;
  /** The room in which a discussion began. */
  readonly prid: string;
  readonly uids: readonly string[];
  readonly usernames: readonly string[];
  readonly lastMessage: RocketMessage;
}

export interface RocketUser {
  readonly _id: string;
  readonly username: string;
  readonly name: string;
  readonly nickname: string;
  readonly bio: string;
  readonly statusText: string;
  readonly emails: readonly { readonly address: string }[];
  readonly type: string;
  readonly active: boolean;
  readonly roles: readonly string[];
  readonly avatarUrl: string;
  readonly createdAt: unknown;
  readonly customFields: Readonly<Record<string, unknown>>;
  readonly utcOffset: unknown;
  readonly __rooms: readonly string[];
  /** In a list of members that `chatferry fetch` wrote: their room, which no answer names. */
  readonly rid: string;
}

export interface RocketSubscription {
  readonly rid: string;
  readonly u: RocketPerson;
  /** When the person joined. */
  readonly ts: unknown;
  readonly ls: unknown;
  readonly f: boolean;
  readonly roles: readonly string[];
}

/** An id, also as an ObjectId of Extended JSON. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : asId(asObject<{ $oid: string }>(value)?.$oid ?? value);

/** A number, also as one of Extended JSON: `{"$numberLong":"12"}`. */
export function numberOf(value: unknown): number | undefined {
  const { $numberLong, $numberInt, $numberDouble } =
    asObject<Record<'$numberLong' | '$numberInt' | '$numberDouble', string>>(value) ?? {};
  const said = $numberLong ?? $numberInt ?? $numberDouble ?? value;
  const number = typeof said === 'string' && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(said) ? Number(said) : said;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;
const timeMax = 8.64e15;

/** Epoch milliseconds of a time: of the API (`2026-03-02T09:00:00.000Z`), or of Extended JSON in any of its ways. */
export function rocketchatTime(value: unknown): number | undefined {
  const said = typeof value === 'object' ? (asObject<{ $date: unknown }>(value)?.$date ?? undefined) : value;
  if (typeof said === 'string' && instant.test(said)) {
    const atMs = Date.parse(said.endsWith('Z') ? said : said.replace(/(\d\d)(\d\d)$/, '$1:$2'));
    return Number.isNaN(atMs) ? undefined : atMs;
  }
  const atMs = typeof said === 'string' ? undefined : numberOf(said);
  return atMs !== undefined && Math.abs(atMs) <= timeMax ? Math.trunc(atMs) : undefined;
}
