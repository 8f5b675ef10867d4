import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asId, describe, type Untrusted } from '../kit/narrow.ts';
import { type ChatkitMessage, timeOf } from './format.ts';
import { contentOf } from './parts.ts';

interface MessagePlace {
  readonly workspace: string;
  readonly sortKey: string;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Untrusted<ChatkitMessage>, place: MessagePlace): NewMessage | RowProblem {
  const id = asId(row.id);
  const conversation = asId(row.room_id);
  const sentAtMs = timeOf(row.created_at);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  if (conversation === undefined)
    return { code: 'chatkit-no-room', reason: `Expected "room_id", found ${describe(row.room_id)}` };
  if (sentAtMs === undefined) {
    const reason = `Expected "created_at" as RFC 3339, found ${describe(row.created_at)}`;
    return { code: 'chatkit-bad-time', reason };
  }
  const content = contentOf(row);
  if ('code' in content) return content;
  const record = newMessage({
    origin: { source: 'chatkit', workspace: place.workspace, conversation, id },
    // Ids grow with time.
    sortKey: /^\d{1,20}$/.test(id) ? id.padStart(20, '0') : place.sortKey,
    sentAtMs,
    text: content.texts.join('\n'),
  });
  const author = asId(row.sender_id) ?? asId(row.user_id);
  if (author !== undefined) record.author = author;
  if (content.files.length > 0) record.attachments = content.files;
  const changedAtMs = timeOf(row.updated_at);
  if (changedAtMs !== undefined) record.version = { changedAtMs };
  if (changedAtMs !== undefined && changedAtMs > sentAtMs) record.edited = { atMs: changedAtMs };
  if (content.others.length > 0) record.custom = { parts: content.others as never };
  return record;
}
