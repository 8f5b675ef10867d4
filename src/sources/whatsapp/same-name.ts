import type { ChatFile } from '../kit/files/chat-files.ts';
import { readTextLines, untilUnreadable } from '../kit/rows/text-lines.ts';
import { plain, readHead } from './format.ts';
import { findEvent } from './words.ts';

/** Messages of the beginning of a file that another export of the same chat is looked for. */
const sampleMax = 30;
/** So many must be the same: one greeting may have been sent to several chats. */
const commonMin = 3;
/** A row of more files says nothing. */
const ownersMax = 20;

/**
 * The files of one title in lists, one for each chat. If two have fewer than three messages in common, they may be two chats. Exports of one
 * chat from different years have messages in common.
 *
 * Reads files twice; memory: thirty messages of each.
 */
export async function chatsAmong(files: readonly ChatFile[]): Promise<readonly (readonly ChatFile[])[]> {
  const owners = new Map<string, Set<ChatFile>>();
  for (const file of files) {
    let count = 0;
    for await (const row of readTexts(file)) {
      const known = owners.get(row) ?? new Set();
      owners.set(row, known.add(file));
      count += 1;
      if (count >= sampleMax) break;
    }
  }
  const chatOf = new Map(files.map((file) => [file, new Set([file])]));
  for (const file of files) {
    const common = new Map<ChatFile, Set<string>>();
    for await (const row of readTexts(file)) noteCommon(row, owners.get(row), common);
    for (const [owner, rows] of common) if (rows.size >= commonMin) join(chatOf, file, owner);
  }
  return [...new Set(chatOf.values())].map((chat) => [...chat]);
}

function noteCommon(row: string, owners: ReadonlySet<ChatFile> | undefined, common: Map<ChatFile, Set<string>>): void {
  if (!owners || owners.size > ownersMax) return;
  for (const owner of owners) {
    const rows = common.get(owner) ?? new Set();
    if (rows.size < commonMin) common.set(owner, rows.add(row));
  }
}

function join(chatOf: Map<ChatFile, Set<ChatFile>>, one: ChatFile, other: ChatFile): void {
  const [chat, added] = [chatOf.get(one)!, chatOf.get(other)!];
  if (chat === added) return;
  for (const file of added) {
    chat.add(file);
    chatOf.set(file, chat);
  }
}

/** First lines of messages, with their times, without the one that says that the chat is encrypted, which every chat has. */
async function* readTexts({ input, path }: ChatFile): AsyncGenerator<string> {
  for await (const lines of untilUnreadable(readTextLines(input, path)))
    for (const { text } of lines) {
      const head = readHead(text);
      if (!head || findEvent(head.rest.slice(0, 300)) === 'encryption') continue;
      yield `${head.date.join(' ')} ${head.secondOfDay} ${plain(head.rest)}`;
    }
}
