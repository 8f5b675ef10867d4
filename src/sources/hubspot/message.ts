import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { MessageRecord, UserRecord } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { Lose } from '../kit/text/cards.ts';
import { distinctFiles, htmlBody } from '../kit/text/html-body.ts';
import { attachedTo } from './attachments.ts';
import { type HubSpotMessage, isTruncated, msOf } from './format.ts';

export type Row = Untrusted<HubSpotMessage>;

/** Types of rows that say what happened, without a text. */
const events: ReadonlySet<unknown> = new Set(['ASSIGNMENT', 'THREAD_STATUS_CHANGE', 'THREAD_INBOX_CHANGE']);

/** Whether the row says what happened. A row of another type that has no content does so too. */
export const isEvent = ({ type, text, richText, attachments }: Row): boolean =>
  events.has(type) ||
  (!spoken.has(type) &&
    asString(text) === undefined &&
    asString(richText) === undefined &&
    asArray(attachments).length === 0);

const spoken: ReadonlySet<unknown> = new Set(['MESSAGE', 'COMMENT', 'WELCOME_MESSAGE']);

/** Facts of a message from around it. */
export interface MessagePlace {
  readonly workspace: string;
  readonly thread: string;
  readonly sortKey: string;
  readonly author: UserRecord | undefined;
}

/** Reads a row as a message, or says why it is none. */
export function readMessage(row: Row, place: MessagePlace): MessageRecord | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  const sentAtMs = msOf(row.createdAt);
  if (sentAtMs === undefined)
    return { code: 'hubspot-bad-time', reason: `Expected "createdAt", found ${describe(row.createdAt)}` };
  const problem = noText(row.text, 'text') ?? noText(row.richText, 'richText') ?? unclearIn(row);
  if (problem) return problem;
  const lost: Partial<Record<LostPart, number>> = {};
  const lose: Lose = (part, count = 1) => {
    if (count > 0) lost[part] = (lost[part] ?? 0) + count;
  };
  const body = htmlBody(asString(row.richText) ?? '', lose);
  const { files, above, below, choices } = attachedTo(row.attachments, lose);
  const text = body.text === '' && body.files.length === 0 ? asString(row.text)?.trim() : body.text;
  const record = newMessage({
    origin: { source: 'hubspot', workspace: place.workspace, conversation: place.thread, id },
    sortKey: place.sortKey,
    sentAtMs,
    text: [...above, text, ...below].filter(Boolean).join('\n\n') || choices.join('\n'),
  });
  if (place.author !== undefined) record.author = place.author.id;
  if (place.author?.isBot === true && place.author.name === place.author.id) record.authorDetails = { isBot: true };
  const attachments = distinctFiles([...files, ...body.files]);
  if (attachments.length > 0) record.attachments = attachments;
  addKind(row, record);
  addDetails(row, record, lose);
  if (hasMembers(lost)) record.lost = lost;
  return record;
}

/** A text of another type is no empty text. */
const noText = (value: unknown, key: string): RowProblem | undefined =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : { code: 'row-not-understood', reason: `Expected "${key}" to be a text, found ${wordFor(value)}` };

const unclearIn = (row: Row): RowProblem | undefined =>
  spoken.has(row.type) || isEvent(row)
    ? undefined
    : {
        code: 'hubspot-unclear-visibility',
        reason: `Expected a row with content to be a MESSAGE or a COMMENT, found ${describe(row.type)}`,
      };

function addKind(row: Row, record: NewMessage): void {
  if (row.type === 'COMMENT') record.internal = 'note';
  if (row.archived === true) record.isDeleted = true;
  // The customer never got it.
  if (asObject<HubSpotMessage['status']>(row.status)?.statusType === 'FAILED') record.systemEvent = 'failed';
  if (row.type === 'MESSAGE' || row.type === 'COMMENT') return;
  record.systemEvent = asString(row.type)?.toLowerCase() ?? 'unknown';
  if (record.text === '') record.text = describeEvent(record.systemEvent);
}

/** `thread_status_change` in words. The assigned value is for agents. */
const describeEvent = (event: string): string =>
  `${event.charAt(0).toUpperCase()}${event.slice(1).replaceAll('_', ' ')}`;

const details = ['subject', 'newStatus', 'assignedTo', 'assignedFrom', 'fromInboxId', 'toInboxId'] as const;

function addDetails(row: Row, record: NewMessage, lose: Lose): void {
  const quote = asId(row.inReplyToId);
  if (quote !== undefined) record.quoteOf = quote;
  const custom: Record<string, string> = {};
  for (const key of details) {
    const text = asId(row[key]);
    if (text !== undefined) custom[key] = text;
    else if (typeof row[key] === 'object' && row[key] !== null) lose('appData');
  }
  if (isTruncated(row.truncationStatus)) custom.truncationStatus = asString(row.truncationStatus) ?? 'unknown';
  if (hasMembers(custom)) record.custom = custom;
  const changedAtMs = msOf(row.updatedAt);
  if (changedAtMs !== undefined && changedAtMs !== record.sentAtMs) record.version = { changedAtMs };
}
