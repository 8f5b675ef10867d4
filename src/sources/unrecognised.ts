import type { ExportInput } from '../io/input/export-input.ts';
import { detectEncoding } from '../io/text-encoding.ts';
import { formatCount } from '../lib/text/count.ts';
import { oneLine, truncate } from '../lib/text/plain-text.ts';
import { headOrNothing } from './kit/files/file-bytes.ts';
import { withoutClutter } from './kit/files/paths.ts';
import { readOutline } from './kit/rows/json-outline.ts';
import { SourceError } from '../lib/errors.ts';
import { expectedByName, expectedText, foundInstead } from './kit/files/expected-files.ts';

/** Description of an export that no source recognises. */
export interface UnknownShape {
  /** `"a.json" is JSON (a list) in UTF-8 with "who", "said" and "at" in its objects`. */
  readonly words: string;
  /** The source with which a mapping could describe its files, if they may be tables. */
  readonly source: 'csv' | 'json' | undefined;
  /** The way on for a file that is no chat: a picture, a mail. */
  readonly advice: string | undefined;
  /** At most two, the nearest first: `matrix: no "event_id", "origin_server_ts"`. */
  readonly nearest: readonly string[];
}

/** Words by which a source knows its files. */
interface Hallmark {
  readonly source: string;
  /** Keys of objects of JSON, or columns: most of its messages have all. */
  readonly keys: readonly string[];
}

/** The distinctive fields of each format; texts of chats have a form in place of fields. */
const hallmarks: readonly Hallmark[] = [
  { source: 'slack', keys: ['type', 'user', 'text', 'ts'] },
  { source: 'discord', keys: ['guild', 'channel', 'messages', 'timestamp', 'content', 'author'] },
  { source: 'telegram', keys: ['name', 'type', 'id', 'messages', 'date_unixtime', 'from_id'] },
  { source: 'messenger', keys: ['participants', 'messages', 'sender_name', 'timestamp_ms', 'content'] },
  { source: 'instagram', keys: ['participants', 'messages', 'sender_name', 'timestamp_ms', 'content'] },
  { source: 'matrix', keys: ['event_id', 'sender', 'origin_server_ts', 'content', 'room_id', 'type'] },
  { source: 'mattermost', keys: ['type', 'version', 'post', 'channel', 'message', 'create_at'] },
  { source: 'rocketchat', keys: ['_id', 'rid', 'msg', 'ts', 'u'] },
  { source: 'zulip', keys: ['zerver_message', 'zerver_userprofile', 'sender', 'recipient', 'date_sent', 'content'] },
  { source: 'googlechat', keys: ['messages', 'creator', 'created_date', 'topic_id', 'message_id', 'text'] },
  { source: 'teams', keys: ['id', 'from', 'body', 'createdDateTime', 'messageType'] },
  { source: 'stream', keys: ['channel', 'messages', 'cid', 'text', 'user', 'created_at'] },
  { source: 'sendbird', keys: ['message_id', 'message', 'channel_url', 'user', 'created_at'] },
  { source: 'twilio', keys: ['sid', 'conversation_sid', 'author', 'body', 'date_created'] },
  { source: 'pubnub', keys: ['message', 'timetoken', 'uuid', 'message_type', 'actions'] },
  { source: 'talkjs', keys: ['conversationId', 'senderId', 'text', 'createdAt', 'readBy'] },
  { source: 'quickblox', keys: ['chat_dialog_id', 'date_sent', 'message', 'sender_id'] },
  { source: 'signal', keys: ['chatItem', 'recipient', 'conversationId', 'sent_at', 'body', 'type'] },
  { source: 'chatferry', keys: ['kind', 'origin', 'sentAtMs', 'text'] },
];

const headBytes = 64 * 1024;
const peeksMax = 20;
const shownMax = 8;
const nearestMax = 2;
const missingMax = 3;

