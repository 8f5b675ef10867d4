import type { ExportInput } from '../../io/input/export-input.ts';
import { readTextLines } from '../kit/rows/text-lines.ts';
import { plain, readHead } from './format.ts';
import { eventOf } from './words.ts';

/** Messages of the beginning of a file that another export of the same chat is looked for. */
const sampleMax = 30;
/** So many must be the same: one greeting may have been sent to several chats. */
const commonMin = 3;
/** A row of more files says nothing. */
const ownersMax = 20;

/**
 * The id of each chat. It is the chat's name; if two files have one name and fewer than three messages in common, they may be two chats, and each
 * has its path in its id. Exports of one chat from different years have messages in common.
 *
 * Reads files of one name twice; memory: thirty messages of each.
 *
 * @param titles Names of chats by their paths.
 * @param rule `apart` and `together` take the question as answered.
 */
export async function chatIds(
  input: ExportInput,
  titles: ReadonlyMap<string, string>,
  rule: 'ask' | 'apart' | 'together',
): Promise<ReadonlyMap<string, { readonly id: string; readonly isOpen: boolean }>> {
  const ids = new Map<string, { readonly id: string; readonly isOpen: boolean }>();
  for (const [title, entries] of Map.groupBy(titles, ([, name]) => name)) {
    const paths = entries.map(([path]) => path);
    const chats = paths.length === 1 || rule === 'together' ? [paths] : await chatsAmong(input, paths);
    for (const chat of chats) {
      const isAlone = chats.length === 1;
      const id = isAlone ? title : `${title} (${chat[0]!})`;
      for (const path of chat) ids.set(path, { id, isOpen: !isAlone && rule === 'ask' });
    }
  }
  return ids;
}

/** The files in lists, one for each chat: those that share messages are of one. */
async function chatsAmong(input: ExportInput, paths: readonly string[]): Promise<readonly (readonly string[])[]> {
  const owners = new Map<string, Set<string>>();
  for (const path of paths) {
    let count = 0;
    for await (const row of rowsOf(input, path)) {
      const known = owners.get(row) ?? new Set();
      owners.set(row, known.add(path));
      count += 1;
      if (count >= sampleMax) break;
    }
  }
  const chatOf = new Map(paths.map((path) => [path, new Set([path])]));
  for (const path of paths) {
    const common = new Map<string, Set<string>>();
    for await (const row of rowsOf(input, path)) noteCommon(row, owners.get(row), common);
    for (const [owner, rows] of common) if (rows.size >= commonMin) join(chatOf, path, owner);
  }
  return [...new Set(chatOf.values())].map((chat) => [...chat].sort());
}

function noteCommon(row: string, owners: ReadonlySet<string> | undefined, common: Map<string, Set<string>>): void {
  if (!owners || owners.size > ownersMax) return;
  for (const owner of owners) {
    const rows = common.get(owner) ?? new Set();
    if (rows.size < commonMin) common.set(owner, rows.add(row));
  }
}

function join(chatOf: Map<string, Set<string>>, one: string, other: string): void {
  const [chat, added] = [chatOf.get(one)!, chatOf.get(other)!];
  if (chat === added) return;
  for (const path of added) {
    chat.add(path);
    chatOf.set(path, chat);
  }
}

/** First lines of messages, with their times; not that the chat is encrypted, which every chat says. */
async function* rowsOf(input: ExportInput, path: string): AsyncGenerator<string> {
  for await (const lines of readTextLines(input, path)) {
    for (const { text } of lines) {
      const head = readHead(text);
      if (!head || eventOf(head.rest.slice(0, 300)) === 'encryption') continue;
      yield `${head.date.join(' ')} ${head.secondOfDay} ${plain(head.rest)}`;
    }
  }
}
