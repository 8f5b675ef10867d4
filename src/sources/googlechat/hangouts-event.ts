import { hasMembers } from '../../lib/maps/objects.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment, MessageRecord } from '../../model/records.ts';
import { markdownLink } from '../kit/text/markdown.ts';
import { asArray, asCount, asId, asNumber, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import { type StyledPiece, styledText } from '../kit/text/styled-text.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import type { HangoutsEvent, HangoutsPerson, HangoutsPhoto, HangoutsSegment } from './hangouts-format.ts';

type Event = Untrusted<HangoutsEvent>;

/** Fields that are read here, and those that hold for the app alone; anything else goes to `custom` as it is. */
const known: ReadonlySet<string> = new Set([
  ...['event_id', 'conversation_id', 'sender_id', 'timestamp', 'event_type', 'chat_message', 'conversation_rename'],
  ...['hangout_event', 'membership_change'],
  ...['self_event_state', 'event_version', 'advances_sort_timestamp', 'event_otr', 'delivery_medium'],
]);

const systemTypes: ReadonlySet<unknown> = new Set(['RENAME_CONVERSATION', 'ADD_USER', 'REMOVE_USER']);

export const hangoutsPersonId = (value: unknown): string | undefined => {
  const person = asObject<HangoutsPerson>(value);
  return asId(person?.gaia_id) ?? asId(person?.chat_id);
};

/** One event as a message. @param nameOf Of a person by id. */
export function eventMessage(
  event: Event,
  place: Pick<NewMessage, 'origin' | 'sortKey' | 'sentAtMs'>,
  nameOf: (id: string) => string,
): NewMessage {
  const record = newMessage({ ...place, text: '' });
  const author = hangoutsPersonId(event.sender_id);
  if (author !== undefined) record.author = author;
  const { message_content: content, annotation } = asObject<HangoutsEvent['chat_message']>(event.chat_message) ?? {};
  const { segment, attachment } = asObject<HangoutsEvent['chat_message']['message_content']>(content) ?? {};
  const custom: Record<string, unknown> = {};
  const lines = [textOf(asArray(segment), record), ...placesOf(event, record, nameOf)];
  const files = asArray(attachment).flatMap((value) => attachmentOf(value, lines, custom));
  record.text = lines.filter((line) => line !== '').join('\n');
  if (files.length > 0) record.attachments = files;
  if (systemTypes.has(event.event_type)) record.systemEvent = event.event_type as string;
  if (event.event_type === 'SMS') custom.type = 'SMS';
  if (asArray(annotation).length > 0) custom.annotation = annotation;
  for (const key in event) if (!known.has(key)) custom[key] = event[key as keyof Event];
  if (hasMembers(custom)) record.custom = custom as NonNullable<MessageRecord['custom']>;
  return record;
}

function textOf(segments: readonly unknown[], record: NewMessage): string {
  const lost: NonNullable<MessageRecord['lost']> = {};
  const pieces = segments.map((value): StyledPiece => {
    const segment = asObject<HangoutsSegment>(value) ?? {};
    const text = segment.type === 'LINE_BREAK' ? '\n' : (asString(segment.text) ?? '');
    const formatting = asObject<HangoutsSegment['formatting']>(segment.formatting) ?? {};
    if (formatting.underline === true) lost.underlines = (lost.underlines ?? 0) + 1;
    const target = asString(asObject<HangoutsSegment['link_data']>(segment.link_data)?.link_target);
    if (target !== undefined && target !== text)
      return { text: markdownLink(target, text), style: {}, isMarkdown: true };
    const style = {
      bold: formatting.bold === true,
      italic: formatting.italics === true,
      strike: formatting.strikethrough === true,
    };
    return { text, style };
  });
  const { markdown, stylesLost } = styledText(pieces);
  if (stylesLost > 0) lost.styles = stylesLost;
  const typed = pieces.map(({ text }) => text).join('');
  const isPlain = typed === markdown && pieces.every(({ isMarkdown }) => isMarkdown !== true);
  if (isPlain && meansMarkup(typed, { isMarkup: false, isLineStart: true })) lost.accidentalMarkup = 1;
  if (hasMembers(lost)) record.lost = lost;
  return markdown;
}

/** What the app says of calls, names and those who came and went. */
function placesOf(event: Event, record: NewMessage, nameOf: (id: string) => string): string[] {
  const renamed = asObject<HangoutsEvent['conversation_rename']>(event.conversation_rename);
  if (renamed) return [`Name: ${asString(renamed.new_name) ?? ''}`];
  const change = asObject<HangoutsEvent['membership_change']>(event.membership_change);
  if (change) {
    const names = asArray(change.participant_id)
      .flatMap((one) => hangoutsPersonId(one) ?? [])
      .map(nameOf);
    return [`${names.join(', ')} ${event.event_type === 'ADD_USER' ? 'joined' : 'left'}`];
  }
  return callOf(asObject<HangoutsEvent['hangout_event']>(event.hangout_event), record);
}

function callOf(call: Untrusted<HangoutsEvent['hangout_event']> | undefined, record: NewMessage): string[] {
  if (!call) return [];
  const hasEnded = asString(call.event_type)?.startsWith('END') === true;
  const seconds = asCount(asNumber(call.hangout_duration_secs ?? 0)) ?? 0;
  const startedAtMs = hasEnded ? record.sentAtMs - seconds * 1000 : record.sentAtMs;
  const participants = asArray(call.participant_id).flatMap((one) => hangoutsPersonId(one) ?? []);
  record.call = {
    ...((!hasEnded || seconds > 0) && { startedAtMs }),
    ...(hasEnded && { endedAtMs: record.sentAtMs }),
    ...(participants.length > 0 && { participants }),
  };
  return [hasEnded ? 'Call ended' : 'Call'];
}

/** A photo is a file, a place is text; what else there may be is kept as it is. */
function attachmentOf(value: unknown, lines: string[], custom: Record<string, unknown>): Attachment[] {
  const item = asObject<Record<string, unknown>>(asObject<{ embed_item: unknown }>(value)?.embed_item) ?? {};
  const photo = asObject<HangoutsPhoto>(item.plus_photo ?? item['embeds.PlusPhoto.plus_photo']);
  const place = asObject<{ name: string; url: string }>(item.place_v2 ?? item['embeds.PlaceV2.place_v2']);
  const original = asString(asArray(photo?.original_content_url)[0] ?? photo?.original_content_url);
  const url = original ?? asString(photo?.url);
  if (url !== undefined) {
    const id = asId(photo?.photo_id);
    const name = url.split(/[?#]/, 1)[0]!.split('/').at(-1) || 'photo';
    return [{ ...(id !== undefined && { id }), name, url }];
  }
  if (place) lines.push(`Location: ${[asString(place.name), asString(place.url)].filter(Boolean).join(', ')}`);
  else custom.attachments = [...asArray(custom.attachments), value];
  return [];
}
