import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment, Reaction } from '../../model/records.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import {
  asArray,
  asCount,
  asId,
  asNumber,
  asObject,
  asString,
  pastSecondsToMs,
  type Untrusted,
} from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { bold, quoted } from '../kit/text/markdown.ts';
import { shownEmoji } from '../kit/text/emoji.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import { knownFields, type QuickbloxFile, type QuickbloxMessage } from './format.ts';

type Row = Untrusted<QuickbloxMessage>;

interface MessagePlace {
  readonly workspace: string;
  readonly sortKey: string;
  readonly counts: CountedProblems;
  readonly pins: ReadonlySet<string>;
}

const readIso = timeReader('iso', 'UTC');

/** Epoch milliseconds of a time in ISO 8601. */
export const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? readIso(value)?.atMs : undefined;

/** A row as a message, or why it is none. */
export function readMessage(row: Row, place: MessagePlace): NewMessage | RowProblem {
  const id = asString(row._id);
  const conversation = asString(row.chat_dialog_id);
  const sentAtMs = pastSecondsToMs(row.date_sent);
  if (id === undefined) return fieldProblem('missing-id', '"_id"', row._id);
  if (conversation === undefined) return fieldProblem('quickblox-no-dialog', '"chat_dialog_id"', row.chat_dialog_id);
  if (sentAtMs === undefined) return fieldProblem('quickblox-bad-time', '"date_sent" in seconds', row.date_sent);
  const originals = readOriginals(row);
  const notification = asId(row.notification_type);
  const editedAtMs = timeOf(row.edited_at);
  const others = Object.entries(row).filter(([key, value]) => !knownFields.has(key) && value !== null && value !== '');
  countLosses(row, place.counts);
  return newMessage({
    origin: { source: 'quickblox', workspace: place.workspace, conversation, id },
    // Ids grow with time.
    sortKey: /^[0-9a-f]{24}$/.test(id) ? id : place.sortKey,
    sentAtMs,
    text: [originals.quote, ownWords(row)].filter(Boolean).join('\n\n'),
    author: asId(row.sender_id),
    attachments: [...listFiles(row), ...originals.files].flatMap((file) => readFile(file) ?? []),
    reactions: readReactions(row.reactions),
    quoteOf: originals.quoteOf,
    edited: editedAtMs === undefined ? undefined : { atMs: editedAtMs },
    version: { changedAtMs: timeOf(row.updated_at) },
    systemEvent: notification === undefined || notification === '0' ? undefined : `notification ${notification}`,
    isPinned: place.pins.has(id),
    custom: Object.fromEntries(others) as Record<string, never>,
  });
}

/** The words without the marks of the UI Kits; those of a file are its name, in a form that only they know. */
function ownWords({ message }: Row): string {
  if (typeof message !== 'string' || /^MediaContentEntity\|/.test(message)) return '';
  return /^\[(?:Forwarded|Replied)_Message\]/.test(message) ? message.replace(/^\[\w{1,20}\]\s*/, '') : message;
}

/** Attachments; of a file that is in the text alone, its name, address and type. */
function listFiles({ attachments, message }: Row): readonly unknown[] {
  const files = asArray(attachments);
  if (files.length > 0 || ownWords({ message }) !== '' || typeof message !== 'string') return files;
  const [, name, url, type] = /^MediaContentEntity\|([^|]+)\|([^|]*)\|([^|]*)/.exec(message) ?? [];
  return name === undefined ? [] : [{ name, url, 'content-type': type }];
}

interface Originals {
  readonly quote: string;
  readonly quoteOf?: string | undefined;
  readonly files: readonly unknown[];
}

/** Messages in a forward or a reply. One that a reply of the same dialog answers is named; others are quoted, with who wrote them. */
function readOriginals(row: Row): Originals {
  const given = row.qb_original_messages;
  const rows = (typeof given === 'string' ? parseList(given) : asArray(given)).map(
    (one) => asObject<QuickbloxMessage>(one) ?? {},
  );
  const [first] = rows;
  if (row.qb_message_action === 'reply' && first?.chat_dialog_id === row.chat_dialog_id)
    return { quote: '', quoteOf: asString(first?._id), files: [] };
  const name = asString(row.origin_sender_name);
  const quotes = rows.flatMap((one) => {
    const who = name === undefined || one.sender_id !== first?.sender_id ? '' : bold(name);
    const said = [who, ownWords(one)].filter(Boolean).join('\n');
    return said === '' ? [] : quoted(said);
  });
  return { quote: quotes.join('\n\n'), files: rows.flatMap(listFiles) };
}

function parseList(json: string): readonly unknown[] {
  try {
    return asArray(JSON.parse(json));
  } catch {
    return [];
  }
}

function readReactions(value: unknown): Reaction[] {
  const total = asObject<Record<string, unknown>>(asObject<{ total: unknown }>(value)?.total) ?? {};
  return Object.entries(total).flatMap(([name, value]): Reaction[] => {
    const count = asCount(value) ?? 0;
    const emoji = /^[\w+-]+$/.test(name) ? shownEmoji(name) : name;
    return name === '' || count === 0 ? [] : [{ emoji, users: [], count }];
  });
}

function countLosses(row: Row, counts: CountedProblems): void {
  const receipts = new Set([...asArray(row.read_ids), ...asArray(row.delivered_ids)]);
  counts.add('quickblox-not-migrated', 'receipts', receipts.size);
  const views = asNumber((row as { readonly views_count?: unknown }).views_count);
  if (views > 0) counts.add('quickblox-not-migrated', 'views', Math.floor(views));
  if (asArray(row.deleted_for_ids).length > 0)
    counts.add('quickblox-deleted-for-some', 'messages that people deleted for themselves');
}

function readFile(value: unknown): Attachment | undefined {
  const file = asObject<QuickbloxFile & { readonly 'content-type': string }>(value);
  if (file === undefined) return undefined;
  const id = asId(file.id);
  const url = asString(file.url);
  const type = asString(file['content-type']) ?? asString(file.type);
  const isWeb = url !== undefined && /^https?:/.test(url);
  return {
    id,
    name: asString(file.name) ?? ([type, id].filter(Boolean).join(' ') || 'file'),
    ...(isWeb ? { url } : { unavailable: 'not-in-export' }),
    mimeType: asString(file['content-type']),
    kind: asString(file.type),
    sizeBytes: asCount(typeof file.size === 'string' ? Number(file.size) : file.size),
  };
}
