import { hasMembers } from '../../lib/maps/objects.ts';
import { type MessageFields, newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import { countLost } from '../kit/lost.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { distinctFiles, escapedBody, htmlBody, nameIn } from '../kit/text/html-body.ts';
import {
  type FrontComment,
  type FrontFile,
  type FrontMessage,
  type FrontRecipient,
  idInAddress,
  msOf,
  redacted,
} from './format.ts';
import type { tellSide } from './people.ts';

/** Facts of a message from around it. */
export interface MessagePlace {
  readonly workspace: string;
  readonly conversation: string;
  readonly author: string | undefined;
  /** The position of the row in its file. */
  readonly position: string;
  readonly isDeleted: boolean;
  /** Whether it is between a teammate and others than the person of the conversation, who has not seen it. */
  readonly side: ReturnType<typeof tellSide>;
  readonly counts: CountedProblems;
}

/** The text of a call was written by a phone service, for teammates alone. */
const calls = new Set(['call', 'phone-call', 'truly-call']);

const toOthers = 'messages to or from others than the recipient of the conversation';

export function readMessage(row: Untrusted<FrontMessage>, place: MessagePlace): MessageRecord | RowProblem {
  const unclear = unclearIn(row);
  if (unclear) return unclear;
  const type = asString(row.type)!;
  // A draft, or one that could not be sent: the customer never got it.
  const isUnsent =
    row.is_draft === true || asString(row.draft_mode) !== undefined || asString(row.error_type) !== undefined;
  const isNote = isUnsent || type === 'internal' || calls.has(type);
  const isToOthers = !isNote && place.side === 'others';
  // An internal message, such as a draft, needs no recipient.
  if (!isNote && place.side === 'unclear') {
    const reason = `Expected "recipients" with an address that it went to, found ${wordFor(row.recipients)} without one`;
    return { code: 'front-unclear-visibility', reason };
  }
  const record = readContent(row, place, 'created_at', {
    internal: isToOthers ? 'side-conversation' : isNote ? 'note' : undefined,
    call: calls.has(type) ? {} : undefined,
    custom: { channel: type, subject: asString(row.subject) },
  });
  if ('code' in record) return record;
  noteHidingMark(record, row.metadata, 'metadata');
  countOthers(row, place.counts);
  if (isToOthers) place.counts.add('front-sent-to-others', toOthers);
  return record;
}

/** A comment, which is internal whatever it says. */
export function readComment(row: Untrusted<FrontComment>, place: MessagePlace): MessageRecord | RowProblem {
  return readContent(row, place, 'posted_at', { internal: 'note', isPinned: row.is_pinned === true });
}

function unclearIn(row: Untrusted<FrontMessage>): RowProblem | undefined {
  const code = 'front-unclear-visibility';
  const { is_draft: isDraft, draft_mode: mode, error_type: error, type, is_inbound: isInbound } = row;
  if (typeof isInbound !== 'boolean')
    return fieldProblem(code, 'a message with "is_inbound" or a comment with "posted_at"', isInbound);
  if (asString(type) === undefined) return fieldProblem(code, '"type" to be a channel', type);
  const isKnown = typeof isDraft === 'boolean' || mode === null || typeof mode === 'string';
  const isOdd = (value: unknown, kind: string) => value !== undefined && value !== null && typeof value !== kind;
  if (!isKnown || isOdd(isDraft, 'boolean') || isOdd(mode, 'string'))
    return { code, reason: `Expected "is_draft" or "draft_mode", found ${describe(isDraft)} and ${describe(mode)}` };
  if (isOdd(error, 'string')) return fieldProblem(code, '"error_type" to be a word', error);
  return undefined;
}

function readContent(
  row: Untrusted<FrontMessage & FrontComment>,
  place: MessagePlace,
  timeKey: 'created_at' | 'posted_at',
  others: Partial<MessageFields>,
): NewMessage | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  const sentAtMs = msOf(row[timeKey]);
  if (sentAtMs === undefined) return fieldProblem('front-bad-time', `"${timeKey}"`, row[timeKey]);
  const bad = badBody(row);
  if (bad) return bad;
  const { lost, lose } = countLost();
  const html = asString(row.body) ?? '';
  const isMarkdown = timeKey === 'posted_at';
  const body = isMarkdown ? { text: html.trim(), files: [] } : htmlBody(escapedBody(html), lose);
  const related = asObject<FrontMessage['_links']['related']>(asObject<FrontMessage['_links']>(row._links)?.related);
  return newMessage({
    origin: { source: 'front', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: `${place.position}${id}`,
    sentAtMs,
    text: body.text === '' && body.files.length === 0 ? (asString(row.text) ?? '').trim() : body.text,
    author: place.author,
    attachments: distinctFiles([...asArray(row.attachments).flatMap(readFile), ...body.files]),
    quoteOf: idInAddress(related?.message_replied_to ?? related?.comment_replied_to, 'row'),
    isDeleted: place.isDeleted,
    lost,
    ...others,
  });
}

function badBody(row: Untrusted<FrontMessage>): RowProblem | undefined {
  const code = 'front-bad-body';
  for (const key of ['body', 'text'] as const) {
    const value = row[key];
    if (value !== undefined && value !== null && typeof value !== 'string')
      return { code, reason: `Expected "${key}" to be a text, found ${wordFor(value)}` };
  }
  const { attachments } = row;
  if (attachments !== undefined && attachments !== null && !Array.isArray(attachments))
    return { code, reason: `Expected "attachments" to be a list, found ${wordFor(attachments)}` };
  return undefined;
}

function countOthers(row: Untrusted<FrontMessage>, counts: CountedProblems): void {
  const count = (what: string, by: number) => counts.add('front-not-migrated', what, by);
  const copies = asArray(row.recipients).filter((one) => {
    const role = asObject<FrontRecipient>(one)?.role;
    return role === 'cc' || role === 'bcc';
  });
  count('copies to other addresses', copies.length);
  count('signatures', asObject(row.signature) ? 1 : 0);
  count('data of channels', hasMembers(asObject(row.metadata) ?? {}) ? 1 : 0);
  count('texts of tweets', row.body === redacted ? 1 : 0);
}

function readFile(value: unknown): readonly Attachment[] {
  const file = asObject<FrontFile>(value);
  if (file === undefined) return [];
  const url = asString(file.url);
  return [
    compact<Attachment>({
      id: asId(file.id),
      name: asString(file.filename) ?? (url === undefined ? 'file' : nameIn(url)),
      url,
      mimeType: asString(file.content_type),
      sizeBytes: asCount(file.size),
    }),
  ];
}
