import { newMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { fieldProblem, noteHidingMark, type RowProblem, textProblem } from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
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
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  const sentAtMs = msOf(row.created_at);
  if (sentAtMs === undefined) return fieldProblem('chatwoot-bad-time', '"created_at"', row.created_at);
  const type = typeof row.message_type === 'number' ? types[row.message_type] : asString(row.message_type);
  const problem = unclearIn(row, type) ?? textProblem('content', row.content);
  if (problem) return problem;
  const { files, below } = attachedTo(row.attachments);
  const content = asString(row.content)?.trim() ?? '';
  const words = itemWords(row, content);
  const marks = asObject<ChatwootMessage['content_attributes']>(row.content_attributes) ?? {};
  const record = newMessage({
    origin: { source: 'chatwoot', workspace: place.workspace, conversation: place.conversation, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text: [content, ...below, words].filter(Boolean).join('\n\n'),
    author: place.author,
    attachments: files,
    quoteOf: asId(marks.in_reply_to),
    isDeleted: marks.deleted === true,
    systemEvent: readEvent(row, type),
    internal: row.private === true ? 'note' : undefined,
    lost: {
      menus: (words === '' && asArray(marks.items).length) || undefined,
      appData: hasAppData(marks) ? 1 : undefined,
    },
  });
  const { content: _, content_attributes: __, ...own } = row;
  const { deleted: ___, email: ____, ...given } = marks;
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
  if (typeof row.private !== 'boolean') return fieldProblem(code, '"private" to be true or false', row.private);
  if (type === undefined || !types.includes(type))
    return fieldProblem(code, '"message_type" to be 0 to 3', row.message_type);
  return undefined;
}

/** The event, if no person wrote the row. The customer never got a message that failed. */
function readEvent({ status }: Row, type: string | undefined): string | undefined {
  if (type === 'activity' || type === 'template') return type;
  return status === 'failed' ? status : undefined;
}

const hasAppData = ({ submitted_values: values, email }: Untrusted<ChatwootMessage['content_attributes']>): boolean =>
  Boolean(asObject(values) ?? asArray(values)[0] ?? asObject(email));

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
  const url = asString(file.data_url);
  return {
    id: asId(file.id),
    kind: asString(file.file_type),
    name: asString(file.fallback_title) ?? (url === undefined ? 'file' : decoded(nameIn(url))),
    url,
    sizeBytes: asCount(file.file_size),
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
