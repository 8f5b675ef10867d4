import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asId, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import type { Lose } from '../kit/text/cards.ts';
import { type Content, readContent } from './content.ts';
import type { LiveChatEvent } from './format.ts';
import { readTime } from './time.ts';

type Row = Untrusted<LiveChatEvent>;

/** Facts of an event from around it. */
export interface EventPlace {
  readonly workspace: string;
  readonly chat: string;
  /** Number of the event in its file. */
  readonly number: number;
  readonly author: string | undefined;
}

/** Reads an event as a message, or says why it is none. */
export function readEvent(row: Row, place: EventPlace): MessageRecord | RowProblem {
  const id = asId(row.id);
  if (id === undefined) return { code: 'missing-id', reason: `Expected "id", found ${describe(row.id)}` };
  const time = readTime(row.created_at, row.timestamp);
  if (time === undefined)
    return { code: 'livechat-bad-time', reason: `Expected "created_at", found ${describe(row.created_at)}` };
  const lost: Partial<Record<LostPart, number>> = {};
  const lose = (part: LostPart, count = 1) => {
    if (count > 0) lost[part] = (lost[part] ?? 0) + count;
  };
  const content = readContent(row, asString(row.type) ?? '', lose);
  if ('code' in content) return content;
  const record = newMessage({
    origin: { source: 'livechat', workspace: place.workspace, conversation: place.chat, id },
    sortKey: rowSortKey(time.nanoseconds, place.number),
    sentAtMs: time.atMs,
    text: content.text,
  });
  const unclear = addVisibility(row, content, record);
  if (unclear) return unclear;
  if (place.author !== undefined) record.author = place.author;
  if (content.files.length > 0) record.attachments = [...content.files];
  if (content.systemEvent !== undefined) record.systemEvent = content.systemEvent;
  if (row.deleted === true) record.isDeleted = true;
  addDetails(row, record, lose);
  if (hasMembers(asObject<object>(row.properties) ?? {})) lose('appData');
  noteHidingMark(record, row.properties, 'properties');
  if (hasMembers(lost)) record.lost = lost;
  return record;
}

/**
 * Who saw the event. One of the system that does not say it, as before version 3.4, is kept from customers; so is one of which the two
 * fields differ. A deleted event without content is shown to no one.
 */
function addVisibility(row: Row, content: Content, record: NewMessage): RowProblem | undefined {
  const said = [row.visibility, row.recipients].filter((value) => value !== undefined && value !== null);
  const isSystem = content.systemEvent !== undefined;
  const isEmpty = content.text === '' && content.files.length === 0;
  if (said.includes('agents')) record.internal = isSystem ? 'automation' : 'note';
  else if (said.length === 0 && isSystem) record.internal = 'automation';
  else if (said.length === 0 ? !(row.deleted === true && isEmpty) : said.some((value) => value !== 'all')) {
    const reason = `Expected "visibility" to be "all" or "agents", found ${describe(row.visibility ?? row.recipients)}`;
    return { code: 'livechat-unclear-visibility', reason };
  }
  return undefined;
}

function addDetails(row: Row, record: NewMessage, lose: Lose): void {
  const postback = asObject<LiveChatEvent['postback']>(row.postback) ?? {};
  const quote = asId(postback.event_id);
  if (quote !== undefined) record.quoteOf = quote;
  const custom: Record<string, string> = {};
  const add = (key: string, value: unknown) => {
    const text = asId(value);
    if (text !== undefined) custom[key] = text;
    else if (typeof value === 'object' && value !== null) lose('appData');
  };
  add('customId', row.custom_id);
  add('alternativeText', row.alternative_text);
  add('postbackId', postback.id);
  add('postbackType', postback.type);
  add('postbackValue', postback.value);
  if (hasMembers(custom)) record.custom = custom;
}
