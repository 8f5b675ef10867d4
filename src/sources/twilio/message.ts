import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment, Json } from '../../model/records.ts';
import { fieldProblem, type RowProblem, textProblem } from '../kit/entries.ts';
import { asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { parseAttributes, isRemoval, readTime, type TwilioMedia, type TwilioMessage } from './format.ts';

/** Facts from outside of the row. */
export interface MessagePlace {
  readonly workspace: string;
  /** Orders rows without an index. */
  readonly sortKey: string;
  /** Identity or address of a participant, by the participant's sid. */
  identityOf(participantSid: string): string | undefined;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Untrusted<TwilioMessage>, place: MessagePlace): NewMessage | RowProblem {
  const id = asString(row.sid);
  // In an SMS, `to` is a phone number.
  const to = asString(row.to);
  const channel = to?.startsWith('CH') ? to : undefined;
  const conversation = asString(row.conversation_sid) ?? asString(row.channel_sid) ?? channel;
  const sentAtMs = readTime(row.date_created);
  if (id === undefined) return fieldProblem('missing-id', '"sid"', row.sid);
  if (conversation === undefined)
    return fieldProblem('twilio-no-conversation', '"conversation_sid" or "channel_sid"', row.conversation_sid);
  if (sentAtMs === undefined) return fieldProblem('twilio-bad-time', '"date_created" in ISO 8601', row.date_created);
  const problem = textProblem('body', row.body);
  if (problem) return problem;
  const index = asCount(row.index);
  const sortKey = index === undefined ? place.sortKey : String(index).padStart(18, '0');
  const participant = asString(row.participant_sid);
  const author = asString(row.author) ?? asString(row.from) ?? (participant && place.identityOf(participant));
  // Without a participant it is the application: a person can have that identity.
  const isSystem = author === 'system' && participant === undefined;
  const changedAtMs = row.date_updated === row.date_created ? sentAtMs : readTime(row.date_updated);
  const isDeleted = isRemoval(row);
  const removedAtMs = readTime(row.date_removed) ?? Math.max(changedAtMs ?? sentAtMs, sentAtMs) + 1;
  return newMessage({
    origin: { source: 'twilio', workspace: place.workspace, conversation, id },
    // The row that says that it was added is at the same time.
    sortKey: isDeleted ? `${sortKey}r` : sortKey,
    sentAtMs,
    text: typeof row.body === 'string' ? row.body : '',
    author: isSystem ? undefined : author,
    attachments: asMedia(row.media).flatMap((media) => readAttachment(media) ?? []),
    edited: row.was_edited === true ? { atMs: changedAtMs, by: asString(row.last_updated_by) } : undefined,
    version: { changedAtMs: isDeleted ? removedAtMs : changedAtMs === sentAtMs ? undefined : changedAtMs },
    isDeleted,
    systemEvent: isSystem ? author : undefined,
    custom: {
      attributes: parseAttributes(row.attributes) as Json | undefined,
      template: asString(row.content_sid),
      subject: asString(row.message_subject),
    },
  });
}

const asMedia = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The service knows files by their sid; the address is good for minutes, and is in no answer. */
export function readAttachment(value: unknown): Attachment | undefined {
  const media = asObject<TwilioMedia & { readonly contentType: string }>(value);
  const id = asString(media?.sid);
  const name = asString(media?.filename) ?? id;
  if (media === undefined || name === undefined) return undefined;
  return {
    id,
    name,
    mimeType: asString(media.content_type) ?? asString(media.contentType),
    sizeBytes: asCount(media.size),
    unavailable: 'not-in-export',
  };
}
