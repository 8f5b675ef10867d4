import { newMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { fieldProblem, noteHidingMark, type RowProblem, textProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, secondsToMs, type Untrusted } from '../kit/narrow.ts';
import { countLost } from '../kit/lost.ts';
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
  if (id === undefined) return fieldProblem('missing-id', '"id"', part.id);
  const sentAtMs = secondsToMs(part.created_at);
  if (sentAtMs === undefined) return fieldProblem('intercom-bad-time', '"created_at"', part.created_at);
  const noText = textProblem('body', part.body);
  if (noText) return noText;
  const { lost, lose } = countLost();
  const body = htmlBody(asString(part.body) ?? '', lose);
  const offered = listWords(asObject<NonNullable<IntercomPart['metadata']>>(part.metadata)?.quick_reply_options);
  if (body.text !== '') lose('menus', offered.length);
  const text = body.text || offered.join('\n');
  const attachments = distinctFiles([...attachedTo(part.attachments), ...body.files]);
  const kind = readKind(part, text === '' && attachments.length === 0, place.texts);
  if ('code' in kind) return kind;
  const mail = asObject<{ subject: string }>(part.email_message_metadata);
  const record = newMessage({
    origin: { source: 'intercom', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: rowSortKey(0, place.index + 1),
    sentAtMs,
    text: kind.systemEvent === undefined ? text : [eventText(kind.systemEvent), text].filter(Boolean).join(': '),
    author: place.author,
    attachments,
    version: { changedAtMs: part.updated_at === part.created_at ? undefined : secondsToMs(part.updated_at) },
    isDeleted: part.redacted === true,
    systemEvent: kind.systemEvent,
    internal: kind.internal,
    custom: { externalId: asId(part.external_id), subject: asString(mail?.subject) ?? asString(part.subject) },
    lost,
  });
  noteHidingMark(record, asObject(part.metadata), 'metadata');
  return record;
}

/** Whether a part is a reply, a note or an event, or why it is not certain who saw it. */
function readKind(
  part: Untrusted<IntercomPart>,
  isEmpty: boolean,
  texts: Texts,
): Pick<MessageRecord, 'internal' | 'systemEvent'> | RowProblem {
  const type = asString(part.part_type) ?? '';
  if (isNote(type)) return { internal: 'note' };
  // Up to version 2.5 changes of state are comments, too: those hold nothing at all.
  const isReply =
    (type === 'comment' || type === 'quick_reply') && (part.redacted === true || findUnread(part).length > 0);
  if (isReply || (replies.has(type) && !isEmpty)) return {};
  if (isEmpty || type === ratingRemark) return { systemEvent: type || 'unknown' };
  const said = Object.hasOwn(texts, type) ? texts[type] : undefined;
  if (said !== undefined) return { internal: said === 'internal' ? 'note' : undefined };
  const reason = `Expected a reply or a note, found a text in a part of the type ${describe(part.part_type)}`;
  return { code: 'intercom-unclear-part', reason };
}

/** `conversation_attribute_updated_by_admin` in words. The assigned or set value is for agents. */
const eventText = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('_', ' ')}`;

const attachedTo = (value: unknown): readonly Attachment[] =>
  asArray(value).flatMap((one) => {
    const file = asObject<IntercomFile>(one);
    if (file === undefined) return [];
    const url = asString(file.url);
    return {
      name: asString(file.name) ?? (url === undefined ? 'file' : nameIn(url)),
      url,
      mimeType: asString(file.content_type),
      sizeBytes: asCount(file.filesize),
    };
  });
