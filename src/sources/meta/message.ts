import { hasMembers } from '../../lib/maps/objects.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { MessageRecord, Reaction } from '../../model/records.ts';
import type { RowProblem } from '../kit/entries.ts';
import type { NamedFile } from '../kit/files/local-files.ts';
import { bold, quoted } from '../kit/text/markdown.ts';
import { asArray, asCount, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import type { MetaFile, MetaMessage, MetaReaction, MetaShare } from './format.ts';
import { asRepaired, repairedAll } from './mojibake.ts';

type Row = Untrusted<MetaMessage>;

/** Position of a message. */
export interface MessagePlace {
  readonly source: string;
  readonly workspace: string;
  readonly conversation: string;
  /** Returns the id of the person that a row names, with the name unchanged from the row. */
  personOf(name: unknown): string;
}

/** Fields that are read here; anything else goes to `custom` as it is. */
const known: ReadonlySet<string> = new Set([
  ...['sender_name', 'timestamp_ms', 'content', 'type', 'is_unsent', 'call_duration', 'share', 'sticker', 'photos'],
  ...['videos', 'audio_files', 'files', 'gifs', 'reactions', 'users'],
  ...['senderName', 'timestamp', 'text', 'isUnsent', 'media'],
]);

/** Types that say nothing more than the row itself does, and those of people who came and went. */
const plainTypes: ReadonlySet<unknown> = new Set(['Generic', 'Share', 'Call', 'text', 'media', 'link']);
const systemTypes: ReadonlySet<unknown> = new Set(['Subscribe', 'Unsubscribe']);

/** Epoch milliseconds. `timestamp_ms` is never a time in seconds; `timestamp` is one in downloads of 2018, and has ten digits then. */
function sentTime(row: Row): number | undefined {
  if (row.timestamp_ms !== undefined) return asCount(row.timestamp_ms) || undefined;
  const time = asCount(row.timestamp) || undefined;
  return time !== undefined && time < secondsEnd ? time * 1000 : time;
}

/** As seconds the year 5138, as milliseconds 1973. */
const secondsEnd = 100_000_000_000;

export const senderOf = ({ sender_name, senderName }: Row): unknown => sender_name ?? senderName;

/** One row as a message without its id, its place and its files, or why it is none. */
export function readMessage(
  row: Row,
  { source, workspace, conversation, personOf }: MessagePlace,
): NewMessage | RowProblem {
  const sentAtMs = sentTime(row);
  if (sentAtMs === undefined) {
    const found = describe(row.timestamp_ms ?? row.timestamp);
    return { code: 'bad-time', reason: `Expected "timestamp_ms" in milliseconds, found ${found}` };
  }
  const origin = { source, workspace, conversation, id: '' };
  const record = newMessage({ origin, sortKey: '', sentAtMs, text: '' });
  record.author = personOf(senderOf(row));
  record.call = readCall(row, sentAtMs);
  record.text = metaText(row, record);
  if (row.is_unsent === true || row.isUnsent === true) record.isDeleted = true;
  if (systemTypes.has(row.type)) record.systemEvent = row.type as string;
  const reactions = row.reactions === undefined ? [] : readReactions(row.reactions, personOf);
  if (reactions.length > 0) record.reactions = reactions;
  const custom = readCustom(row);
  if (hasMembers(custom)) record.custom = custom as NonNullable<MessageRecord['custom']>;
  return record;
}

function readCall(row: Row, startedAtMs: number): MessageRecord['call'] {
  const seconds = asCount(row.call_duration);
  if (seconds === undefined && row.type !== 'Call') return undefined;
  return { startedAtMs, ...(seconds && { endedAtMs: startedAtMs + seconds * 1000 }) };
}

function metaText(row: Row, record: NewMessage): string {
  const written = asRepaired(row.content ?? row.text) ?? '';
  if (written !== '' && meansMarkup(written, { isMarkup: false, isLineStart: true })) {
    record.lost = { accidentalMarkup: 1 };
  }
  if (record.call && written === '') return row.missed === true ? 'Missed call' : 'Call';
  return row.share === undefined ? written : withShare(written, asObject<MetaShare>(row.share) ?? {});
}

/** Adds the shared content below the comment about it. */
function withShare(written: string, share: Untrusted<MetaShare>): string {
  const owner = asRepaired(share.original_content_owner);
  const words = asRepaired(share.share_text);
  const link = asRepaired(share.link);
  const profile = [asRepaired(share.profile_share_name), asRepaired(share.profile_share_username)].filter(Boolean);
  const lines = [owner && bold(owner), profile.join(', '), words].filter(Boolean);
  const parts = [written, lines.length === 0 ? '' : quoted(lines.join('\n'))];
  if (link !== undefined && !written.includes(link) && words?.includes(link) !== true) parts.push(link);
  return parts.filter(Boolean).join('\n\n');
}

/** One line for each emoji. */
function readReactions(values: unknown, personOf: MessagePlace['personOf']): Reaction[] {
  const users = new Map<string, Set<string>>();
  for (const value of asArray(values)) {
    const { reaction, actor } = asObject<MetaReaction>(value) ?? {};
    const emoji = asRepaired(reaction);
    if (emoji === undefined) continue;
    users.set(emoji, (users.get(emoji) ?? new Set()).add(personOf(actor)));
  }
  return [...users].map(([emoji, who]) => ({ emoji, users: [...who], count: who.size }));
}

/** Small facts that have no field. */
function readCustom(row: Row): Record<string, unknown> {
  const custom: Record<string, unknown> = {};
  const type = asString(row.type);
  if (type !== undefined && !plainTypes.has(type) && !systemTypes.has(type)) custom.type = type;
  const users = asArray(row.users).flatMap((user) => asRepaired(asObject<{ name: string }>(user)?.name) ?? []);
  if (users.length > 0) custom.users = users;
  for (const key in row) {
    if (known.has(key)) continue;
    const value = row[key as keyof Row];
    if (!isNothing(value)) custom[key] = repairedAll(value);
  }
  const share = asObject<MetaShare>(row.share) ?? {};
  for (const key in share)
    if (!shareFields.has(key)) custom[`share.${key}`] = repairedAll(share[key as keyof MetaShare]);
  return custom;
}

const shareFields: ReadonlySet<string> = new Set([
  ...['link', 'share_text', 'original_content_owner', 'profile_share_username', 'profile_share_name'],
]);

/** Says that something is not. */
const isNothing = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.values(value).every(isNothing));

/** Returns its files; without a path if the row has none. */
export function listFiles(row: Row): NamedFile[] {
  const sticker = asObject<MetaMessage['sticker']>(row.sticker);
  return [
    ...(sticker ? [sticker, ...asArray(sticker.ai_stickers)].map((file) => namedFile(file, 'sticker')) : []),
    ...lists.flatMap(([key, kind]) => asArray(row[key]).map((file) => namedFile(file, kind))),
  ];
}

/** Lists of files, and the kind of those in them. */
const lists = [
  ...([
    ['photos', 'photo'],
    ['videos', 'video'],
    ['files', undefined],
    ['gifs', 'gif'],
    ['media', undefined],
  ] as const),
  ['audio_files', 'audio'],
] as const;

const namedFile = (file: unknown, kind: string | undefined): NamedFile => ({
  path: asRepaired(asObject<MetaFile>(file)?.uri) ?? '',
  kind,
});
