import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { RowProblem } from '../kit/entries.ts';
import { asCount, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { idOf, type LayerMessage, type LayerSender, personIdOf, timeOf } from './format.ts';
import { contentOf } from './parts.ts';

interface MessagePlace {
  readonly workspace: string;
  readonly sortKey: string;
  readonly counts: CountedProblems;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Untrusted<LayerMessage>, place: MessagePlace): NewMessage | RowProblem {
  const id = idOf(row.id);
  const conversation = conversationOf(row);
  const sentAtMs = timeOf(row.sent_at);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  if (conversation === undefined) {
    const reason = `Expected the id of a "conversation", found ${describe(row.conversation)}`;
    return { code: 'layer-no-conversation', reason };
  }
  if (sentAtMs === undefined) {
    return { code: 'layer-bad-time', reason: `Expected "sent_at" in ISO 8601, found ${describe(row.sent_at)}` };
  }
  const content = contentOf(row.parts);
  if ('code' in content) return content;
  const position = asCount(row.position);
  const record = newMessage({
    origin: { source: 'layer', workspace: place.workspace, conversation, id },
    sortKey: position === undefined ? place.sortKey : String(position).padStart(20, '0'),
    sentAtMs,
    text: content.texts.join('\n'),
  });
  addSender(asObject<LayerSender>(row.sender) ?? {}, record);
  if (content.files.length > 0) record.attachments = content.files;
  if (content.others.length > 0) record.custom = { parts: content.others as never };
  place.counts.add('layer-not-migrated', 'previews of pictures', content.previewCount);
  const receipts = Object.keys(asObject(row.recipient_status) ?? {}).length;
  place.counts.add('layer-not-migrated', 'receipts', receipts);
  return record;
}

export const conversationOf = (row: Untrusted<LayerMessage>): string | undefined =>
  idOf(asObject<{ id: unknown }>(row.conversation)?.id);

/** A service of the application has a name instead of an id: its id cannot be that of a person. */
function addSender(sender: Untrusted<LayerSender>, record: NewMessage): void {
  const person = personIdOf(sender);
  const service = asString(sender.name);
  if (person === undefined) {
    if (service === undefined) return;
    record.author = `service:${service}`;
    record.authorDetails = { name: service, isBot: true };
    return;
  }
  record.author = person;
  const name = asString(sender.display_name);
  const avatarUrl = asString(sender.avatar_url);
  if (name === undefined && avatarUrl === undefined) return;
  record.authorDetails = { ...(name !== undefined && { name }), ...(avatarUrl !== undefined && { avatarUrl }) };
}
