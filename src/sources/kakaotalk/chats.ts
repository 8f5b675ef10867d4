import type { ExportInput } from '../../io/input/export-input.ts';
import { type ChatFile as TextFile, type ChatName, firstLines } from '../kit/files/chat-files.ts';
import { untilUnreadable } from '../kit/rows/text-lines.ts';
import { isHeadLine, isSelf, isTableHead, readLine, titleIn } from './format.ts';
import type { KnownNames } from './known-names.ts';
import type { KakaotalkOptions } from './options.ts';
import { rowsIn } from './read-rows.ts';

/** A chat, as far as it is known before its messages are read. */
export interface Chat extends ChatFile, ChatName {
  readonly workspace: string;
  readonly options: KakaotalkOptions;
  /** The title of a chat of two is the name of the other one. */
  readonly knownNames: KnownNames;
}

/** Authors that tell a chat of two from a group. */
const authorsMax = 3;

/** Whether a file begins as a chat does: a title, when it was saved, or lines of messages. */
export async function isChat(input: ExportInput, path: string): Promise<boolean> {
  const lines = await firstLines(input, path);
  if (isTableHead(lines[0] ?? '')) return true;
  const isTitled = lines.slice(0, 5).some((line) => isHeadLine(line));
  return isTitled && lines.some((line) => ['row', 'timed', 'day'].includes(readLine(line).kind));
}

/** A file with a chat, and what its first lines say. */
interface ChatFile extends TextFile {
  /** Number of the part, where a chat is in several files. */
  readonly part: string;
  /** How many people are in it, where the file says it. */
  readonly people: number | undefined;
}

/** @param fallback Name of a chat whose file says none. */
export async function chatFile(input: ExportInput, path: string, fallback: string): Promise<ChatFile> {
  const lines = (await firstLines(input, path)).slice(0, 5);
  const first = lines.find((line) => titleIn(line) !== undefined);
  const title = first === undefined ? undefined : titleIn(first);
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:txt|csv)$/i, '');
  const part = /-(\d+)(?:\.txt)?$/.exec(first ?? file)?.[1] ?? '';
  const name = title?.name ?? (fallback || file.replace(/^(Talk_.+)-\d+$/, '$1'));
  return { input, path, title: name, part, people: title?.people };
}

/** Parts with different numbers are one chat; other files of one title are different ones, and the user is asked. */
export function divide(
  files: readonly ChatFile[],
  rule: KakaotalkOptions['sameName'],
): readonly (readonly ChatFile[])[] {
  const numbers = new Set(files.map(({ part }) => part));
  const areParts = !numbers.has('') && numbers.size === files.length;
  return areParts && rule !== 'apart' ? [files] : files.map((file) => [file]);
}

/** A chat of two has the name of the other one, who writes in it with nobody else but oneself. */
export async function findPartner(
  input: ExportInput,
  path: string,
  { title, id, people, knownNames }: Chat,
): Promise<string | undefined> {
  if (id !== title || (people !== undefined && people !== 2)) return undefined;
  const authors = new Set<string>();
  for await (const rows of untilUnreadable(rowsIn(input, path, knownNames)))
    for (const { line } of rows) {
      if (line.kind === 'row' || line.kind === 'timed') authors.add(line.author ?? title);
      if (authors.size > authorsMax) return undefined;
    }
  const others = [...authors].filter((author) => !isSelf(author) && author !== title);
  return authors.has(title) && others.length === 0 ? title : undefined;
}

export const mayBe = /\.(?:txt|csv)$/i;
