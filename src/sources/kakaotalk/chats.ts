import type { ExportInput } from '../../io/input/export-input.ts';
import { withoutClutter } from '../kit/files/paths.ts';
import { SourceError } from '../../lib/errors.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { distinctPaths, type FileTogether } from '../kit/files/together.ts';
import { isSaved, isSelf, isTableHead, readLine, titleIn } from './format.ts';
import type { KnownNames } from './known-names.ts';
import type { KakaotalkOptions } from './options.ts';
import { rowsIn } from './read-rows.ts';

/** A chat, as far as it is known before its messages are read. */
export interface Chat extends ChatName {
  readonly workspace: string;
  readonly options: KakaotalkOptions;
  /** The title of a chat of two is the name of the other one. */
  readonly knownNames: KnownNames;
}

interface ChatName {
  readonly title: string;
  /** The title, unless others have it too. */
  readonly id: string;
  /** How many people are in it, where the file says it. */
  readonly people: number | undefined;
  /** Whether files of this name may be one chat. */
  readonly isSameNameOpen: boolean;
}

const headBytes = 16 * 1024;
/** Authors that tell a chat of two from a group. */
const authorsMax = 3;

/** Whether a file begins as a chat does: a title, when it was saved, or lines of messages. */
export async function isChat(input: ExportInput, path: string): Promise<boolean> {
  const lines = await firstLines(input, path);
  if (isTableHead(lines[0] ?? '')) return true;
  const isTitled = lines.slice(0, 5).some((line) => titleIn(line) !== undefined || isSaved(line));
  return isTitled && lines.some((line) => ['row', 'timed', 'day'].includes(readLine(line).kind));
}

async function firstLines(input: ExportInput, path: string): Promise<readonly string[]> {
  const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('utf8');
  return head.split('\n').map((line) => line.replace(/\r$/, ''));
}

/** A file with a chat, and what its first lines say. */
interface ChatFile extends FileTogether {
  readonly title: string;
  /** Number of the part, where a chat is in several files. */
  readonly part: string;
  readonly people: number | undefined;
}

/** @param fallback Name of a chat whose file says none. */
export async function chatFile(input: ExportInput, path: string, fallback: string): Promise<ChatFile> {
  const lines = (await firstLines(input, path)).slice(0, 5);
  const first = lines.find((line) => titleIn(line) !== undefined);
  const title = first === undefined ? undefined : titleIn(first);
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:txt|csv)$/i, '');
  const part = /-(\d+)(?:\.txt)?$/.exec(first ?? file)?.[1] ?? '';
  return { input, path, title: title?.name ?? (fallback || file), part, people: title?.people };
}

/** The name of each chat: parts with different numbers are one; other files of one title stay apart, and the user is asked. */
export function chatNames(
  inputs: readonly ExportInput[],
  files: readonly ChatFile[],
  rule: KakaotalkOptions['sameName'],
): ReadonlyMap<ChatFile, ChatName> {
  const names = new Map<ChatFile, ChatName>();
  for (const [title, ofTitle] of Map.groupBy(files, (file) => file.title)) {
    const areParts =
      ofTitle.every(({ part }) => part !== '') && new Set(ofTitle.map(({ part }) => part)).size === ofTitle.length;
    const isOne = ofTitle.length === 1 || rule === 'together' || (areParts && rule !== 'apart');
    const paths = distinctPaths(inputs, ofTitle);
    for (const [index, file] of ofTitle.entries()) {
      const id = isOne ? title : `${title} (${paths[index]!})`;
      names.set(file, { title, id, people: file.people, isSameNameOpen: !isOne && rule === 'ask' });
    }
  }
  return names;
}

/** A chat of two has the name of the other one, who writes in it with nobody else but oneself. */
export async function partnerOf(
  input: ExportInput,
  path: string,
  { title, id, people, knownNames }: Chat,
): Promise<string | undefined> {
  if (id !== title || (people !== undefined && people !== 2)) return undefined;
  const authors = new Set<string>();
  try {
    for await (const rows of rowsIn(input, path, knownNames))
      for (const { line } of rows) {
        if (line.kind === 'row' || line.kind === 'timed') authors.add(line.author ?? title);
        if (authors.size > authorsMax) return undefined;
      }
  } catch (error) {
    // Reading it says why.
    if (error instanceof SourceError) return undefined;
    throw error;
  }
  const others = [...authors].filter((author) => !isSelf(author) && author !== title);
  return authors.has(title) && others.length === 0 ? title : undefined;
}

export const candidatesOf = (paths: readonly string[]): readonly string[] =>
  withoutClutter(paths).own.filter((path) => mayBe.test(path));

export const mayBe = /\.(?:txt|csv)$/i;
