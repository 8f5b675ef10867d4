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

/** Events in which a person says something. Without any content, such an event is a blank message. */
const messageTypes: ReadonlySet<unknown> = new Set(['REGULAR_CHAT_MESSAGE', 'SMS', 'MMS', 'VOICEMAIL']);

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
  const lines = [segmentText(asArray(segment), record), ...describePlaces(event, record, nameOf)];
  const files = asArray(attachment).flatMap((value) => readAttachment(value, lines, custom));
  record.text = lines.filter((line) => line !== '').join('\n');
  if (files.length > 0) record.attachments = files;
  const type = asString(event.event_type) ?? '';
  if (type === 'PHONE_CALL' && !record.call) {
    record.call = { startedAtMs: record.sentAtMs };
    if (record.text === '') record.text = 'Call';
  }
  const saysNothing = record.text === '' && files.length === 0 && type !== '';
  if (systemTypes.has(type) || (saysNothing && !messageTypes.has(type))) record.systemEvent = type;
  if (record.systemEvent !== undefined && record.text === '') record.text = inWords(type);
  if (type === 'SMS' || type === 'MMS' || type === 'VOICEMAIL') custom.type = type;
  if (asArray(annotation).length > 0) custom.annotation = annotation;
  for (const key in event) if (!known.has(key)) custom[key] = event[key as keyof Event];
  if (hasMembers(custom)) record.custom = custom as NonNullable<MessageRecord['custom']>;
  return record;
}

function segmentText(segments: readonly unknown[], record: NewMessage): string {
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

/** Returns the app's lines about calls, names and people who joined or left. */
function describePlaces(event: Event, record: NewMessage, nameOf: (id: string) => string): string[] {
  const renamed = asObject<HangoutsEvent['conversation_rename']>(event.conversation_rename);
  if (renamed) return [`Name: ${asString(renamed.new_name) ?? ''}`];
  const change = asObject<HangoutsEvent['membership_change']>(event.membership_change);
  if (change) {
    const names = asArray(change.participant_id)
      .flatMap((one) => hangoutsPersonId(one) ?? [])
      .map(nameOf);
    return [`${names.join(', ')} ${event.event_type === 'ADD_USER' ? 'joined' : 'left'}`];
  }
  return describeCall(asObject<HangoutsEvent['hangout_event']>(event.hangout_event), record);
}

function describeCall(call: Untrusted<HangoutsEvent['hangout_event']> | undefined, record: NewMessage): string[] {
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

/** Pictures, films and voice mail are files, a place or another thing with an address is text; what else there may be is kept as it is. */
function readAttachment(value: unknown, lines: string[], custom: Record<string, unknown>): Attachment[] {
  const item = asObject<Fields>(asObject<{ embed_item: unknown }>(value)?.embed_item) ?? {};
  const place = asObject<{ name: string; url: string }>(item.place_v2 ?? item['embeds.PlaceV2.place_v2']);
  const [key, thing] = thingIn(item);
  const url = thing && findAddress(thing);
  const name = asString(thing?.name) ?? asString(thing?.title);
  if (url !== undefined && (thing?.media_type !== undefined || isMedia.test(key))) return [readFile(thing!, url, key)];
  if (place) lines.push(`Location: ${[asString(place.name), asString(place.url)].filter(Boolean).join(', ')}`);
  else if (url !== undefined) lines.push(markdownLink(url, name));
  else {
    lines.push([inWords(asString(asArray(item.type)[0]) ?? (key || 'attachment')), name].filter(Boolean).join(': '));
    custom.attachments = [...asArray(custom.attachments), value];
  }
  return [];
}

/** `OTR_MODIFICATION` as `Otr modification`. */
const inWords = (type: string): string =>
  type.slice(0, 1).toUpperCase() + type.slice(1).toLowerCase().replaceAll('_', ' ');

type Fields = Readonly<Record<string, unknown>>;

const isMedia = /photo|image|video|audio|voice/i;

/** Returns the attachment: under the name of its kind (`plus_photo`, `plus_audio_v2`), or the item itself. */
function thingIn(item: Fields): readonly [key: string, thing: HangoutsMedia | undefined] {
  const things = Object.entries(item).flatMap(([key, value]) => {
    const thing = asObject<Fields>(value);
    return thing ? [[key, thing as HangoutsMedia] as const] : [];
  });
  const all = [...things, [asString(asArray(item.type)[0]) ?? '', item as HangoutsMedia] as const];
  return all.find(([, thing]) => findAddress(thing) !== undefined) ?? things[0] ?? ['', undefined];
}

type HangoutsMedia = Untrusted<HangoutsPhoto>;

/** Returns the address of the original, otherwise the one shown in the app. */
function findAddress(thing: HangoutsMedia): string | undefined {
  const { original_content_url: original, url, embed_url: embedded, thumbnail } = thing;
  const shown = asObject<{ image_url: string }>(thumbnail)?.image_url;
  const [first] = Array.isArray(original) ? original : [original];
  return [first, url, embedded, shown].map(asString).find(Boolean);
}

/** Names of files whose address has none. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/voice/i, 'voicemail'],
  [/audio/i, 'audio'],
  [/video/i, 'video'],
  [/./, 'photo'],
];

function readFile(thing: HangoutsMedia, url: string, key: string): Attachment {
  const id = asId(thing.photo_id);
  const kind = `${asString(thing.media_type) ?? ''} ${key}`;
  const last = url.split(/[?#]/, 1)[0]!.split('/').at(-1) || '';
  const isPhoto = /photo|image/i.test(kind) && !/video/i.test(kind);
  const name = last !== '' && (isPhoto || /\.\w{2,5}$/.test(last)) ? last : kinds.find(([one]) => one.test(kind))![1];
  return { ...(id !== undefined && { id }), name, url, kind };
}
