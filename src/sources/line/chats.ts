import type { ExportInput } from '../../io/input/export-input.ts';
import { type ChatFile as TextFile, type ChatName, firstLines } from '../kit/files/chat-files.ts';
import { isBanner, isSaved, readLine, titleIn } from './format.ts';
import type { LineOptions } from './options.ts';
import type { Survey } from './read-lines.ts';

/** A chat, as far as it is known before its messages are read. */
export interface Chat extends ChatFile, ChatName {
  readonly workspace: string;
  readonly options: LineOptions;
}

/** How surely a file is a chat: by its first line, by a day above a message, or not at all. */
export async function chatMatch(input: ExportInput, path: string): Promise<'certain' | 'likely' | 'no'> {
  const lines = await writtenLines(input, path);
  if (hasHead(lines)) return 'certain';
  const kinds = lines.map((line) => readLine(line.replace(/^\ufeff/, '')).kind);
  const isChat = kinds.some(
    (kind, at) =>
      (kind === 'day' || kind === 'slashed-day') && (kinds[at + 1] === 'columns' || kinds[at + 1] === 'spaced'),
  );
  return isChat ? 'likely' : 'no';
}

/** Whether a file begins with `[LINE]`, or a title and when it was saved. */
const hasHead = ([first = '', second = '']: readonly string[]): boolean =>
  isBanner(first) || (titleIn(first) !== undefined && isSaved(second));

const writtenLines = async (input: ExportInput, path: string): Promise<readonly string[]> =>
  (await firstLines(input, path)).filter((line) => line.trim() !== '');

/** A file with a chat, and what its first line says. */
interface ChatFile extends TextFile {
  readonly isGroup: boolean;
}

/** @param fallback Name of a chat whose file says none. */
export async function chatFile(input: ExportInput, path: string, fallback: string): Promise<ChatFile> {
  const lines = await writtenLines(input, path);
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.txt$/i, '');
  const title = hasHead(lines) ? titleIn(lines[0]!) : undefined;
  const named = title ?? (fallback ? { name: fallback, isGroup: false } : titleIn(file));
  return { input, path, title: named?.name ?? file, isGroup: named?.isGroup ?? false };
}

/** A chat of two has the name of the other one. @returns oneself and the other one; undefined for any other chat. */
export function findMembers(
  { title, id, isGroup, options: { me } }: Chat,
  { authors, hasColumns }: Survey,
): readonly [string, string] | undefined {
  if (id !== title || isGroup || !hasColumns) return undefined;
  const [other, another] = [...authors].filter((author) => author !== title);
  if (another !== undefined) return undefined;
  // Where one of them writes alone, oneself has to be known.
  if (authors.has(title) && other !== undefined) return [other, title];
  return me !== '' && me !== title && (other === undefined || other === me) ? [me, title] : undefined;
}

export const mayBe = /\.txt$|(?:^|\/)[^./]+$/i;
