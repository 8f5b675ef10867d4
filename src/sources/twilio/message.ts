import { hasMembers } from '../../lib/maps/objects.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { type RowProblem, textProblem } from '../kit/entries.ts';
import { asCount, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
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
  if (id === undefined) return { code: 'missing-id', reason: `Expected "sid", found ${describe(row.sid)}` };
  if (conversation === undefined) {
    const reason = `Expected "conversation_sid" or "channel_sid", found ${describe(row.conversation_sid)}`;
    return { code: 'twilio-no-conversation', reason };
  }
  if (sentAtMs === undefined)
    return {
      code: 'twilio-bad-time',
      reason: `Expected "date_created" in ISO 8601, found ${describe(row.date_created)}`,
    };
  const problem = textProblem('body', row.body);
  if (problem) return problem;
  const index = asCount(row.index);
  const record = newMessage({
    origin: { source: 'twilio', workspace: place.workspace, conversation, id },
    sortKey: index === undefined ? place.sortKey : String(index).padStart(18, '0'),
    sentAtMs,
    text: typeof row.body === 'string' ? row.body : '',
  });
  addAuthor(row, record, place);
  const changedAtMs = row.date_updated === row.date_created ? sentAtMs : readTime(row.date_updated);
  if (row.was_edited === true) {
    const by = asString(row.last_updated_by);
    record.edited = { ...(changedAtMs !== undefined && { atMs: changedAtMs }), ...(by !== undefined && { by }) };
  }
  if (changedAtMs !== undefined && changedAtMs !== sentAtMs) record.version = { changedAtMs };
  if (isRemoval(row)) {
    record.isDeleted = true;
    // The row that says that it was added is at the same time.
    record.sortKey += 'r';
    record.version = { changedAtMs: readTime(row.date_removed) ?? Math.max(changedAtMs ?? sentAtMs, sentAtMs) + 1 };
  }
  const files = asMedia(row.media).flatMap((media) => readAttachment(media) ?? []);
  if (files.length > 0) record.attachments = files;
  const custom = readCustom(row);
  if (hasMembers(custom)) record.custom = custom;
  return record;
}

/** `system` without a participant is the application: a person can have that identity. */
function addAuthor(row: Untrusted<TwilioMessage>, record: NewMessage, place: MessagePlace): void {
  const participant = asString(row.participant_sid);
  const author =
    asString(row.author) ?? asString(row.from) ?? (participant && place.identityOf(participant)) ?? undefined;
  if (author === 'system' && participant === undefined) record.systemEvent = author;
  else if (author !== undefined) record.author = author;
}

const asMedia = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The service knows files by their sid; the address is good for minutes, and is in no answer. */
export function readAttachment(value: unknown): Attachment | undefined {
  const media = asObject<TwilioMedia & { readonly contentType: string }>(value);
  const id = asString(media?.sid);
  const name = asString(media?.filename) ?? id;
  if (media === undefined || name === undefined) return undefined;
  const sizeBytes = asCount(media.size);
  return {
    ...(id !== undefined && { id }),
    name,
    mimeType: asString(media.content_type) ?? asString(media.contentType),
    ...(sizeBytes !== undefined && { sizeBytes }),
    unavailable: 'not-in-export',
  };
}

function readCustom(row: Untrusted<TwilioMessage>): Record<string, never> {
  const attributes = parseAttributes(row.attributes);
  const template = asString(row.content_sid);
  const subject = asString(row.message_subject);
  return {
    ...(attributes !== undefined && { attributes }),
    ...(template !== undefined && { template }),
    ...(subject !== undefined && { subject }),
  } as Record<string, never>;
}
