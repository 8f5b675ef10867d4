import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { SourceError } from '../../lib/errors.ts';
import { headOrNothing, inChunks } from '../kit/files/file-bytes.ts';
import { distinctPaths, type FileTogether } from '../kit/files/together.ts';
import { problemEntry } from '../kit/entries.ts';
import { firstOfClass, hasClass, type HtmlElement, readHtmlElements, wordsIn } from '../kit/text/html-elements.ts';

/** A folder of pages: `messages.html`, `messages2.html` and so on are of one chat. */
export interface PageChat {
  readonly id: string;
  readonly name: string;
  /** Id of the person whose name the chat has, if other chats have the same name: their names may come from other people. */
  readonly namesake: string | undefined;
}

/** By their folders. */
export type PageChats = ReadonlyMap<string, PageChat>;

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Returns whether an element is a part of a page: the head, which holds the name of the chat, or a message. */
export const isPart = (name: string, { class: kind = '' }: HtmlElement['attributes']): boolean =>
  name === 'div' && /(?:^|\s)(?:page_header|message)(?:\s|$)/.test(kind);

export const nameInHead = (head: HtmlElement): string => wordsIn(firstOfClass(head, 'text'));

/** Messages of one folder that are compared with those of another: some 10 MB. */
const comparedMax = 100_000;

/** Data about the pages of one input, known before they are read. */
export interface PageChatsOfInput {
  readonly chats: PageChats;
  readonly entries: readonly Entry[];
}

/** A folder of one input, and the pages in it. */
interface PageFolder extends FileTogether {
  readonly pages: readonly string[];
}

/**
 * Returns the chats of all pages before any page is read, by the keys of their inputs. The name identifies a chat.
 * Folders whose pages have the same name are one chat if a message of one is in the other (same id, same time): they
 * are two exports of it. Without a common message, they stay separate.
 *
 * @param inputs All that are read together.
 */
export async function chatsOfPages(
  inputs: readonly ExportInput[],
  pages: readonly FileTogether[],
): Promise<ReadonlyMap<string, PageChatsOfInput>> {
  const folders = groupByFolder(pages);
  const found = new Map(inputs.map(({ key }) => [key, { chats: new Map<string, PageChat>(), entries: [] as Entry[] }]));
  // Pages of a single folder need not be distinguished from others.
  if (folders.length < 2) return found;
  for (const [name, ofName] of await foldersByName(folders)) {
    const groups = ofName.length === 1 ? [ofName] : await groupPages(ofName);
    const isAlone = groups.length === 1;
    const parts = isAlone ? new Map<PageFolder, string>() : nameParts(inputs, ofName);
    for (const group of groups) {
      const id = isAlone ? name : `${name} (${parts.get(group[0]!)!})`;
      const chat = { id, name, namesake: isAlone ? undefined : id };
      for (const { input, path } of group) found.get(input.key)!.chats.set(path, chat);
    }
    if (isAlone) continue;
    const firsts = groups.map(([first]) => first!);
    found.get(firsts[0]!.input.key)!.entries.push(sameName(firsts, parts));
  }
  return found;
}

function groupByFolder(pages: readonly FileTogether[]): readonly PageFolder[] {
  const byFolder = Map.groupBy(pages, ({ input, path }) => JSON.stringify([input.key, folderOf(path)]));
  return [...byFolder.values()].map((list) => ({
    input: list[0]!.input,
    path: folderOf(list[0]!.path),
    pages: list.map(({ path }) => path),
  }));
}

/** Names on pages, and the folders that have one of each. */
async function foldersByName(folders: readonly PageFolder[]): Promise<ReadonlyMap<string, readonly PageFolder[]>> {
  const byName = new Map<string, PageFolder[]>();
  for (const folder of folders) {
    const names = new Set<string>();
    for (const page of folder.pages) names.add(await nameOnPage(folder.input, page));
    names.delete('');
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), folder]);
  }
  return byName;
}

/** @param firsts A folder of each chat. */
function sameName(firsts: readonly PageFolder[], parts: ReadonlyMap<PageFolder, string>): Entry {
  const folders = firsts.map((folder) => JSON.stringify(folder.path.slice(0, -1) || parts.get(folder))).slice(0, 5);
  const reason = `${firsts.length} folders have pages of a chat of the same name, and no message in common: each is a chat of its own (${folders.join(', ')})`;
  return problemEntry('telegram-same-name', reason, { path: firsts[0]!.pages[0]! });
}

/** Returns the distinguishing part of each folder's path: the path without the beginning that all of them share. */
function nameParts(inputs: readonly ExportInput[], folders: readonly PageFolder[]): ReadonlyMap<PageFolder, string> {
  const paths = distinctPaths(inputs, folders).map((path) => path.split('/'));
  let shared = 0;
  while (paths.every((path) => path[shared] === paths[0]![shared] && shared < path.length - 2)) shared += 1;
  return new Map(folders.map((folder, index) => [folder, paths[index]!.slice(shared, -1).join('/') || '.']));
}

/** Folders of one chat, and the messages in them. */
interface PageGroup {
  readonly folders: readonly PageFolder[];
  readonly messages: Set<string>;
}

/** Folders of one name, by chat: each with those that have a message of it. */
async function groupPages(folders: readonly PageFolder[]): Promise<readonly (readonly PageFolder[])[]> {
  let groups: readonly PageGroup[] = [];
  for (const folder of folders) {
    const messages = await messagesIn(folder);
    // Several, if this export has messages of exports that have none in common.
    const same = groups.filter((group) => !group.messages.isDisjointFrom(messages));
    for (const group of same) for (const message of group.messages) messages.add(message);
    const joined: PageGroup = { folders: [...same.flatMap((group) => group.folders), folder], messages };
    groups =
      same.length === 0
        ? [...groups, joined]
        : groups.flatMap((group) => (group === same[0] ? joined : same.includes(group) ? [] : group));
  }
  return groups.map((group) => group.folders);
}

/** Id and time of messages, as the pages write them. */
async function messagesIn({ input, pages }: PageFolder): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of pages)
    for await (const element of readElements(input, path)) {
      const time = firstOfClass(element, 'date')?.attributes.title;
      if (time !== undefined && element.attributes.id !== undefined) found.add(`${element.attributes.id} ${time}`);
      if (found.size >= comparedMax) return found;
    }
  return found;
}

/** The head of a page is at its top. */
const headBytes = 64 * 1024;

async function nameOnPage(input: ExportInput, path: string): Promise<string> {
  const head = await headOrNothing(input, path, headBytes);
  for await (const found of readHtmlElements(inChunks(head), isPart))
    for (const { element } of found) return hasClass(element, 'page_header') ? nameInHead(element) : '';
  return '';
}

/** Unreadable parts are reported when the page is read. */
async function* readElements(input: ExportInput, path: string): AsyncGenerator<HtmlElement> {
  try {
    for await (const found of readHtmlElements(input.open(path), isPart))
      for (const { element } of found) yield element;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}
