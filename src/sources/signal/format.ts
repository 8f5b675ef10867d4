import { asId, asObject, asString } from '../kit/narrow.ts';

/**
 * What can be had of chats of Signal (looked at 2026-11):
 *
 * - **Signal's own export** in plain text, of Desktop, Android and iOS: a folder with `main.jsonl` and `files/`. Each line is a frame of the backup
 *   format as JSON of protobuf: 64-bit numbers and times in ms are strings, bytes are base64, values of enums are their names, fields with
 *   their default are left out. Nothing documents it but
 *   https://github.com/signalapp/libsignal/blob/main/rust/message-backup/src/proto/backup.proto and `json/exporter.rs` beside it:
 *   messages that vanish are left out, and so are files that could be seen once.
 *
 *       { "version": "1", "backupTimeMs": "1772442000000", … }
 *       { "account": { "givenName": "Ines", "familyName": "Kai", "username": "ines.42", … } }
 *       { "recipient": { "id": "3", "contact": { "aci": "IiIi…", "e164": "447700900123", "profileGivenName": "Tomasz", … } } }
 *       { "recipient": { "id": "6", "group": { "masterKey": "…", "snapshot": { "title": { "title": "Harbour" }, "members": [ … ] } } } }
 *       { "chat": { "id": "1", "recipientId": "6", "archived": true, … } }
 *       { "chatItem": { "chatId": "1", "authorId": "3", "dateSent": "1772442000000", "incoming": { … }, "revisions": [ … ],
 *         "standardMessage": { "text": { "body": "Hello", "bodyRanges": [ … ] }, "quote": …, "attachments": …, "reactions": … } } }
 *
 * - **signal-export** (https://github.com/carderne/signal-export): a folder for each chat with `chat.md` (once `index.md`), `data.json`, `index.html`, `media/`.
 *
 *       {"date": "2026-03-02T11:00:00.250000", "sender": "Me", "body": "Hello  ", "quote": "", "sticker": null, "reactions": [["Ann", "👍"]],
 *        "attachments": [{"name": "a b.png", "path": "media/a%20b.png"}], "deleted": false, "call": false, "missed": false}
 *
 * - **Messages of Desktop's database** as JSON, as sigtop writes them (https://github.com/tbvdm/sigtop): the column `json`. `type` is `incoming`,
 *   `outgoing`, or what happened: `group-v2-change`, `call-history`, …
 *
 *       [{"id": "…", "conversationId": "…", "type": "incoming", "sent_at": 1772442000000, "sourceServiceId": "…", "body": "Hello", …}]
 *
 * What they do not say:
 * - Ids of people and chats in `main.jsonl` hold for that file only. People are known by their account (`aci`), and a message by who sent it and when.
 * - The file says nothing of one's own account id: the one whom no contact describes, and who is in most groups, is oneself.
 * - Of an edited message the time is that of the last edit; the first of its `revisions` says when it was sent.
 * - A group's `masterKey` opens it to whoever has it: it is shown nowhere.
 */

/** Fields of an unvalidated object; empty for a value that is not an object. */
export type Fields = Readonly<Record<string, unknown>>;
export const asFields = (value: unknown): Fields => asObject<Fields>(value) ?? {};

/** One's own id: the export does not say which account it is. */
export const self = 'self';

/** Milliseconds as text or number, of a time that was: 1 ms to the year 2286. */
export function msOf(value: unknown): number | undefined {
  const text = asId(value);
  return text !== undefined && /^\d{1,13}$/.test(text) && text !== '0' ? Number(text) : undefined;
}

/** Account ids are sixteen bytes; one of a telephone number has a byte before them. */
export function uuidOf(base64: unknown): string | undefined {
  const text = asString(base64);
  if (text === undefined) return undefined;
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text.toLowerCase();
  const hex = Buffer.from(text, 'base64').subarray(-16).toString('hex');
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined;
}

/** How a message is known: who sent it, and when. */
export const messageId = (sentAt: string | number, author: string | undefined): string => `${sentAt}.${author ?? ''}`;

/** Returns the value of one of our tables under a key of an export, which may be `constructor`. */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
