import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { noteHidingMark, type RowProblem, textProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { nameIn } from '../kit/text/html-body.ts';
import { listWords } from '../kit/text/structure-words.ts';
import { type ChatwootFile, type ChatwootMessage, msOf } from './format.ts';

type Row = Untrusted<ChatwootMessage>;

/** Words of the types, by their numbers. */
const types = ['incoming', 'outgoing', 'activity', 'template'];

/** Reads a message. Ids ascend, and order messages of the same second. */
export function readMessage(
  row: Row,
  place: { readonly workspace: string; readonly conversation: string; readonly author: string | undefined },
): MessageRecord | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  const sentAtMs = msOf(row.created_at);
  if (sentAtMs === undefined)
    return { code: 'chatwoot-bad-time', reason: `Expected "created_at", found ${describe(row.created_at)}` };
  const type = typeof row.message_type === 'number' ? types[row.message_type] : asString(row.message_type);
  const problem = unclearIn(row, type) ?? textProblem('content', row.content);
  if (problem) return problem;
  const { files, below } = attachedTo(row.attachments);
  const content = asString(row.content)?.trim() ?? '';
  const words = itemWords(row, content);
  const record = newMessage({
    origin: { source: 'chatwoot', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text: [content, ...below, words].filter(Boolean).join('\n\n'),
  });
  if (place.author !== undefined) record.author = place.author;
  if (files.length > 0) record.attachments = [...files];
  if (row.private === true) record.internal = 'note';
  if (type === 'activity' || type === 'template') record.systemEvent = type;
  // The customer never got it.
  if (row.status === 'failed') record.systemEvent ??= 'failed';
  addAttributes(row, record, words !== '');
  const { content: _, content_attributes: attributes, ...own } = row;
  const { deleted: __, email: ___, ...given } = asObject<ChatwootMessage['content_attributes']>(attributes) ?? {};
  noteHidingMark(record, { ...own, content_attributes: given });
  return record;
}

/** Cards and articles; choices and fields of forms where nothing else is said. */
function itemWords({ content_type: type, content_attributes }: Row, content: string): string {
  const items = asObject<ChatwootMessage['content_attributes']>(content_attributes)?.items;
  const isShown = content === '' || type === 'cards' || type === 'article';
  return isShown ? listWords(items).join('\n') : '';
}

function unclearIn(row: Row, type: string | undefined): RowProblem | undefined {
  const code = 'chatwoot-unclear-visibility';
  if (typeof row.private !== 'boolean')
    return { code, reason: `Expected "private" to be true or false, found ${describe(row.private)}` };
  if (type === undefined || !types.includes(type))
    return { code, reason: `Expected "message_type" to be 0 to 3, found ${describe(row.message_type)}` };
  return undefined;
}

function addAttributes(row: Row, record: NewMessage, hasItems: boolean): void {
  const attributes = asObject<ChatwootMessage['content_attributes']>(row.content_attributes);
  if (attributes === undefined) return;
  if (attributes.deleted === true) record.isDeleted = true;
  const quote = asId(attributes.in_reply_to);
  if (quote !== undefined) record.quoteOf = quote;
  const lost: Partial<Record<LostPart, number>> = {};
  const items = asArray(attributes.items).length;
  if (items > 0 && !hasItems) lost.menus = items;
  if (asObject(attributes.submitted_values) ?? asArray(attributes.submitted_values)[0] ?? asObject(attributes.email))
    lost.appData = 1;
  if (hasMembers(lost)) record.lost = lost;
}

function attachedTo(value: unknown): { readonly files: readonly Attachment[]; readonly below: readonly string[] } {
  const files: Attachment[] = [];
  const below: string[] = [];
  for (const one of asArray(value)) {
    const file = asObject<ChatwootFile>(one);
    const { coordinates_lat: latitude, coordinates_long: longitude } = file ?? {};
    if (file?.file_type === 'location' && typeof latitude === 'number' && typeof longitude === 'number')
      below.push(`Location: (${latitude}, ${longitude})`);
    else if (file) files.push(readFile(file));
  }
  return { files, below };
}

function readFile(file: Untrusted<ChatwootFile>): Attachment {
  const id = asId(file.id);
  const url = asString(file.data_url);
  const sizeBytes = asCount(file.file_size);
  return {
    ...(id !== undefined && { id }),
    kind: asString(file.file_type),
    name: asString(file.fallback_title) ?? (url === undefined ? 'file' : decoded(nameIn(url))),
    ...(url !== undefined && { url }),
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
