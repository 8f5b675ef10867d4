import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment } from '../../model/records.ts';
import { attachedFile } from '../kit/attached-file.ts';
import { fieldProblem, noteHidingMark, type RowProblem, textProblem } from '../kit/entries.ts';
import { countLost } from '../kit/lost.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { distinctFiles, escapedBody, htmlBody } from '../kit/text/html-body.ts';
import { personId, readAuthor } from './directory.ts';
import type { GorgiasFile, GorgiasMessage, GorgiasPerson, GorgiasSource, GorgiasTicket } from './format.ts';
import { msOf } from './format.ts';

type Row = Untrusted<GorgiasMessage>;

interface MessagePlace {
  readonly workspace: string;
  readonly counts: CountedProblems;
  readonly ticket: Untrusted<GorgiasTicket>;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Row, { workspace, counts, ticket }: MessagePlace): NewMessage | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  const conversation = asId(row.ticket_id);
  if (conversation === undefined) return fieldProblem('gorgias-no-ticket', '"ticket_id"', row.ticket_id);
  const sentAtMs = msOf(row.sent_datetime) ?? msOf(row.created_datetime);
  if (sentAtMs === undefined) return fieldProblem('gorgias-bad-time', '"created_datetime"', row.created_datetime);
  const source = asObject<GorgiasSource>(row.source) ?? {};
  const isNote = row.public === false || row.channel === 'internal-note' || source.type === 'internal-note';
  const problem =
    unclearIn(row, isNote) ?? textProblem('body_html', row.body_html) ?? textProblem('body_text', row.body_text);
  if (problem) return problem;
  const { lost, lose } = countLost();
  const html = htmlBody(escapedBody(asString(row.body_html) ?? ''), lose);
  const isEmpty = html.text === '' && html.files.length === 0;
  const isOfRule = asId(row.rule_id) !== undefined;
  const record = newMessage({
    origin: { source: 'gorgias', workspace, conversation, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text: isEmpty ? (asString(row.body_text) ?? '').trim() : html.text,
    author: readAuthor(row)?.id,
    mentions: asArray(row.mention_ids)
      .flatMap((one) => asId(one) ?? [])
      .map((one) => personId('agent', one)),
    attachments: distinctFiles([...asArray(row.attachments).flatMap(readFile), ...html.files]),
    isDeleted: isSaid(ticket.trashed_datetime) || isSaid(row.deleted_datetime),
    internal: isNote ? (isOfRule ? 'automation' : 'note') : isToOthers(row, ticket) ? 'side-conversation' : undefined,
    systemEvent: isNote ? undefined : (undelivered(row) ?? (isOfRule ? 'rule' : undefined)),
    custom: { channel: asString(row.channel), subject: asString(row.subject) },
    lost,
  });
  noteHidingMark(record, { meta: row.meta, source });
  counts.addFields('gorgias-not-migrated', { ...row, ...source }, notMigrated);
  return record;
}

const notMigrated = {
  ...{ intents: 'intents', sentiments: 'intents', actions: 'actions of macros and rules', headers: 'headers of mails' },
  ...{ meta: 'data of channels', opened_datetime: 'read marks', cc: 'copies to others', bcc: 'copies to others' },
};

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function unclearIn(row: Row, isNote: boolean): RowProblem | undefined {
  const code = 'gorgias-unclear-visibility';
  if (typeof row.from_agent !== 'boolean')
    return fieldProblem(code, '"from_agent" to be true or false', row.from_agent);
  return isNote || row.public === true ? undefined : fieldProblem(code, '"public" to be true or false', row.public);
}

/** Whether an agent wrote to others alone, such as a supplier: the customer of the ticket has not seen it. */
function isToOthers(row: Row, ticket: Untrusted<GorgiasTicket>): boolean {
  const receiver = asId(asObject<GorgiasPerson>(row.receiver)?.id);
  const customer = asObject<GorgiasPerson>(ticket.customer) ?? {};
  if (row.from_agent !== true || receiver === undefined || asId(customer.id) === undefined) return false;
  const { to, cc, bcc } = asObject<GorgiasSource>(row.source) ?? {};
  const addresses = [to, cc, bcc].flatMap(asArray).map((one) => asObject<GorgiasSource['from']>(one)?.address);
  return receiver !== asId(customer.id) && !addresses.includes(asString(customer.email) ?? '');
}

/** Why the customer never got a message of an agent. One that failed may have been sent again later. */
function undelivered(row: Row): 'failed' | 'unsent' | undefined {
  const sentAtMs = msOf(row.sent_datetime);
  if (isSaid(row.failed_datetime))
    return (sentAtMs ?? 0) > (msOf(row.failed_datetime) ?? Infinity) ? undefined : 'failed';
  return row.from_agent === true && sentAtMs === undefined ? 'unsent' : undefined;
}

function readFile(value: unknown): readonly Attachment[] {
  const file = asObject<GorgiasFile>(value);
  if (file === undefined) return [];
  return [attachedFile({ name: file.name, url: file.url, mimeType: file.content_type, size: file.size })];
}
