import type { ExportInput } from '../../io/input/export-input.ts';
import { hasRowsOfChat } from '../kit/rows/chat-rows.ts';
import type { JsonOutline } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';
import { type PathVerdict, type SortedPaths, sortPaths } from '../kit/files/paths.ts';

/** Kind of the objects in a file. Shared files are read in this order, rows last. */
export const sharedKinds = ['users', 'teams', 'members', 'chats', 'channels'] as const;
export type Kind = (typeof sharedKinds)[number] | 'rows' | 'nested' | 'personal';

export interface Layout {
  readonly sorted: SortedPaths<Kind>;
  /** Location of the objects in a file. */
  at(path: string): JsonRowsAt;
}

/** Kinds whose rows may hold messages of their own. */
const holders: ReadonlySet<unknown> = new Set(['teams', 'chats', 'channels', undefined]);

const headBytes = 16 * 1024;

/** Names in a tenant's export, and those that `chatferry fetch` writes. Other files are recognised by their content. */
const named: readonly (readonly [RegExp, PathVerdict<Kind>])[] = [
  [/(?:^|\/)messages_[0-9a-f-]{36}\.json$/i, 'rows'],
  [/(?:^|\/)users\/usersList\.json$/i, 'users'],
  [/(?:^|\/)(?:teams\/teamsList\.json|teams\.ndjson)$/i, 'teams'],
  [/(?:^|\/)teamMembers_[0-9a-f-]{36}\.(?:nd)?json$/i, 'members'],
  [/(?:^|\/)(?:chatMembers|channelMembers)_[^/]{1,200}\.ndjson$/, 'members'],
  [/(?:^|\/)channels_[0-9a-f-]{36}\.(?:nd)?json$/i, 'channels'],
  [/(?:^|\/)teamsSettings\.json$/i, { skip: 'Settings of teams; holds no messages' }],
  [/(?:^|\/)teamInstalledApps_[0-9a-f-]{36}\.json$/i, { skip: 'Apps of a team; holds no messages' }],
  [/(?:^|\/)media\/[^/]+$/i, { skip: 'A file, or data about it; messages name it' }],
  [/(?:^|\/)endpoints\.json$/i, { skip: 'Devices of the account; holds no messages' }],
  [/(?:^|\/)meetings_[0-9a-f-]{36}\.json$/i, { skip: 'Meetings in a calendar; holds no messages' }],
];

/** Fields by which an object of Graph is recognised. */
const told: readonly (readonly [string, Kind])[] = [
  ['messageType', 'rows'],
  ['chatType', 'chats'],
  ['membershipType', 'channels'],
  ['userPrincipalName', 'users'],
  ['userId', 'members'],
];

/** Reads the beginning of every file of JSON whose name says nothing. */
export async function readLayout(input: ExportInput): Promise<Layout> {
  const paths = await input.paths();
  const heads = new Map<string, Head>();
  for (const path of paths) {
    if (verdictByName(path) !== undefined || !(paths.length === 1 || /\.(?:json|jsonl|ndjson)$/i.test(path))) continue;
    heads.set(path, (await decideByOutline(input, path, headBytes, findHead)) ?? { at: list, kind: undefined });
  }
  return {
    sorted: sortPaths(paths, (path) => verdictByName(path) ?? heads.get(path)?.kind),
    at: (path) => heads.get(path)?.at ?? (/\.ndjson$/i.test(path) ? lines : list),
  };
}

const verdictByName = (path: string) => named.find(([pattern]) => pattern.test(path))?.[1];

const list: JsonRowsAt = { layout: 'list', pattern: [] };
const lines: JsonRowsAt = { layout: 'lines' };

interface Head {
  readonly at: JsonRowsAt;
  readonly kind: PathVerdict<Kind>;
}

function findHead({ head, outline, isWhole }: FileOutline): Head | undefined {
  // An unreadable file may hold messages: reading it reports the problem.
  if (head === '') return { at: list, kind: 'rows' };
  const isList = head.startsWith('[');
  if (isList && /^\[\s*\]\s*$/.test(head)) return { at: list, kind: { skip: 'An empty list' } };
  if (outline.get('')?.has('conversations') && outline.get('')?.has('userId')) return { at: list, kind: 'personal' };
  const isPaged = outline.get('')?.has('value') === true;
  const at: JsonRowsAt = isPaged
    ? { layout: 'list', pattern: isList ? ['*', 'value'] : ['value'] }
    : isList
      ? list
      : { layout: 'values' };
  const kind = recognise(outline, isPaged ? '/value/*' : '');
  const nested = nestedIn(outline, head);
  if (nested) return { at: nested, kind: 'nested' };
  // The first chat may hold no messages.
  if (kind === undefined || (holders.has(kind) && !isWhole)) return undefined;
  const isBeside = (path: string) => path.endsWith('/*') && path !== '/value/*';
  return kind === 'rows' || !hasRowsOfChat(outline, isBeside) ? { at, kind } : undefined;
}

/** Where messages are in the chats or channels that they belong to. */
function nestedIn(outline: JsonOutline, head: string): JsonRowsAt | undefined {
  for (const [path, keys] of outline) {
    if (!/\/messages\/\*$/i.test(path) || !(keys.has('messageType') || keys.has('MessageType'))) continue;
    const pattern = path.split('/').slice(1, -1);
    if (head.startsWith('[')) return { layout: 'list', pattern: ['*', ...pattern] };
    return isLines(head) ? { layout: 'values' } : { layout: 'list', pattern };
  }
  return undefined;
}

/** Whether the first line is an object of its own. */
function isLines(head: string): boolean {
  const end = head.indexOf('\n');
  if (end === -1 || head.slice(end).trim() === '') return false;
  try {
    JSON.parse(head.slice(0, end));
    return true;
  } catch {
    return false;
  }
}

function recognise(outline: JsonOutline, path: string): Kind | undefined {
  const keys = outline.get(path);
  const more = outline.get(`${path}/AdditionalProperties`);
  const has = (key: string) =>
    more?.has(key) || keys?.has(key) || keys?.has(key.slice(0, 1).toUpperCase() + key.slice(1));
  return told.find(([key]) => has(key))?.[1];
}
