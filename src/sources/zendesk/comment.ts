import { newMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { fieldProblem, noteHidingMark, type RowProblem, textProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { countLost } from '../kit/lost.ts';
import { distinctFiles, htmlBody } from '../kit/text/html-body.ts';
import { msOf, type ZendeskComment, type ZendeskFile } from './format.ts';

/** Reads a comment of a ticket. Ids ascend, and order comments of the same second. */
export function readMessage(
  row: Untrusted<ZendeskComment>,
  { workspace, ticket }: { readonly workspace: string; readonly ticket: string },
): MessageRecord | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  const sentAtMs = msOf(row.created_at);
  if (sentAtMs === undefined) return fieldProblem('zendesk-bad-time', '"created_at"', row.created_at);
  if (typeof row.public !== 'boolean')
    return fieldProblem('zendesk-unclear-visibility', '"public" to be true or false', row.public);
  const noText =
    textProblem('html_body', row.html_body) ??
    textProblem('plain_body', row.plain_body) ??
    textProblem('body', row.body);
  if (noText) return noText;
  const { lost, lose } = countLost();
  const html = asString(row.html_body);
  const body = htmlBody(html ?? '', lose);
  const record = newMessage({
    origin: { source: 'zendesk', workspace, conversation: ticket, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text: html === undefined ? (asString(row.plain_body) ?? asString(row.body) ?? '').trim() : body.text,
    author: asId(row.author_id),
    attachments: distinctFiles([...asArray(row.attachments).flatMap(readFile), ...body.files]),
    internal: row.public ? undefined : 'note',
    call: row.type === 'VoiceComment' ? {} : undefined,
    custom: { channel: asString(asObject<{ channel: string }>(row.via)?.channel) },
    lost,
  });
  noteHidingMark(record, (row as Untrusted<{ metadata: unknown }>).metadata, 'metadata');
  return record;
}

function readFile(value: unknown): readonly Attachment[] {
  const file = asObject<ZendeskFile>(value);
  if (file === undefined) return [];
  return [
    compact<Attachment>({
      id: asId(file.id),
      name: asString(file.file_name) ?? 'file',
      url: file.deleted === true ? undefined : asString(file.content_url),
      mimeType: asString(file.content_type),
      sizeBytes: asCount(file.size),
      ...(file.deleted === true && { unavailable: 'deleted' }),
    }),
  ];
}
