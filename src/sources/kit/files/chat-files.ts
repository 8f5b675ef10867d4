import type { ExportInput } from '../../../io/input/export-input.ts';
import type { Entry } from '../../../model/entry.ts';
import type { ReadContext } from '../../source.ts';
import { inLists } from '../entries.ts';
import { expectedText, expectFiles } from './expected-files.ts';
import { headText } from './file-bytes.ts';
import { leftOut, type SortedPaths, sortPaths, withoutClutter } from './paths.ts';
import { readRowFiles } from './read-files.ts';
import { distinctPaths, type FileTogether, surveyOnce } from './together.ts';

/** A file with a chat, and the title that it or its name says. */
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

interface ChatFilesOptions {
  /** Title of a chat whose file says none. */
  readonly conversation: string;
  /** `apart` and `together` take the question as answered. */
  readonly sameName: 'ask' | 'apart' | 'together';
}

/** Texts that are a chat each, and of which those of one title may be parts of one. */
export interface ChatFiles<File extends ChatFile> {
  readonly source: string;
  /** Names of files that may be chats. */
  readonly mayBe: RegExp;
  sortedPaths(input: ExportInput): Promise<SortedPaths<'chat'>>;
  file(input: ExportInput, path: string): File | Promise<File>;
  /** Files of one title in lists, one for each chat. */
  divide(files: readonly File[]): readonly (readonly File[])[] | Promise<readonly (readonly File[])[]>;
  readChat(
    input: ExportInput,
    path: string,
    chat: File & ChatName & { readonly workspace: string },
  ): AsyncIterable<readonly Entry[]>;
}

/** The entries of the chats of an export. Their names depend on all inputs that are read together. */
export async function* readChatFiles<File extends ChatFile>(
  exported: ExportInput,
  options: ChatFilesOptions,
  context: ReadContext,
  chats: ChatFiles<File>,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectTexts(exported, chats);
  const sorted = await chats.sortedPaths(input);
  yield* inLists(leftOut(sorted));
  const workspace = context.workspace ?? '';
  const names = (await readNames(context.inputs ?? [exported], options, chats)).get(exported.key)!;
  yield* readRowFiles({
    paths: sorted.of('chat'),
    context,
    read: (path) => chats.readChat(input, path, { ...names.get(path)!, workspace }),
  });
}

/** A chat has at least a line. */
const expectTexts = <File extends ChatFile>(exported: ExportInput, { mayBe }: ChatFiles<File>): ExportInput =>
  expectFiles(exported, (path) => (mayBe.test(path) ? expectedText : undefined));

type NamesByInput<File> = ReadonlyMap<string, ReadonlyMap<string, File & ChatName>>;

/** The names of the chats of all inputs, by the keys of the inputs and the paths in each. */
function readNames<File extends ChatFile>(
  inputs: readonly ExportInput[],
  { conversation, sameName }: ChatFilesOptions,
  chats: ChatFiles<File>,
): Promise<NamesByInput<File>> {
  return surveyOnce(inputs, JSON.stringify([chats.source, conversation, sameName]), async () => {
    const files: File[] = [];
    for (const exported of inputs) {
      const input = expectTexts(exported, chats);
      for (const path of (await chats.sortedPaths(input)).of('chat')) files.push(await chats.file(input, path));
    }
    const names = Map.groupBy(await chatNames(inputs, files, sameName, chats), ({ input }) => input.key);
    return new Map(inputs.map(({ key }) => [key, new Map(names.get(key)?.map((chat) => [chat.path, chat]))]));
  });
}

/** Files of one chat have its title as their id; if several chats have one title, each has its path in its id. */
async function chatNames<File extends ChatFile>(
  inputs: readonly ExportInput[],
  files: readonly File[],
  rule: ChatFilesOptions['sameName'],
  { divide }: ChatFiles<File>,
): Promise<readonly (File & ChatName)[]> {
  const names: (File & ChatName)[] = [];
  for (const [title, ofTitle] of Map.groupBy(files, (file) => file.title)) {
    const chats = ofTitle.length === 1 || rule === 'together' ? [ofTitle] : await divide(ofTitle);
    const isAlone = chats.length === 1;
    const paths = distinctPaths(inputs, ofTitle);
    const pathOf = new Map(ofTitle.map((file, index) => [file, paths[index]!]));
    for (const chat of chats) {
      const [first] = chat.map((file) => pathOf.get(file)!).sort();
      const id = isAlone ? title : `${title} (${first!})`;
      for (const file of chat) names.push({ ...file, id, isSameNameOpen: !isAlone && rule === 'ask' });
    }
  }
  return names;
}

/** Names and beginnings of files that are chats. */
interface ChatMarks {
  readonly mayBe: RegExp;
  /** As the app calls its files. */
  readonly named: RegExp;
  isChat(input: ExportInput, path: string): Promise<boolean>;
}

/** Files that are chats by their names or beginnings; a single text is one in any case. */
export async function sortChats(input: ExportInput, { mayBe, named, isChat }: ChatMarks): Promise<SortedPaths<'chat'>> {
  const paths = await input.paths();
  const candidates = textsIn(paths, mayBe);
  const chats = new Set<string>();
  for (const path of candidates)
    if (candidates.length === 1 || named.test(path) || (await isChat(input, path))) chats.add(path);
  return sortPaths(paths, (path) => (chats.has(path) ? 'chat' : undefined));
}

export const textsIn = (paths: readonly string[], mayBe: RegExp): readonly string[] =>
  withoutClutter(paths).own.filter((path) => mayBe.test(path));

/** The lines in the first 16 KiB; none if the file cannot be read. */
export async function firstLines(input: ExportInput, path: string): Promise<readonly string[]> {
  return (await headText(input, path, 16 * 1024)).split('\n').map((line) => line.replace(/\r$/, ''));
}
