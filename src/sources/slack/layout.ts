import type { ConversationRecord } from '../../model/records.ts';
import { withoutClutter, findWrapper } from '../kit/files/paths.ts';

/** A list of conversations and what it lists. */
export interface ConversationList {
  readonly path: string;
  readonly base: string;
  /** Undefined for the list of the API: its rows say it. */
  readonly type: ConversationRecord['type'] | undefined;
}

/** A folder of day files; or the files of a conversation that `chatferry fetch` wrote, which its id names. */
export interface ConversationFolder {
  /** Folder of the workspace it belongs to, with its slash: `''` or `teams/sales/`, behind the wrapper. */
  readonly base: string;
  readonly name: string;
  /** Paths of its files, sorted. */
  readonly files: string[];
  /** Its name is the id of its conversation, and nothing else. */
  readonly isById?: true;
}

/** Every path of an export, sorted into what is done with it. */
export interface Layout {
  /** Enterprise Grid: several workspaces under one organisation. */
  readonly isOrganisation: boolean;
  readonly userLists: readonly string[];
  readonly conversationLists: readonly ConversationList[];
  /** Paths of the lists of members that the API gives, by id of their conversation. */
  readonly memberLists: ReadonlyMap<string, string>;
  readonly folders: readonly ConversationFolder[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly unknown: readonly string[];
}

/** Names of lists at the top of a workspace; `file_conversations.json` lists the comments on canvases. */
const conversationLists: ReadonlyMap<string, ConversationRecord['type']> = new Map([
  ['channels.json', 'public'],
  ['groups.json', 'private'],
  ['dms.json', 'direct'],
  ['mpims.json', 'group-direct'],
  ['file_conversations.json', 'private'],
]);

/** The organisation's list first: it knows everyone. */
const userLists = ['org_users.json', 'users.json', 'users.ndjson'];

/** The list of the API that has conversations of all kinds, a row on each line. */
const listOfAll = 'conversations.ndjson';

/** `history/C061A0WJG.ndjson`: rows of `conversations.history`, `.replies` and `.members`, as `mappings/fetch/slack.yaml` writes them. */
const fetchedFile = /^(history|replies|members)\/([^/]+)\.ndjson$/;

const skippedLists: ReadonlyMap<string, string> = new Map([
  ['integration_logs.json', 'Log of apps that were installed; holds no messages'],
  ['canvases.json', 'List of canvases; holds no messages'],
  ['canvas.json', 'List of canvases; holds no messages'],
  ['lists.json', 'List of lists; holds no messages'],
  ['content_flags.json', 'Messages that were reported; they are in their conversations too'],
  ['huddle_transcripts.json', 'Transcripts of huddles; holds no messages'],
]);

const listNames: ReadonlySet<string> = new Set([...userLists, listOfAll, ...conversationLists.keys()]);

export function arrange(allPaths: readonly string[]): Layout {
  const { own: paths, clutter } = withoutClutter(allPaths);
  const found: Found = {
    isOrganisation: false,
    userLists: [],
    conversationLists: [],
    memberLists: new Map(),
    folders: [],
    skipped: [...clutter],
    unknown: [],
  };
  const wrapper = findWrapper(paths, isTelling);
  if (wrapper === undefined) return { ...found, unknown: [...paths] };
  found.isOrganisation = paths.some((path) => isOrganisationPath(path.slice(wrapper.length)));
  for (const path of paths) {
    if (path.startsWith(wrapper)) place(path, wrapper, found);
    else found.unknown.push(path);
  }
  // The organisation's list first: it knows everyone.
  found.userLists.sort((a, b) => Number(b.endsWith('org_users.json')) - Number(a.endsWith('org_users.json')));
  return found;
}

type Found = { -readonly [K in keyof Layout]: Layout[K] extends readonly (infer T)[] ? T[] : Layout[K] } & {
  memberLists: Map<string, string>;
};

const isOrganisationPath = (path: string) =>
  path === 'org_users.json' || /^teams\/[^/]+\/(?:users|channels|groups|dms|mpims)\.json$/.test(path);

const isTelling = (path: string) =>
  listNames.has(path) || isOrganisationPath(path) || isDayFile(path) || fetchedFile.test(path);

/** `general/2024-01-31.json` */
const isDayFile = (path: string) => /^[^/]+\/\d{4}-\d\d-\d\d\.json$/.test(path);

function place(path: string, wrapper: string, found: Found): void {
  const inside = path.slice(wrapper.length);
  const [, kind, id] = fetchedFile.exec(inside) ?? [];
  if (kind === 'members') found.memberLists.set(id!, path);
  else if (kind !== undefined) found.folders.push({ base: '', name: id!, files: [path], isById: true });
  else placeExported(path, inside, found);
}

function placeExported(path: string, inside: string, found: Found): void {
  const base = found.isOrganisation ? (/^teams\/[^/]+\/(?!attachments\/)/.exec(inside)?.[0] ?? '') : '';
  const parts = inside.slice(base.length).split('/');
  const [folder = '', file] = parts;
  const reason = skippedBecause(parts);
  if (file === undefined) placeList(path, base, folder, found);
  else if (reason !== undefined) found.skipped.push({ path, reason });
  else if (parts.length === 2 && file.endsWith('.json')) placeDayFile(path, base, folder, found);
  else found.unknown.push(path);
}

function placeList(path: string, base: string, name: string, found: Found): void {
  const type = conversationLists.get(name);
  const reason = skippedLists.get(name);
  if (userLists.includes(name)) found.userLists.push(path);
  else if (type || name === listOfAll) found.conversationLists.push({ path, base, type });
  else if (reason) found.skipped.push({ path, reason });
  else found.unknown.push(path);
}

/**
 * Returns why a file is skipped: files that other tools add to an export, such as copies of files and pictures of
 * people; and canvases, which Slack adds.
 */
function skippedBecause([folder = '', file = '', ...deeper]: readonly string[]): string | undefined {
  if (folder === '__uploads' || (file === 'attachments' && deeper.length > 0))
    return 'Copy of a file; messages keep its address';
  if (folder === '__avatars') return 'Picture of a person; people keep its address';
  if (file === 'canvas_in_the_conversation.json') return 'Canvas of the conversation; holds no messages';
  const isContent = (folder === 'canvases' || folder === 'lists') && !/^\d{4}-\d\d-\d\d/.test(file);
  return isContent ? 'Content of a canvas or list; holds no messages' : undefined;
}

/** Adds a day file. Paths come sorted, so the files of one folder are consecutive. */
function placeDayFile(path: string, base: string, name: string, found: Found): void {
  const last = found.folders.at(-1);
  if (last?.base === base && last.name === name && !last.isById) last.files.push(path);
  else found.folders.push({ base, name, files: [path] });
}