/** Reads 64 KiB of at most twenty files: of the first with a text the words are made. */
export async function describeUnknown(input: ExportInput): Promise<UnknownShape> {
  const { own } = withoutClutter(await input.paths());
  if (own.some((path) => isOfDocument.test(path)))
    return { words: `"${oneLine(input.label)}" is ${office[0]}`, source: undefined, advice: office[1], nearest: [] };
  const likelyFirst = [...own].sort((a, b) => rankOf(a) - rankOf(b));
  let first: FileShape | undefined;
  for (const path of likelyFirst.slice(0, peeksMax)) {
    const shape = shapeOfFile(path, await headOrNothing(input, path, headBytes));
    first ??= shape;
    if (shape.keys.length > 0) return describeShape(shape, own.length);
  }
  return describeShape(first ?? { path: input.label, kind: 'no file', keys: [], source: undefined }, own.length);
}

const isText = /\.(?:json|jsonl|ndjson|csv|tsv|txt|log|md)$/i;
const isMedia = /\.(?:jpe?g|png|gif|webp|heic|mp4|mov|m4a|mp3|ogg|opus|pdf)$/i;

/** Files of texts first, files of messages last. */
const rankOf = (path: string): number => (isText.test(path) ? 0 : isMedia.test(path) ? 2 : 1);

interface FileShape {
  readonly path: string;
  readonly kind: string;
  /** For JSON, keys of the outermost objects first; for a table, its columns. */
  readonly keys: readonly string[];
  readonly source: UnknownShape['source'];
  /** Sources that are near by something else than fields. */
  readonly near?: readonly string[];
  readonly advice?: string;
}

const office = ['a document of Office', 'Save a table as CSV, or export the chat as text or JSON'] as const;

/** Parts by which an archive is a document. */
const isOfDocument = /^(?:word\/document\.xml|ppt\/presentation\.xml|content\.xml|OEBPS\/.*|Index\/Document\.iwa)$/;

