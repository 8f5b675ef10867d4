import type { ExportInput } from '../../io/input/export-input.ts';
import { toldByHead } from '../kit/files/file-bytes.ts';
import { type JsonOutline, outlineOf } from '../kit/rows/json-outline.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { type PathVerdict, type SortedPaths, sortPaths } from '../kit/files/paths.ts';

/** What the objects of a file are. Shared files are read in this order, rows last. */
export const sharedKinds = ['users', 'teams', 'members', 'chats', 'channels'] as const;
export type Kind = (typeof sharedKinds)[number] | 'rows' | 'personal';

export interface Layout {
  readonly sorted: SortedPaths<Kind>;
  /** Where the objects of a file stand. */
  at(path: string): JsonRowsAt;
}

const headBytes = 16 * 1024;

/** Names of a tenant's export; others are told by what is in them. */
const named: readonly (readonly [RegExp, PathVerdict<Kind>])[] = [
  [/(?:^|\/)messages_[0-9a-f-]{36}\.json$/i, 'rows'],
  [/(?:^|\/)users\/usersList\.json$/i, 'users'],
  [/(?:^|\/)teams\/teamsList\.json$/i, 'teams'],
  [/(?:^|\/)teamMembers_[0-9a-f-]{36}\.json$/i, 'members'],
  [/(?:^|\/)channels_[0-9a-f-]{36}\.json$/i, 'channels'],
  [/(?:^|\/)teamsSettings\.json$/i, { skip: 'Settings of teams; holds no messages' }],
  [/(?:^|\/)teamInstalledApps_[0-9a-f-]{36}\.json$/i, { skip: 'Apps of a team; holds no messages' }],
  [/(?:^|\/)media\/[^/]+$/i, { skip: 'A file, or what is known of it; messages name it' }],
  [/(?:^|\/)endpoints\.json$/i, { skip: 'Devices of the account; holds no messages' }],
  [/(?:^|\/)meetings_[0-9a-f-]{36}\.json$/i, { skip: 'Meetings in a calendar; holds no messages' }],
];

/** What an object of Graph has, so that it is known by it. */
const told: readonly (readonly [string, Kind])[] = [
  ['messageType', 'rows'],
  ['chatType', 'chats'],
  ['membershipType', 'channels'],
  ['userPrincipalName', 'users'],
  ['userId', 'members'],
];

/** Reads the beginning of every file of JSON whose name says nothing. */
export async function layoutOf(input: ExportInput): Promise<Layout> {
  const paths = await input.paths();
  const heads = new Map<string, { readonly at: JsonRowsAt; readonly kind: PathVerdict<Kind> }>();
  for (const path of paths) {
    if (verdictByName(path) !== undefined || !(paths.length === 1 || /\.(?:json|jsonl|ndjson)$/i.test(path))) continue;
    const look = (head: Uint8Array) => {
      const found = headOf(Buffer.from(head).toString('utf8'));
      return found.kind === undefined ? undefined : found;
    };
    const found = await toldByHead(input, path, headBytes, look);
    if (found) heads.set(path, found);
  }
  return {
    sorted: sortPaths(paths, (path) => verdictByName(path) ?? heads.get(path)?.kind),
    at: (path) => heads.get(path)?.at ?? list,
  };
}

const verdictByName = (path: string) => named.find(([pattern]) => pattern.test(path))?.[1];

const list: JsonRowsAt = { layout: 'list', pattern: [] };

function headOf(text: string): { readonly at: JsonRowsAt; readonly kind: PathVerdict<Kind> } {
  // What cannot be read may hold messages: reading it says so.
  if (text === '') return { at: list, kind: 'rows' };
  const isList = /^\uFEFF?\s*\[/.test(text);
  if (isList && /^\uFEFF?\s*\[\s*\]\s*$/.test(text)) return { at: list, kind: { skip: 'An empty list' } };
  const outline = outlineOf(text.replace(/^\uFEFF/, ''));
  if (outline.get('')?.has('conversations') && outline.get('')?.has('userId')) return { at: list, kind: 'personal' };
  const isPaged = outline.get('')?.has('value') === true;
  const at: JsonRowsAt = isPaged
    ? { layout: 'list', pattern: isList ? ['*', 'value'] : ['value'] }
    : isList
      ? list
      : { layout: 'values' };
  return { at, kind: kindOf(outline, isPaged ? '/value/*' : '') };
}

function kindOf(outline: JsonOutline, path: string): Kind | undefined {
  const keys = outline.get(path);
  const has = (key: string) => keys?.has(key) || keys?.has(key.slice(0, 1).toUpperCase() + key.slice(1));
  return told.find(([key]) => has(key))?.[1];
}
