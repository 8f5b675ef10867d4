import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { newMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { noteHidingMark, type RowProblem, textProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { distinctFiles, htmlBody } from '../kit/text/html-body.ts';
import { msOf, type ZendeskComment, type ZendeskFile } from './format.ts';

/** Reads a comment of a ticket. Ids ascend, and order comments of the same second. */
export function readMessage(
  row: Untrusted<ZendeskComment>,
  { workspace, ticket }: { readonly workspace: string; readonly ticket: string },
): MessageRecord | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  const sentAtMs = msOf(row.created_at);
  if (sentAtMs === undefined)
    return { code: 'zendesk-bad-time', reason: `Expected "created_at", found ${describe(row.created_at)}` };
  if (typeof row.public !== 'boolean') {
    const reason = `Expected "public" to be true or false, found ${describe(row.public)}`;
    return { code: 'zendesk-unclear-visibility', reason };
  }
  const noText =
    textProblem('html_body', row.html_body) ??
    textProblem('plain_body', row.plain_body) ??
    textProblem('body', row.body);
  if (noText) return noText;
  const lost: Partial<Record<LostPart, number>> = {};
  const html = asString(row.html_body);
  const body = htmlBody(html ?? '', (what, count = 1) => (lost[what] = (lost[what] ?? 0) + count));
  const record = newMessage({
    origin: { source: 'zendesk', workspace, conversation: ticket, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text: html === undefined ? (asString(row.plain_body) ?? asString(row.body) ?? '').trim() : body.text,
  });
  const author = asId(row.author_id);
  if (author !== undefined) record.author = author;
  if (!row.public) record.internal = 'note';
  if (row.type === 'VoiceComment') record.call = {};
  const files = distinctFiles([...asArray(row.attachments).flatMap(readFile), ...body.files]);
  if (files.length > 0) record.attachments = files;
  const channel = asString(asObject<{ channel: string }>(row.via)?.channel);
  if (channel !== undefined) record.custom = { channel };
  noteHidingMark(record, (row as Untrusted<{ metadata: unknown }>).metadata, 'metadata');
  if (hasMembers(lost)) record.lost = lost;
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
