import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing, headText } from '../kit/files/file-bytes.ts';
import { type Head, plain, readHead } from './format.ts';
import { titlePrefixes } from './words.ts';

const chatFile = /^_chat(?: ?\(?\d{1,4}\)?)?\.txt$/i;
const headBytes = 8192;

const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Whether the name says so: `_chat.txt` of iOS, `WhatsApp Chat with Ann.txt` of Android. */
export const isNamedChat = (path: string): boolean =>
  chatFile.test(fileOf(path)) || (/whatsapp/i.test(fileOf(path)) && /\.txt$/i.test(path));

/** Messages that begin in the first lines of a file. */
export async function messagesAtStart(input: ExportInput, path: string): Promise<number> {
  const head = await headText(input, path, headBytes);
  const heads = head.split('\n').flatMap((line) => readHead(line.replace(/\r$/, '')) ?? []);
  return heads.filter((one) => one.rest.includes(':') && (isNamedChat(path) || isSure(one))).length;
}

/** Other programs write brackets without seconds, too. */
const isSure = ({ unknown, isIos, hasSeconds }: Head): boolean => unknown === '' && (!isIos || hasSeconds);

/**
 * Returns the chats among an export's files: those with the name of a chat and, in a folder without any, every text
 * that begins like one. Other texts next to a chat are files that people sent.
 */
export async function findChats(input: ExportInput): Promise<ReadonlySet<string>> {
  const texts = (await input.paths()).filter((path) => /\.txt$/i.test(path));
  const named = texts.filter(isNamedChat);
  const folders = new Set(named.map(folderOf));
  const chats = new Set(named);
  for (const path of texts) {
    if (folders.has(folderOf(path))) continue;
    const isUnreadable = (await headOrNothing(input, path, 1)).length === 0;
    if (isUnreadable || (await messagesAtStart(input, path)) > 0) chats.add(path);
  }
  return chats;
}

/**
 * Returns the title of a chat: from the file name on Android, else from the folder or archive of iOS. `_chat 2.txt` is
 * a different chat from `_chat.txt`. A number that a browser added to a name is not part of it.
 *
 * @param fallback For a single `_chat.txt`; without one, the name of its folder.
 */
export function findTitle(input: Pick<ExportInput, 'label' | 'key'>, path: string, fallback: string): string {
  const file = fileOf(path);
  if (!chatFile.test(file)) return withoutPrefix(file);
  const [, number = ''] = /(\d+)/.exec(file) ?? [];
  const folder = folderOf(path).split('/').at(-2);
  const outside = input.label === path ? fallback || lastFolder(input.key) : input.label;
  return [withoutPrefix(folder ?? outside), number].filter(Boolean).join(' ');
}

const lastFolder = (key: string): string => key.split(/[/\\]/).at(-2) || 'chat';

function withoutPrefix(name: string): string {
  const bare = plain(name.replace(/\.(?:txt|zip)$/i, '').replace(/\s?\(\d{1,3}\)$/, ''));
  const spaced = bare.replaceAll('_', ' ').toLowerCase();
  const prefix = titlePrefixes.find((words) => spaced.startsWith(words.toLowerCase()));
  if (prefix === undefined || prefix.length === bare.length) return bare;
  const title = bare.slice(prefix.length);
  return bare.startsWith(prefix) ? title : title.replaceAll('_', ' ').trim();
}
