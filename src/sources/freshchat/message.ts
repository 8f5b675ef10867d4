import { newMessage, type NewMessage } from '../../model/new-message.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asId, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { type FreshchatMessage, msOf } from './format.ts';
import { Parts } from './parts.ts';
import { readAuthor } from './people.ts';

type Row = Untrusted<FreshchatMessage>;

/** A row as a message, or why it is none. */
export function readMessage(
  row: Row,
  { workspace, sortKey }: { readonly workspace: string; readonly sortKey: string },
): NewMessage | RowProblem {
  const id = asId(row.id);
  const conversation = asId(row.conversation_id);
  const sentAtMs = msOf(row.created_time);
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  if (conversation === undefined)
    return fieldProblem('freshchat-no-conversation', '"conversation_id"', row.conversation_id);
  if (sentAtMs === undefined)
    return fieldProblem('freshchat-bad-time', '"created_time" with its offset', row.created_time);
  const isInternal = isPrivate(row);
  if (typeof isInternal === 'string') return { code: 'freshchat-unclear-visibility', reason: isInternal };
  const author = readAuthor(row);
  if (author === undefined) {
    const reason = `Expected "actor_type" and "actor_id" of a person, bot or the system, found ${describe(row.actor_type)} and ${describe(row.actor_id)}`;
    return { code: 'freshchat-unclear-author', reason };
  }
  const parts = readParts(row);
  if (parts.problem) return parts.problem;
  const record = newMessage({
    origin: { source: 'freshchat', workspace, conversation, id },
    sortKey,
    sentAtMs,
    text: joinTexts(parts.texts),
    author: author.id,
    attachments: parts.files,
    quoteOf: asId(asObject<FreshchatMessage['in_reply_to']>(row.in_reply_to)?.message_id),
    systemEvent: eventOf(row),
    internal: isInternal ? 'note' : undefined,
    lost: parts.lost,
  });
  noteHidingMark(record, row.meta_data, 'meta_data');
  return record;
}

/** @returns a reason, if it is not known. A bot marks its notes by a field of their own. */
function isPrivate(row: Row): boolean | string {
  const { message_type: type } = row;
  for (const key of ['botsPrivateNote', 'bots_private_note'] as const) {
    const mark = row[key];
    if (mark !== undefined && mark !== null && typeof mark !== 'boolean')
      return `Expected "${key}" to be true or false, found ${describe(mark)}`;
  }
  if (type === 'private' || row.botsPrivateNote === true || row.bots_private_note === true) return true;
  if (type === 'normal' || type === 'system') return false;
  return `Expected "message_type" to be normal, private or system, found ${describe(type)}`;
}

function readParts(row: Row): Parts {
  const parts = new Parts();
  parts.addAll(row.message_parts, 'message_parts');
  if (row.reply_parts !== undefined && row.reply_parts !== null) parts.addAll(row.reply_parts, 'reply_parts');
  parts.lose('appData', Object.keys(asObject(row.meta_data) ?? {}).filter((key) => !eventKeys.has(key)).length);
  return parts;
}

/** Items that follow each other are one list. */
const joinTexts = (texts: readonly string[]): string =>
  texts
    .filter(Boolean)
    .join('\n\n')
    .replace(/^(- .*)\n\n(?=- )/gm, '$1\n');

const eventKeys = new Set(['isResolved', 'isReopen']);

/** An event instead of a text. The user never got a message that failed. */
function eventOf(row: Row): string | undefined {
  const marks = asObject<FreshchatMessage['meta_data']>(row.meta_data);
  if (marks?.isResolved === true) return 'resolved';
  if (marks?.isReopen === true) return 'reopened';
  if (row.message_type === 'system' || row.actor_type === 'system') return 'system';
  const hasFailed = (typeof row.error_code === 'number' && row.error_code !== 0) || asString(row.error_message);
  return hasFailed ? 'failed' : undefined;
}
