import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { SourceError } from '../../lib/errors.ts';
import { headOrNothing, inChunks } from '../kit/files/file-bytes.ts';
import { problemEntry } from '../kit/entries.ts';
import { firstOfClass, hasClass, type HtmlElement, readHtmlElements, wordsIn } from '../kit/text/html-elements.ts';

/** A folder of pages: `messages.html`, `messages2.html` and so on are of one chat. */
export interface PageChat {
  readonly id: string;
  readonly name: string;
  /** Id of the person after whom the chat is called, if other chats are called the same: they may be called after somebody else. */
  readonly namesake: string | undefined;
}

/** By their folders. */
export type PageChats = ReadonlyMap<string, PageChat>;

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Of a page: its head, which has the name of the chat, and each message. */
export const isPart = (name: string, { class: kind = '' }: HtmlElement['attributes']): boolean =>
  name === 'div' && /(?:^|\s)(?:page_header|message)(?:\s|$)/.test(kind);

export const nameInHead = (head: HtmlElement): string => wordsIn(firstOfClass(head, 'text'));

/** Messages of one folder that are compared with those of another: some 10 MB. */
const comparedMax = 100_000;

/**
 * The chats of all pages, before any is read. A chat is called by its name. Folders whose pages have the same name are one chat if a
 * message of the one is in the other (same id, same time): two exports of it. Without that nothing tells, and they stay apart.
 */
export async function chatsOfPages(
  input: ExportInput,
  paths: readonly string[],
): Promise<{ readonly chats: PageChats; readonly entries: readonly Entry[] }> {
  const byName = new Map<string, Set<string>>();
  // Pages of one folder have no others to be told from.
  if (new Set(paths.map(folderOf)).size < 2) return { chats: new Map(), entries: [] };
  for (const path of paths) {
    const name = await nameOnPage(input, path);
    if (name !== '') byName.set(name, (byName.get(name) ?? new Set()).add(folderOf(path)));
  }
  const chats = new Map<string, PageChat>();
  const entries: Entry[] = [];
  for (const [name, folders] of byName) {
    const groups = folders.size === 1 ? [[...folders]] : await groupsOf(input, paths, [...folders]);
    for (const group of groups) {
      const isAlone = groups.length === 1;
      const id = isAlone ? name : `${name} (${partOf(group[0]!, [...folders])})`;
      for (const folder of group) chats.set(folder, { id, name, namesake: isAlone ? undefined : id });
    }
    if (groups.length > 1) entries.push(sameName(groups, paths));
  }
  return { chats, entries };
}

function sameName(groups: readonly (readonly string[])[], paths: readonly string[]): Entry {
  const folders = groups.map(([folder]) => JSON.stringify(folder!.slice(0, -1))).slice(0, 5);
  const reason = `${groups.length} folders have pages of a chat of the same name, and no message in common: each is a chat of its own (${folders.join(', ')})`;
  return problemEntry('telegram-same-name', reason, { path: paths.find((path) => folderOf(path) === groups[0]![0])! });
}

/** What tells a folder from the others: its path without what all of them begin with. */
function partOf(folder: string, folders: readonly string[]): string {
  const parts = folders.map((path) => path.split('/'));
  let shared = 0;
  while (parts.every((path) => path[shared] === parts[0]![shared] && shared < path.length - 2)) shared += 1;
  return folder.split('/').slice(shared, -1).join('/') || '.';
}

/** Folders of one name, by chat: each with those that have a message of it. */
async function groupsOf(
  input: ExportInput,
  paths: readonly string[],
  folders: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const groups: { readonly folders: string[]; readonly messages: Set<string> }[] = [];
  for (const folder of folders) {
    const messages = await messagesIn(
      input,
      paths.filter((path) => folderOf(path) === folder),
    );
    const group = groups.find((other) => !other.messages.isDisjointFrom(messages));
    if (group === undefined) groups.push({ folders: [folder], messages });
    else {
      group.folders.push(folder);
      for (const message of messages) group.messages.add(message);
    }
  }
  return groups.map((group) => group.folders);
}

/** Id and time of messages, as the pages write them. */
async function messagesIn(input: ExportInput, paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of paths)
    for await (const element of elementsOf(input, path)) {
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

/** What cannot be read is said when the page is. */
async function* elementsOf(input: ExportInput, path: string): AsyncGenerator<HtmlElement> {
  try {
    for await (const found of readHtmlElements(input.open(path), isPart))
      for (const { element } of found) yield element;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
}
