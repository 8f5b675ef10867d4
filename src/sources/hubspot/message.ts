import { newMessage } from '../../model/new-message.ts';
import type { MessageRecord, UserRecord } from '../../model/records.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, wordFor, type Untrusted } from '../kit/narrow.ts';
import { countLost, type Lose } from '../kit/lost.ts';
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
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  const sentAtMs = msOf(row.createdAt);
  if (sentAtMs === undefined) return fieldProblem('hubspot-bad-time', '"createdAt"', row.createdAt);
  const problem = noText(row.text, 'text') ?? noText(row.richText, 'richText') ?? unclearIn(row);
  if (problem) return problem;
  const { lost, lose } = countLost();
  const body = htmlBody(asString(row.richText) ?? '', lose);
  const { files, above, below, choices } = attachedTo(row.attachments, lose);
  const ownText = body.text === '' && body.files.length === 0 ? asString(row.text)?.trim() : body.text;
  const text = [...above, ownText, ...below].filter(Boolean).join('\n\n') || choices.join('\n');
  const systemEvent = readEvent(row);
  const changedAtMs = msOf(row.updatedAt);
  return newMessage({
    origin: { source: 'hubspot', workspace: place.workspace, conversation: place.thread, id },
    sortKey: place.sortKey,
    sentAtMs,
    text: isSpoken(row) ? text : text || describeEvent(systemEvent!),
    author: place.author?.id,
    authorDetails: place.author?.isBot && place.author.name === place.author.id ? { isBot: true } : undefined,
    attachments: distinctFiles([...files, ...body.files]),
    quoteOf: asId(row.inReplyToId),
    version: { changedAtMs: changedAtMs === sentAtMs ? undefined : changedAtMs },
    isDeleted: row.archived === true,
    systemEvent,
    internal: row.type === 'COMMENT' ? 'note' : undefined,
    custom: readDetails(row, lose),
    lost,
  });
}

/** A text of another type is no empty text. */
const noText = (value: unknown, key: string): RowProblem | undefined =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : { code: 'row-not-understood', reason: `Expected "${key}" to be a text, found ${wordFor(value)}` };

const unclearIn = (row: Row): RowProblem | undefined =>
  spoken.has(row.type) || isEvent(row)
    ? undefined
    : fieldProblem('hubspot-unclear-visibility', 'a row with content to be a MESSAGE or a COMMENT', row.type);

const isSpoken = ({ type }: Row): boolean => type === 'MESSAGE' || type === 'COMMENT';

/** The event, if no person wrote the row. The customer never got a message that failed. */
function readEvent(row: Row): string | undefined {
  if (!isSpoken(row)) return asString(row.type)?.toLowerCase() ?? 'unknown';
  return asObject<HubSpotMessage['status']>(row.status)?.statusType === 'FAILED' ? 'failed' : undefined;
}

/** `thread_status_change` in words. The assigned value is for agents. */
const describeEvent = (event: string): string =>
  `${event.charAt(0).toUpperCase()}${event.slice(1).replaceAll('_', ' ')}`;

const details = ['subject', 'newStatus', 'assignedTo', 'assignedFrom', 'fromInboxId', 'toInboxId'] as const;

function readDetails(row: Row, lose: Lose): Record<string, string> {
  const custom: Record<string, string> = {};
  for (const key of details) {
    const text = asId(row[key]);
    if (text !== undefined) custom[key] = text;
    else if (typeof row[key] === 'object' && row[key] !== null) lose('appData');
  }
  if (isTruncated(row.truncationStatus)) custom.truncationStatus = asString(row.truncationStatus) ?? 'unknown';
  return custom;
}
