import type { ExportInput } from '../../io/input/export-input.ts';
import { asBuffer } from '../../io/bytes.ts';
import { parseJsonHead } from '../../io/json/json-head.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { asId, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import type { DiscordChannel, DiscordExport, DiscordGuild } from './format.ts';

/** The conversation, and possibly the thread, that the messages of a file belong to. */
export interface Channel {
  readonly conversation: ConversationRecord;
  /** Set for a thread whose messages are replies in its channel. */
  readonly thread?: { readonly id: string; readonly name: string };
  /** Whether other files say more of the conversation. */
  readonly isDescribedElsewhere: boolean;
}

/** Epoch ms of an instant with its offset; what is finer than that is left out. */
export function parseInstant(value: unknown): number | undefined {
  if (typeof value !== 'string' || !instantPattern.test(value)) return undefined;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : atMs;
}

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Before its messages a file has some hundred bytes; a topic has 4,096 letters at most. */
const headBytes = 64 * 1024;

/**
 * Returns the fields of a file before its messages, if it is JSON that begins with them.
 *
 * @throws SourceError if the file cannot be read.
 */
export async function readHead(input: ExportInput, path: string): Promise<Untrusted<DiscordExport> | undefined> {
  const bytes = asBuffer(await input.head(path, headBytes));
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb;
  // Inside a text value, this key would have backslashes. The JSON after it may be broken.
  const messages = /"messages"\s{0,20}:\s{0,20}\[/.exec(bytes.toString('latin1'));
  const end = messages ? messages.index + messages[0].length : bytes.length;
  return asObject<DiscordExport>(parseJsonHead(bytes.subarray(isMarked ? 3 : 0, end))?.value);
}

const types: Readonly<Record<string, ConversationRecord['type']>> = {
  DirectTextChat: 'direct',
  DirectGroupTextChat: 'group-direct',
};

/** Threads that everybody in their channel may read. A private one has people of its own. */
const openThreads = new Set(['GuildPublicThread', 'GuildNewsThread']);

/**
 * Returns the channel of a file. Channels are private: nothing in an export shows who may read them.
 *
 * @param paths Paths of the export: a thread describes its channel if no file is named after the channel.
 * @returns undefined if the file does not name its channel.
 */
export function readChannel(
  head: Untrusted<DiscordExport> | undefined,
  threads: 'replies' | 'conversations',
  paths: readonly string[],
): Channel | undefined {
  const channel = asObject<DiscordChannel>(head?.channel);
  const id = asId(channel?.id);
  if (channel === undefined || id === undefined) return undefined;
  const guild = asObject<DiscordGuild>(head?.guild);
  const type = types[asString(channel.type) ?? ''] ?? 'private';
  const server = type === 'private' ? asString(guild?.name) : undefined;
  const parent = asId(channel.categoryId);
  const name = asString(channel.name) ?? id;
  if (threads === 'replies' && parent !== undefined && openThreads.has(asWord(channel.type))) {
    const conversation = {
      kind: 'conversation',
      id: parent,
      type,
      name: asString(channel.category) ?? parent,
    } as const;
    return {
      conversation: { ...conversation, ...(server !== undefined && { metadata: { server } }), members: [] },
      thread: { id, name },
      isDescribedElsewhere: paths.some((path) => path.includes(parent) && path.endsWith('.json')),
    };
  }
  const category = type === 'private' ? asString(channel.category) : undefined;
  const topic = asString(channel.topic);
  const iconUrl = asString(channel.iconUrl);
  const metadata = { ...(server !== undefined && { server }), ...(category !== undefined && { category }) };
  return {
    conversation: {
      kind: 'conversation',
      id,
      type,
      name: type === 'direct' ? '' : name,
      ...(topic !== undefined && { topic }),
      ...(iconUrl !== undefined && { iconUrl }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      members: [],
    },
    isDescribedElsewhere: false,
  };
}

/**
 * Returns the channel according to the file name, if nothing else names it: `Harbour - Piers - general
 * [1477000000000000100] [part 2].csv`. Without an id, the name serves as the id.
 */
export function channelByName(path: string): Channel {
  const words = path
    .split('/')
    .at(-1)!
    .replace(/\.[a-z]{1,5}$/i, '')
    .replace(/ \[part \d{1,9}\]$/, '');
  const id = / \[(\d{1,20})\]$/.exec(words)?.[1];
  const names = (id === undefined ? words : words.slice(0, -id.length - 3)).split(' - ');
  const name = names.at(-1)!;
  const isDirect = names.length > 2 && names[0] === 'Direct Messages';
  const type = !isDirect ? 'private' : names[1] === 'Group' ? 'group-direct' : 'direct';
  const metadata = !isDirect && names.length > 1 && { metadata: { server: names[0]! } };
  return {
    conversation: {
      kind: 'conversation',
      id: id ?? words,
      type,
      name: type === 'direct' ? '' : name,
      ...metadata,
      members: [],
    },
    isDescribedElsewhere: false,
  };
}
