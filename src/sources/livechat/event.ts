import { hasMembers } from '../../lib/maps/objects.ts';
import { newMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { countLost, type Lose } from '../kit/lost.ts';
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
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  const time = readTime(row.created_at, row.timestamp);
  if (time === undefined) return fieldProblem('livechat-bad-time', '"created_at"', row.created_at);
  const { lost, lose } = countLost();
  const content = readContent(row, asString(row.type) ?? '', lose);
  if ('code' in content) return content;
  const internal = readVisibility(row, content);
  if (typeof internal === 'object') return internal;
  if (hasMembers(asObject<object>(row.properties) ?? {})) lose('appData');
  const postback = asObject<LiveChatEvent['postback']>(row.postback) ?? {};
  const record = newMessage({
    origin: { source: 'livechat', workspace: place.workspace, conversation: place.chat, id },
    sortKey: rowSortKey(time.nanoseconds, place.number),
    sentAtMs: time.atMs,
    text: content.text,
    author: place.author,
    attachments: content.files,
    quoteOf: asId(postback.event_id),
    isDeleted: row.deleted === true,
    systemEvent: content.systemEvent,
    internal,
    custom: {
      customId: asWords(row.custom_id, lose),
      alternativeText: asWords(row.alternative_text, lose),
      postbackId: asWords(postback.id, lose),
      postbackType: asWords(postback.type, lose),
      postbackValue: asWords(postback.value, lose),
    },
    lost,
  });
  noteHidingMark(record, row.properties, 'properties');
  return record;
}

/**
 * Who saw the event. One of the system that does not say it, as before version 3.4, is kept from customers; so is one of which the two
 * fields differ. A deleted event without content is shown to no one.
 */
function readVisibility(row: Row, content: Content): MessageRecord['internal'] | RowProblem {
  const said = [row.visibility, row.recipients].filter((value) => value !== undefined && value !== null);
  const isSystem = content.systemEvent !== undefined;
  const isEmpty = content.text === '' && content.files.length === 0;
  if (said.includes('agents')) return isSystem ? 'automation' : 'note';
  if (said.length === 0 && isSystem) return 'automation';
  if (said.length === 0 ? !(row.deleted === true && isEmpty) : said.some((value) => value !== 'all'))
    return fieldProblem(
      'livechat-unclear-visibility',
      '"visibility" to be "all" or "agents"',
      row.visibility ?? row.recipients,
    );
  return undefined;
}

/** A word that the app attached; data in its place is counted as lost. */
function asWords(value: unknown, lose: Lose): string | undefined {
  if (typeof value === 'object' && value !== null) lose('appData');
  return asId(value);
}
