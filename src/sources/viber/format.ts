import type { AppDatabase, DatabaseShape } from '../kit/files/app-database.ts';
import type { DatabaseFiles } from '../kit/files/app-database-files.ts';
import { readCount } from '../kit/time/counted-time.ts';

/**
 * The database of Viber for computers, `viber.db`. Viber documents it nowhere; what is known of it is in
 * https://github.com/everysaid/everysaid (`internal/importers`, `bridges/viber/README.md`) and
 * https://github.com/r0073rr0r/ViberPC-Export (`viberkit`); of the older tables only a schema of 2014 was found. Looked at 2026-11.
 *
 *     Events(EventID, TimeStamp ms, Direction 0 in | 1 out, Type, ChatID, ContactID, Token, ContactLatitude, ContactLongitude, …)
 *     Messages(EventID, Type, Body, Subject, Info JSON, PayloadPath, StickerID, Duration, PGIsLiked, SelfReaction, MembersReactions, …)
 *     ChatInfo(ChatID, Name, Token, Flags, PGType, …), ChatRelation(ChatID, ContactID), LikeRelation(MessageToken, LikeEventID)
 *     Contact(ContactID, Name, ClientName, Number "+15555550100", MID, …)
 *
 * - `Events.ContactID` is who wrote the event. A chat with a token is a group, one without is a chat of two.
 * - `Token` is the id of a message on every device, a number of up to 19 digits.
 * - A reaction is an event of its own, in `LikeRelation`. `PGIsLiked` is one of five emoji or 7, with another emoji in `SelfReaction`; 0 takes
 *   it back. `MembersReactions` and `AdminsReactions` of the message count them: `{"1":2,"🙏":1}`.
 * - An edit changes the message, whose `Info.desktop_info.edit_token` says so, and adds an event whose `Info.edit.token` names it.
 * - A message that was deleted for everybody has `Messages.Type` 72, without text.
 * - Places are in ten-millionths of a degree. Before a message had a place of its own, they said where the sender was.
 * - In tables of 2014 people are numbers: `Events.Number`, `ChatRelation.Number`, `ContactRelation(ContactID, Number)`,
 *   `OriginNumberInfo(Number, ClientName)`. A chat of two has no `ChatID`.
 */

/** One's own id: rows know oneself by `Direction` 1 alone. */
export const self = 'self';

/** Values of `Events.Type`. */
export const eventTypes = { call: 1, system: 3 } as const;

const fileTypes = { picture: 2, video: 3, sticker: 4, voice: 6, file: 11 } as const;
const otherTypes = { oldText: 0, text: 1, location: 5, link: 9, contact: 10, pin: 15, deleted: 72 } as const;
/** Values of `Messages.Type`. */
export const messageTypes = { ...fileTypes, ...otherTypes } as const;

/** Bit of `ChatInfo.Flags`: the chat with oneself. */
export const notesFlag = 1 << 19;

const columns = {
  Events: [
    ...['EventID', 'TimeStamp', 'Direction', 'Type', 'ContactLongitude', 'ContactLatitude', 'ChatID', 'ContactID'],
    ...['Number', 'Token'],
  ],
  Messages: [
    ...['EventID', 'Type', 'Subject', 'Body', 'PayloadPath', 'StickerID', 'Duration', 'PttDuration', 'Info'],
    ...['PGIsLiked', 'SelfReaction', 'MembersReactions', 'AdminsReactions'],
  ],
  ChatInfo: ['ChatID', 'Name', 'Token', 'Flags', 'PGType'],
  ChatRelation: ['ChatID', 'ContactID', 'Number'],
  Contact: ['ContactID', 'Name', 'ClientName', 'Number', 'MID', 'FirstName', 'SecondName'],
  ContactRelation: ['ContactID', 'Number'],
  OriginNumberInfo: ['Number', 'ClientName'],
  LikeRelation: ['MessageToken', 'LikeEventID'],
} as const;

type TableName = keyof typeof columns;

export type ViberDatabase = AppDatabase<TableName>;

export const shape: DatabaseShape<TableName> = {
  app: 'Viber',
  hint: 'Newer versions of Viber encrypt it: pass a copy that is decrypted',
  required: {
    Events: ['EventID', 'TimeStamp', 'Direction', 'Type', 'ChatID', 'Token'],
    Messages: ['EventID', 'Type', 'Body'],
    ChatInfo: ['ChatID', 'Token'],
    ChatRelation: ['ChatID'],
    Contact: ['ContactID'],
  },
  columns,
  meaningless: {
    Events: {
      'how far it was read, and marks of the app that say nothing of its content': [
        ...['IsRead', 'IsSessionLifeTime', 'Flags', 'SortOrder', 'Seq'],
      ],
    },
    Messages: {
      'how far it came, and marks of the app': ['Status', 'Flag', 'ClientFlag', 'AppId', 'PttStatus', 'PGMessageId'],
      'a preview of the file, and its id at Viber': ['ThumbnailPath', 'PttID'],
      'reactions as they were before': ['PrevReaction', 'PrevSelfReaction'],
    },
    ChatInfo: {
      'how it is shown, when it was used last and how far it was read': [
        ...['TimeStamp', 'IconID', 'BackgroundID', 'LastReadMessageToken', 'LastReadMessageId', 'LastSeenMessageToken'],
      ],
      'how a public chat is found and kept up to date': [
        ...['PGRevision', 'PGLastMessageID', 'PGWatchersCount', 'PGSearchFlags', 'PGSearchExFlags'],
      ],
    },
    ChatRelation: {},
    Contact: {
      'ids and pictures of the address book': [
        ...['ABContact', 'EncryptedMID', 'DownloadID', 'ContactFlags', 'SortName', 'Timestamp', 'AvatarPath'],
        ...['RingtonePath', 'IsNotAdded'],
      ],
    },
    ContactRelation: { 'kinds of numbers': ['TypeName', 'IsFavoriteNumber'] },
    OriginNumberInfo: { pictures: ['AvatarPath', 'DownloadID'] },
    LikeRelation: {},
  },
};

/** @returns undefined for 0 and for what is no time. */
export const timeOf = (value: unknown): number | undefined =>
  typeof value === 'bigint' && value > 0n ? readCount(String(value), 'unix-ms')?.atMs : undefined;

/** An id of many digits. One that the file has as a fraction is no longer exact. */
export function tokenOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value === 0n ? undefined : String(value);
  return typeof value === 'string' && value !== '' && value !== '0' ? value : undefined;
}

/** A name without the marks of direction that Viber puts around it. */
export const bareName = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value.replace(/^[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+|[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/g, '') ||
      undefined
    : undefined;

export const files: DatabaseFiles<string> = {
  named: /(?:^|\/)viber\.db$/i,
  marks: ['ChatRelation', 'ChatInfo', 'Events'],
  shape,
};
