import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists, problemEntry, recordEntry } from '../kit/entries.ts';
import { decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { asObject } from '../kit/narrow.ts';
import { leftOut, type PathVerdict, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { GroupFiles } from './files.ts';
import type { ChatGroup, ChatPerson } from './format.ts';
import { readHangouts } from './hangouts-file.ts';
import { readMessages } from './message-file.ts';
import { groupIdOf, readGroup, readUser } from './people.ts';

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

const headBytes = 16 * 1024;

const infoBytesMax = 16 * 2 ** 20;

type Kind = 'messages' | 'group' | 'user' | 'hangouts';

/** Returns the content of a file outside the usual folders, by its keys. */
function looseKind({ head, outline }: FileOutline): Kind | undefined {
  if (head.includes('"message_id"') && head.includes('"topic_id"')) return 'messages';
  if (head.includes('"participant_data"')) return 'hangouts';
  for (const [, keys] of outline) {
    if (keys.has('message_id') && keys.has('topic_id')) return 'messages';
    if (keys.has('participant_data')) return 'hangouts';
  }
  return undefined;
}

/** Recognises folders by their content, because their names are in the language of the account. */
async function arrange(input: ExportInput) {
  const paths = await input.paths();
  const groups = new Set(paths.filter((path) => /(?:^|\/)(?:messages|group_info)\.json$/.test(path)).map(folderOf));
  const loose = new Map<string, Kind>();
  for (const path of paths.filter((one) => /^[^/]+\.json$/i.test(one)).slice(0, 1000)) {
    const kind = await decideByOutline(input, path, headBytes, looseKind);
    if (kind !== undefined) loose.set(path, kind);
  }
  return sortPaths(paths, (path): PathVerdict<Kind> => {
    if (/(?:^|\/)Hangouts\.json$/.test(path)) return 'hangouts';
    if (/(?:^|\/)messages\.json$/.test(path)) return 'messages';
    if (loose.has(path)) return loose.get(path);
    if (/(?:^|\/)group_info\.json$/.test(path)) return 'group';
    if (/(?:^|\/)user_info\.json$/.test(path)) return 'user';
    const folder = folderOf(path);
    if (groups.has(folder)) return { skip: 'File of a message, which names it' };
    if (/(?:^|\/)archive_browser\.html$/.test(path))
      return { skip: 'Table of contents of the download; holds no messages' };
    return /^Takeout\/(?!Google Chat\/)/.test(path)
      ? { skip: 'Another part of the download; holds no messages' }
      : undefined;
  });
}

export const read: ReadSource = async function* (input, _options, context) {
  const sorted = await arrange(input);
  yield* inLists(leftOut(sorted));
  const shared = (kind: Kind, entriesOf: (path: string, value: unknown) => Entry[]) =>
    readSharedFiles({
      paths: sorted.of(kind),
      context,
      read: async function* (path) {
        yield entriesOf(path, await readInfo(input, path));
      },
    });
  yield* shared('user', userEntries);
  yield* shared('group', (path, value) => groupEntries(path, value, path.split('/').at(-2) ?? input.label));
  const inFolder = Map.groupBy(await input.paths(), folderOf);
  const files = await localFiles(input);
  const workspace = context.workspace ?? '';
  yield* readRowFiles({
    paths: sorted.of('messages'),
    context,
    read: (path) => {
      const folder = folderOf(path);
      return readMessages(input, { path, workspace, files: new GroupFiles(folder, inFolder.get(folder) ?? [], files) });
    },
  });
  yield* readRowFiles({
    paths: sorted.of('hangouts'),
    context,
    read: (path) => readHangouts(input, path, workspace),
  });
};

/**
 * @returns undefined if it is not JSON.
 */
async function readInfo(input: ExportInput, path: string): Promise<unknown> {
  const text = Buffer.from(await input.read(path, infoBytesMax)).toString('utf8');
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function userEntries(path: string, value: unknown): Entry[] {
  const user = readUser(asObject<ChatPerson>(asObject<{ user: ChatPerson }>(value)?.user) ?? {});
  if (user) return [recordEntry(user, { path, pointer: '/user' })];
  return [problemEntry('user-without-id', 'Expected an address or a name in "user", found none', { path })];
}

/** @param folder Of the space: its name ends with the id. */
function groupEntries(path: string, value: unknown, folder: string): Entry[] {
  const info = asObject<ChatGroup>(value);
  if (!info) return [problemEntry('json-syntax', 'Cannot read this file: expected an object of JSON', { path })];
  const { group, people } = readGroup(info, groupIdOf(folder));
  return [...people.map((user) => recordEntry(user, { path, pointer: '/members' })), recordEntry(group, { path })];
}
