import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
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
  const record = begin(row, place, 'created_at');
  if ('code' in record) return record;
  const type = asString(row.type)!;
  // A draft, or one that could not be sent: the customer never got it.
  const isUnsent =
    row.is_draft === true || asString(row.draft_mode) !== undefined || asString(row.error_type) !== undefined;
  if (isUnsent || type === 'internal' || calls.has(type)) record.internal = 'note';
  // What is internal anyway, such as a draft, needs no recipient.
  if (record.internal === undefined && place.side === 'unclear') {
    const reason = `Expected "recipients" with an address that it went to, found ${wordFor(row.recipients)} without one`;
    return { code: 'front-unclear-visibility', reason };
  }
  if (place.side === 'others') record.internal ??= 'side-conversation';
  if (calls.has(type)) record.call = {};
  const subject = asString(row.subject);
  record.custom = { channel: type, ...(subject !== undefined && { subject }) };
  noteHidingMark(record, row.metadata, 'metadata');
  countOthers(row, place.counts);
  if (record.internal === 'side-conversation') place.counts.add('front-sent-to-others', toOthers);
  return record;
}

/** A comment, which is internal whatever it says. */
export function readComment(row: Untrusted<FrontComment>, place: MessagePlace): MessageRecord | RowProblem {
  const record = begin(row, place, 'posted_at');
  if ('code' in record) return record;
  record.internal = 'note';
  if (row.is_pinned === true) record.isPinned = true;
  return record;
}

function unclearIn(row: Untrusted<FrontMessage>): RowProblem | undefined {
  const code = 'front-unclear-visibility';
  const { is_draft: isDraft, draft_mode: mode, error_type: error, type, is_inbound: isInbound } = row;
  if (typeof isInbound !== 'boolean')
    return {
      code,
      reason: `Expected a message with "is_inbound" or a comment with "posted_at", found ${describe(isInbound)}`,
    };
  if (asString(type) === undefined) return { code, reason: `Expected "type" to be a channel, found ${describe(type)}` };
  const isKnown = typeof isDraft === 'boolean' || mode === null || typeof mode === 'string';
  const isOdd = (value: unknown, kind: string) => value !== undefined && value !== null && typeof value !== kind;
  if (!isKnown || isOdd(isDraft, 'boolean') || isOdd(mode, 'string'))
    return { code, reason: `Expected "is_draft" or "draft_mode", found ${describe(isDraft)} and ${describe(mode)}` };
  if (isOdd(error, 'string')) return { code, reason: `Expected "error_type" to be a word, found ${describe(error)}` };
  return undefined;
}

function begin(
  row: Untrusted<FrontMessage & FrontComment>,
  place: MessagePlace,
  timeKey: 'created_at' | 'posted_at',
): NewMessage | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  const sentAtMs = msOf(row[timeKey]);
  if (sentAtMs === undefined)
    return { code: 'front-bad-time', reason: `Expected "${timeKey}", found ${describe(row[timeKey])}` };
  const bad = badBody(row);
  if (bad) return bad;
  const lost: Partial<Record<LostPart, number>> = {};
  const lose = (what: LostPart, count = 1) => {
    lost[what] = (lost[what] ?? 0) + count;
  };
  const html = asString(row.body) ?? '';
  const isMarkdown = timeKey === 'posted_at';
  const body = isMarkdown ? { text: html.trim(), files: [] } : htmlBody(escapedBody(html), lose);
  const record = newMessage({
    origin: { source: 'front', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: `${place.position}${id}`,
    sentAtMs,
    text: body.text === '' && body.files.length === 0 ? (asString(row.text) ?? '').trim() : body.text,
  });
  if (place.author !== undefined) record.author = place.author;
  const related = asObject<FrontMessage['_links']['related']>(asObject<FrontMessage['_links']>(row._links)?.related);
  const quote = idInAddress(related?.message_replied_to ?? related?.comment_replied_to, 'row');
  if (quote !== undefined) record.quoteOf = quote;
  if (place.isDeleted) record.isDeleted = true;
  const files = distinctFiles([...asArray(row.attachments).flatMap(readFile), ...body.files]);
  if (files.length > 0) record.attachments = files;
  if (hasMembers(lost)) record.lost = lost;
  return record;
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
