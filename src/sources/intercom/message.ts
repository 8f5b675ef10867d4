import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { noteHidingMark, type RowProblem, textProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, secondsToMs, type Untrusted } from '../kit/narrow.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { findUnread } from '../kit/rows/unread-content.ts';
import { distinctFiles, htmlBody, nameIn } from '../kit/text/html-body.ts';
import { listWords } from '../kit/text/structure-words.ts';
import { type IntercomFile, type IntercomPart, type IntercomSource, isNote, ratingRemark, replies } from './format.ts';

/** Meaning of texts by the type of their part, as the mapping gives it. */
export type Texts = Readonly<Record<string, 'visible' | 'internal'>>;

/** Facts of a message from around it. */
export interface MessagePlace {
  readonly workspace: string;
  readonly conversation: string;
  /** Position in the conversation: 0 is its first message. */
  readonly index: number;
  readonly author: string | undefined;
  readonly texts: Texts;
}

/** `subject` is that of a mail, in `source`. */
type IntercomRow = Untrusted<IntercomPart & IntercomSource>;

/** Reads a part, or the `source` of a conversation as one. */
export function readMessage(part: IntercomRow, place: MessagePlace): MessageRecord | RowProblem {
  const id = asId(part.id);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(part.id)}` };
  const sentAtMs = secondsToMs(part.created_at);
  if (sentAtMs === undefined)
    return { code: 'intercom-bad-time', reason: `Expected "created_at", found ${describe(part.created_at)}` };
  const noText = textProblem('body', part.body);
  if (noText) return noText;
  const lost: Partial<Record<LostPart, number>> = {};
  const lose = (what: LostPart, count = 1) => {
    if (count > 0) lost[what] = (lost[what] ?? 0) + count;
  };
  const { text, files } = htmlBody(asString(part.body) ?? '', lose);
  const offered = listWords(asObject<NonNullable<IntercomPart['metadata']>>(part.metadata)?.quick_reply_options);
  const record = newMessage({
    origin: { source: 'intercom', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: rowSortKey(0, place.index + 1),
    sentAtMs,
    text: text || offered.join('\n'),
  });
  if (place.author !== undefined) record.author = place.author;
  const attachments = [...attachedTo(part.attachments), ...files];
  if (attachments.length > 0) record.attachments = distinctFiles(attachments);
  const problem = addKind(part, record, place.texts);
  if (problem) return problem;
  if (text !== '') lose('menus', offered.length);
  addDetails(part, record);
  if (hasMembers(lost)) record.lost = lost;
  return record;
}

/** Whether a part is a reply, a note or an event. @returns why it is not certain who saw it. */
function addKind(part: Untrusted<IntercomPart>, record: NewMessage, texts: Texts): RowProblem | undefined {
  const type = asString(part.part_type) ?? '';
  if (part.redacted === true) record.isDeleted = true;
  if (isNote(type)) {
    record.internal = 'note';
    return undefined;
  }
  const isEmpty = record.text === '' && !record.attachments;
  // Up to version 2.5 changes of state are comments, too: those hold nothing at all.
  const isReply = (type === 'comment' || type === 'quick_reply') && (record.isDeleted || findUnread(part).length > 0);
  if (isReply || (replies.has(type) && !isEmpty)) return undefined;
  if (isEmpty || type === ratingRemark) {
    record.systemEvent = type || 'unknown';
    record.text = [eventText(record.systemEvent), record.text].filter(Boolean).join(': ');
    return undefined;
  }
  const said = Object.hasOwn(texts, type) ? texts[type] : undefined;
  if (said === 'internal') record.internal = 'note';
  if (said !== undefined) return undefined;
  const reason = `Expected a reply or a note, found a text in a part of the type ${describe(part.part_type)}`;
  return { code: 'intercom-unclear-part', reason };
}

/** `conversation_attribute_updated_by_admin` in words. The assigned or set value is for agents. */
const eventText = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('_', ' ')}`;

function addDetails(part: IntercomRow, record: NewMessage): void {
  const externalId = asId(part.external_id);
  const subject =
    asString(asObject<{ subject: string }>(part.email_message_metadata)?.subject) ?? asString(part.subject);
  const custom = {
    ...(externalId !== undefined && { externalId }),
    ...(subject !== undefined && { subject }),
  };
  if (hasMembers(custom)) record.custom = custom;
  noteHidingMark(record, asObject(part.metadata), 'metadata');
  const changedAtMs = part.updated_at === part.created_at ? undefined : secondsToMs(part.updated_at);
  if (changedAtMs !== undefined) record.version = { changedAtMs };
}

const attachedTo = (value: unknown): readonly Attachment[] =>
  asArray(value).flatMap((one) => {
    const file = asObject<IntercomFile>(one);
    if (file === undefined) return [];
    const url = asString(file.url);
    const sizeBytes = asCount(file.filesize);
    return {
      name: asString(file.name) ?? (url === undefined ? 'file' : nameIn(url)),
      ...(url !== undefined && { url }),
      mimeType: asString(file.content_type),
      ...(sizeBytes !== undefined && { sizeBytes }),
    };
  });