/** Kinds of files that people take for exports, by their first bytes as Latin-1, and the way on. */
const foreignKinds: readonly (readonly [begin: RegExp, kind: string, advice: string])[] = [
  [/^%PDF-/, 'a PDF document', 'A PDF has pages, and no messages: export the chat as text, JSON or HTML'],
  [
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|....ftyp(?:hei|avif)|BM.{4}\0{4}|II\*\0|MM\0\*)/s,
    'a picture',
    'A picture of a chat has no messages that can be read: export the chat itself',
  ],
  [
    /^(?:....ftyp|RIFF....(?:AVI |WAVE)|\x1aE\xdf\xa3|ID3|OggS|fLaC|#!AMR|\xff[\xf1-\xfb])/s,
    'a film or a sound',
    'A film or a sound has no messages that can be read: export the chat itself',
  ],
  [
    /^(?:!BDN|From [^\s@]{1,200}@|(?:[A-Z][\w-]{0,60}: [^\n]{0,900}\n){0,20}(?:Received|Return-Path|Message-ID|MIME-Version|Subject): )/i,
    'a mail, or a mailbox',
    'Mails are no chat: export the conversations of the help desk or the app that they came from',
  ],
  [/^(?:\xd0\xcf\x11\xe0|\{\\rtf)/, ...office],
];

const pageAdvice =
  'If an app exported it, pass the whole folder or archive as the app made it; else export the chat as text or JSON';

/** Sources whose messages are lines of text. */
const textSources = [
  'whatsapp: no line begins with a time and a name, such as "[24.12.23, 18:30:05] Ann:"',
  'irc: no line of a log that is known, such as "[18:30] <ann> Hi"',
];

function shapeOfFile(path: string, head: Uint8Array): FileShape {
  if (head.length === 0) return { path, kind: 'empty, or cannot be read', keys: [], source: undefined };
  const latin1 = Buffer.from(head.subarray(0, 4096)).toString('latin1');
  const foreign = foreignKinds.find(([begin]) => begin.test(latin1));
  if (foreign) return { path, kind: foreign[1], keys: [], source: undefined, near: [], advice: foreign[2] };
  const { encoding } = detectEncoding(head);
  const text = new TextDecoder(encoding).decode(head);
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text.slice(0, 1000))) {
    const advice = 'Export the chat as text, JSON or HTML, with the app that wrote the file';
    return { path, kind: 'no text (binary)', keys: [], source: undefined, near: [], advice };
  }
  const inEncoding = `in ${encoding.toUpperCase()}`;
  if (/^\s*</.test(text))
    return { path, kind: `a page or XML ${inEncoding}`, keys: [], source: undefined, advice: pageAdvice };
  if (/^\s*[[{]/.test(text)) {
    const form = /^\s*\[/.test(text)
      ? 'a list'
      : /^\s*\{.*\}\s*\n\s*\{/.test(text)
        ? 'a value on each line'
        : 'an object';
    const keys = [...new Set([...readOutline(text).values()].flatMap((fields) => [...fields.keys()]))];
    return { path, kind: `JSON (${form}) ${inEncoding}`, keys, source: keys.length > 0 ? 'json' : undefined };
  }
  const columns = text
    .split(/\r?\n/, 1)[0]!
    .split(/[,;\t|]/)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  if (columns.length > 1 && /\.(?:csv|tsv)$/i.test(path))
    return { path, kind: `a table ${inEncoding}`, keys: columns, source: 'csv' };
  const begin = JSON.stringify(truncate(oneLine(text.slice(0, 80)).trim(), 40));
  return { path, kind: `text ${inEncoding} that begins ${begin}`, keys: [], source: undefined, near: textSources };
}

function describeShape({ path, kind, keys, source, near, advice }: FileShape, fileCount: number): UnknownShape {
  const among = fileCount > 1 ? `, one of ${formatCount(fileCount)} files,` : '';
  const rest = keys.length - shownMax;
  const more = rest > 0 ? ` and ${formatCount(rest)} more` : '';
  const fields = keys.length === 0 ? '' : ` with ${listed(keys.slice(0, shownMax))}${more}`;
  return { words: `"${oneLine(path)}"${among} is ${kind}${fields}`, source, advice, nearest: near ?? nearestTo(keys) };
}

/** Sources whose fields are there for the most part, and what is missing. */
function nearestTo(keys: readonly string[]): string[] {
  const have = new Set(keys);
  return hallmarks
    .map(({ source, keys: wanted }) => ({
      source,
      missing: wanted.filter((key) => !have.has(key)),
      count: wanted.length,
    }))
    .filter(({ missing, count }) => missing.length < count)
    .sort((a, b) => a.missing.length / a.count - b.missing.length / b.count)
    .slice(0, nearestMax)
    .map(({ source, missing }) =>
      missing.length === 0
        ? `${source}: its fields exist, but not in the places that it expects`
        : `${source}: no ${listed(missing.slice(0, missingMax))}`,
    );
}

const listed = (names: readonly string[]): string => names.map((name) => `"${truncate(oneLine(name), 40)}"`).join(', ');

const lostBytes = 4096;
const lostPeeksMax = 100;
const lostMax = 3;

/**
 * Lists files whose content does not match their names, for an export that no source recognises: `"import.jsonl"
 * (nothing but zeros)`. The first three, of the first hundred files with names of texts; empty if there are none.
 */
export async function lostFiles(input: ExportInput): Promise<string> {
  const found: string[] = [];
  const texts = (await input.paths()).filter((path) => /\.(?:json|jsonl|ndjson|csv|tsv|txt|md|log)$/i.test(path));
  for (const path of texts.slice(0, lostPeeksMax)) {
    const instead = await findInstead(input, path);
    if (instead !== undefined) found.push(`"${path}" (${instead})`);
    if (found.length === lostMax) break;
  }
  return found.join(', ');
}

async function findInstead(input: ExportInput, path: string): Promise<string | undefined> {
  try {
    const head = await input.head(path, lostBytes);
    return foundInstead(head, head.length < lostBytes, expectedByName(path) ?? expectedText);
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
}
