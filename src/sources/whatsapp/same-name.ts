import type { ExportInput } from '../../io/input/export-input.ts';
import { distinctPaths, type FileTogether } from '../kit/files/together.ts';
import { SourceError } from '../../lib/errors.ts';
import { readTextLines } from '../kit/rows/text-lines.ts';
import { plain, readHead } from './format.ts';
import { eventOf } from './words.ts';

/** Messages of the beginning of a file that another export of the same chat is looked for. */
const sampleMax = 30;
/** So many must be the same: one greeting may have been sent to several chats. */
const commonMin = 3;
/** A row of more files says nothing. */
const ownersMax = 20;

/** A file with a chat, among those of all inputs. */
export interface ChatFile extends FileTogether {
  readonly title: string;
}

/** Name and id that distinguish a chat from others. */
export interface ChatName {
  readonly title: string;
  /** The title, unless others have it too. */
  readonly id: string;
  /** Whether chats of this name may be one. */
  readonly isSameNameOpen: boolean;
}

/**
 * The name of each chat. Its id is the title; if two files have one title and fewer than three messages in common, they may be two chats, and each
 * has its path in its id. Exports of one chat from different years have messages in common.
 *
 * Reads files of one title twice; memory: thirty messages of each.
 *
 * @param inputs All that are read together.
 * @param rule `apart` and `together` take the question as answered.
 */
export async function chatNames(
  inputs: readonly ExportInput[],
  files: readonly ChatFile[],
  rule: 'ask' | 'apart' | 'together',
): Promise<ReadonlyMap<ChatFile, ChatName>> {
  const names = new Map<ChatFile, ChatName>();
  for (const [title, ofTitle] of Map.groupBy(files, (file) => file.title)) {
    const chats = ofTitle.length === 1 || rule === 'together' ? [ofTitle] : await chatsAmong(ofTitle);
    const isAlone = chats.length === 1;
    const paths = distinctPaths(inputs, ofTitle);
    const pathOf = new Map(ofTitle.map((file, index) => [file, paths[index]!]));
    for (const chat of chats) {
      const [first] = chat.map((file) => pathOf.get(file)!).sort();
      const id = isAlone ? title : `${title} (${first!})`;
      for (const file of chat) names.set(file, { title, id, isSameNameOpen: !isAlone && rule === 'ask' });
    }
  }
  return names;
}

/** The files in lists, one for each chat: those that share messages are of one. */
async function chatsAmong(files: readonly ChatFile[]): Promise<readonly (readonly ChatFile[])[]> {
  const owners = new Map<string, Set<ChatFile>>();
  for (const file of files) {
    let count = 0;
    for await (const row of rowsOf(file)) {
      const known = owners.get(row) ?? new Set();
      owners.set(row, known.add(file));
      count += 1;
      if (count >= sampleMax) break;
    }
  }
  const chatOf = new Map(files.map((file) => [file, new Set([file])]));
  for (const file of files) {
    const common = new Map<ChatFile, Set<string>>();
    for await (const row of rowsOf(file)) noteCommon(row, owners.get(row), common);
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

/**
 * Yields first lines of messages, with their times. Omits the line that says that the chat is encrypted, which every
 * chat has. Ends if a file cannot be read: reading it reports the problem.
 */
async function* rowsOf({ input, path }: ChatFile): AsyncGenerator<string> {
  try {
    for await (const lines of readTextLines(input, path)) {
      for (const { text } of lines) {
        const head = readHead(text);
        if (!head || eventOf(head.rest.slice(0, 300)) === 'encryption') continue;
        yield `${head.date.join(' ')} ${head.secondOfDay} ${plain(head.rest)}`;
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}
