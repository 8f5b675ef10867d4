import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { fieldProblem, type RowProblem, textProblem } from '../kit/entries.ts';
import { asString, describe, type Untrusted } from '../kit/narrow.ts';
import { readTime } from './format.ts';

/**
 * A row of the log of text messages: SMS, MMS, and those of WhatsApp and the like that went the same way. Answers of the REST API, lists of
 * helper libraries, and the files of BulkExport, whose times are in ISO 8601, have the same fields.
 *
 * https://www.twilio.com/docs/messaging/api/message-resource, …/docs/usage/bulkexport/day (looked at 2026-11).
 *
 * {"sid":"SM0a…","from":"+15550100001","to":"+15550109999","body":"Hi","direction":"inbound","status":"received","num_media":"0",
 * "date_created":"Mon, 02 Mar 2026 09:00:00 +0000","date_sent":"Mon, 02 Mar 2026 09:00:00 +0000","error_code":null}
 */
export interface TwilioSms {
  readonly sid: string;
  /** A number, a short code, a name, or an address such as `whatsapp:+15550100001`. */
  readonly from: string | null;
  readonly to: string;
  readonly messaging_service_sid: string | null;
  readonly body: string;
  readonly status: string;
  /** Null until it is sent. */
  readonly date_sent: string | null;
  readonly date_created: string;
  /** Files, which are a list of their own. */
  readonly num_media: string;
}

export const isSms = ({ sid }: Untrusted<TwilioSms>): boolean => typeof sid === 'string' && /^(?:SM|MM)/.test(sid);

/** Statuses of messages that nobody received: some failed, others were still on their way. */
const unsent: ReadonlySet<unknown> = new Set([
  ...['accepted', 'scheduled', 'queued', 'sending', 'canceled', 'failed', 'undelivered'],
]);

/** Who wrote to whom: their addresses are the conversation, in either direction. */
export interface SmsPair {
  readonly id: string;
  readonly members: readonly string[];
}

/** A service that has not chosen its number yet stands for it. */
function readPair({ from, to, messaging_service_sid }: Untrusted<TwilioSms>): SmsPair | undefined {
  const [author, other] = [asString(from) ?? asString(messaging_service_sid), asString(to)];
  if (author === undefined || other === undefined) return undefined;
  const members = [...new Set([author, other])];
  return { id: members.toSorted().join(' '), members };
}

interface SmsPlace {
  readonly workspace: string;
  readonly sortKey: string;
  /** Its files, as far as a list of them is there. */
  readonly files: readonly Attachment[];
}

/** Reads a row as a message between two addresses, or says why it is none. */
export function readSms(
  row: Untrusted<TwilioSms>,
  { workspace, sortKey, files }: SmsPlace,
): { readonly record: NewMessage; readonly pair: SmsPair } | RowProblem {
  const pair = readPair(row);
  const time = row.date_sent ?? row.date_created;
  const sentAtMs = readTime(time);
  if (pair === undefined) {
    const reason = `Expected two addresses, found "from" ${describe(row.from)} and "to" ${describe(row.to)}`;
    return { code: 'twilio-no-conversation', reason };
  }
  if (sentAtMs === undefined) return fieldProblem('twilio-bad-time', '"date_sent" in RFC 2822 or ISO 8601', time);
  const problem = textProblem('body', row.body);
  if (problem) return problem;
  const count = Math.min(Number(row.num_media) || 0, 10);
  const unnamed = Array.from({ length: count - files.length }, () => ({ name: 'file', unavailable: 'not-in-export' }));
  const record = newMessage({
    origin: { source: 'twilio', workspace, conversation: pair.id, id: row.sid as string },
    sortKey,
    sentAtMs,
    text: asString(row.body) ?? '',
    author: pair.members[0]!,
    attachments: [...files, ...unnamed],
    systemEvent: unsent.has(row.status) ? (row.status as string) : undefined,
  });
  return { record, pair };
}
