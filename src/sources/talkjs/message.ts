import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment, Reaction } from '../../model/records.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { asArray, asCount, asNumber, asObject, asString, asStrings, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type TalkjsBlock, type TalkjsMessage, timeOf } from './format.ts';
import { writeMarkdown, typedText } from './text.ts';
import { shownEmoji } from '../kit/text/emoji.ts';

type Row = Untrusted<TalkjsMessage>;

interface MessagePlace {
  readonly workspace: string;
  readonly sortKey: string;
  readonly counts: CountedProblems;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Row, { workspace, sortKey, counts }: MessagePlace): NewMessage | RowProblem {
  const id = asString(row.id);
  const conversation = asString(row.conversationId);
  const sentAtMs = timeOf(row.createdAt);
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  if (conversation === undefined) return fieldProblem('talkjs-no-conversation', '"conversationId"', row.conversationId);
  if (sentAtMs === undefined) return fieldProblem('talkjs-bad-time', '"createdAt" in milliseconds', row.createdAt);
  const { text, files, mentions } = readContent(row);
  const editedAtMs = timeOf(row.editedAt);
  counts.add('talkjs-not-migrated', 'read marks', asStrings(row.readBy).length);
  return newMessage({
    origin: { source: 'talkjs', workspace, conversation, id },
    sortKey,
    sentAtMs,
    text,
    author: asString(row.senderId),
    mentions: [...new Set(mentions)],
    attachments: files,
    reactions: readReactions(row.reactions, counts),
    quoteOf: asString(row.referencedMessageId),
    edited: editedAtMs === undefined ? undefined : { atMs: editedAtMs },
    systemEvent: row.type === 'SystemMessage' ? row.type : undefined,
    custom: { ...asObject<Record<string, never>>(row.custom), ...readOrigin(row.origin) } as Record<string, never>,
  });
}

/** How it was sent, if not by a person in the chat. */
const readOrigin = (origin: unknown): Record<string, string> =>
  typeof origin === 'string' && origin !== 'web' ? { origin } : {};

interface Content {
  readonly text: string;
  readonly files: Attachment[];
  readonly mentions: string[];
}

function readContent(row: Row): Content {
  const mentions: string[] = [];
  const files: Attachment[] = [];
  const texts: string[] = [];
  for (const value of asArray(row.content)) {
    const block = asObject<TalkjsBlock>(value) ?? {};
    if (block.type === 'file') files.push(readFile(block));
    else if (block.type === 'location') texts.push(placeText(block.latitude, block.longitude));
    else texts.push(writeMarkdown(block.children, mentions).trimEnd());
  }
  const shown = texts.filter(Boolean);
  if (shown.length > 0 || files.length > 0) return { text: shown.join('\n\n'), files, mentions };
  const text = typeof row.text === 'string' ? typedText(row.text) : '';
  const attachment = asObject<TalkjsBlock>(row.attachment);
  if (attachment !== undefined) files.push(readFile(attachment));
  const [latitude, longitude] = asArray(row.location);
  const where = latitude === undefined ? '' : placeText(latitude, longitude);
  return { text: [text, where].filter(Boolean).join('\n\n'), files, mentions };
}

const placeText = (latitude: unknown, longitude: unknown): string =>
  `Location: (${asNumber(latitude)}, ${asNumber(longitude)})`;

function readFile(block: Untrusted<TalkjsBlock>): Attachment {
  const url = asString(block.url);
  const name =
    asString(block.filename) ??
    url
      ?.replace(/[?#].*/s, '')
      .split('/')
      .at(-1);
  return {
    name: name || 'file',
    kind: asString(block.subtype),
    ...(url === undefined ? { unavailable: 'not-in-export' } : { url }),
    sizeBytes: asCount(block.size),
  };
}

/** Whatever is under an emoji: a list of ids of people, or an object with their ids as keys. */
function readReactions(value: unknown, counts: CountedProblems): Reaction[] {
  return Object.entries(asObject<Record<string, unknown>>(value) ?? {}).flatMap(([name, given]) => {
    const users = Array.isArray(given) ? asStrings(given) : Object.keys(asObject(given) ?? {});
    if (users.length === 0 || name === '') {
      counts.add('talkjs-not-migrated', 'reactions that name no people');
      return [];
    }
    const bare = name.replace(/^:(.+):$/, '$1');
    return [{ emoji: /^[\w+-]+$/.test(bare) ? shownEmoji(bare) : name, users, count: users.length }];
  });
}
