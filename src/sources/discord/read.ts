import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { type ExpectedFile, expectedJson, expectedJsonLines, expectFiles } from '../kit/files/expected-files.ts';
import { localFiles, type LocalFiles } from '../kit/files/local-files.ts';
import { leftOut, type PathVerdict, sortPaths } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { ApiDirectory, type ApiList, apiLists } from './api-directory.ts';
import { parseApiPath, readApiList, readApiMessages } from './api-file.ts';
import { type ExportContext, readChannelFile } from './channel-file.ts';
import { readChannelPage } from './channel-page.ts';
import { readChannelTable } from './channel-table.ts';
import type { DiscordOptions } from './options.ts';
import { readOwnMessages } from './own-messages.ts';
import { channelFacts, ownMessages } from './format.ts';
import { readPackage } from './package.ts';

type Kind = 'channel' | 'table' | 'page' | 'own' | 'facts' | 'messages' | ApiList;

/** Returns a function that decides how each file of an export is used. A single file may have any name. */
function sorter(paths: readonly string[]): (path: string) => PathVerdict<Kind> {
  const all = new Set(paths);
  const own = paths.find((path) => ownMessages.test(path) && all.has(`${folderOf(path)}channel.json`));
  // The folder of the messages, and of the package around it.
  const messages = own && folderOf(folderOf(own).slice(0, -1));
  const top = folderOf((messages ?? '').slice(0, -1));
  return (path) => {
    if (messages !== undefined && path.startsWith(top)) {
      if (ownMessages.test(path)) return 'own';
      const isOfAccount = /^[^/]+\/user\.json$/.test(path.slice(top.length));
      return channelFacts.test(path) || path === `${messages}index.json` || isOfAccount ? 'facts' : noMessages;
    }
    const rows = parseApiPath(path);
    if (rows !== undefined) return rows.list;
    if (/_Files\/[^/]+$/.test(path)) return copies;
    if (/\.csv$/i.test(path)) return 'table';
    if (/\.html?$/i.test(path)) return 'page';
    return paths.length === 1 || /\.json$/i.test(path) ? 'channel' : undefined;
  };
}

/** With its slash; empty at the top. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const copies = { skip: 'Copy of a file, an avatar or an emoji; messages name those that they have' };

const noMessages = { skip: 'Part of the data package that holds no messages' };

const expectedPage: ExpectedFile = { what: 'a page of DiscordChatExporter', begins: /chatlog|preamble/i };

const expectedTable: ExpectedFile = { what: 'a table of messages', begins: /^[^\n]{0,1000}(?:Date|Timestamp)/ };

function expected(path: string): ExpectedFile | undefined {
  if (/\.csv$/i.test(path)) return expectedTable;
  if (/\.html?$/i.test(path)) return expectedPage;
  if (parseApiPath(path)) return expectedJsonLines;
  return /\.json$/i.test(path) ? expectedJson : undefined;
}

export const read: ReadSource<DiscordOptions> = async function* (exported, options, context) {
  const { signal, workspace = '' } = context;
  const input = expectFiles(exported, expected);
  const paths = await input.paths();
  const sorted = sortPaths(paths, sorter(paths));
  const facts = await readPackage(input, sorted.of('facts'), { account: options.account, signal });
  yield* readSharedFiles({ paths: sorted.of('facts'), context, read: (path) => [facts.entriesOf(path)] });
  const directory = new ApiDirectory(options);
  const list = (path: string) => readApiList(input, path, directory);
  const lists = apiLists.flatMap((kind) => sorted.of(kind));
  const closing: Entry[] = [];
  for await (const entries of readSharedFiles({ paths: lists, context, read: list })) {
    for (const entry of entries) if (entry.type === 'file') closing.push(entry);
    yield entries.filter(({ type }) => type !== 'file');
  }
  // A conversation is described once all lists were read: its category and its server are in others.
  const written = new Map(sorted.of('messages').map((path) => [parseApiPath(path)!.id, lists[0] ?? path]));
  yield* inLists(directory.conversations(written));
  yield closing;
  yield* inLists(leftOut(sorted));
  const shared: ExportContext = { ...options, workspace, paths: sorted.of('channel'), filesBeside: filesBeside(input) };
  const channel = (path: string) => readChannelFile(input, path, shared);
  const table = (path: string) => readChannelTable(input, path, shared);
  const page = (path: string) => readChannelPage(input, path, shared);
  yield* readRowFiles({ paths: sorted.of('channel'), context, read: channel });
  yield* readRowFiles({ paths: sorted.of('table'), context, read: table });
  yield* readRowFiles({ paths: sorted.of('page'), context, read: page });
  const rows = (path: string) => readApiMessages(input, path, { directory, workspace });
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: rows });
  const own = (path: string) => readOwnMessages(input, path, { facts, workspace });
  yield* readRowFiles({ paths: sorted.of('own'), context, read: own });
};

/** Those that messages name from the folder of their own file. */
function filesBeside(input: ExportInput): ExportContext['filesBeside'] {
  const found = new Map<string, Promise<LocalFiles>>();
  return (path) => {
    const folder = folderOf(path);
    const files = found.get(folder) ?? localFiles(input, folder);
    found.set(folder, files);
    return files;
  };
}
