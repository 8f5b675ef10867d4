import type { ExportInput } from '../../io/input/export-input.ts';
import { readsAsJsonLines } from '../../io/input/lines-of-json.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { bareRows, kindAt, type KindOf } from '../kit/rows/row-places.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

export type Kind = 'people' | 'memberships' | 'rooms' | 'messages';

/** Content of a JSON file, and where it is. */
export interface Layout {
  readonly kind: Kind;
  readonly at: JsonRowsAt;
  readonly isNewestFirst: boolean;
  /** The key under which an answer of the API has its list. */
  readonly list?: string;
}

/** Lists of the API's answers, by their key. */
const lists: Readonly<Record<string, Kind>> = {
  messages: 'messages',
  channels: 'rooms',
  groups: 'rooms',
  ims: 'rooms',
  rooms: 'rooms',
  discussions: 'rooms',
  users: 'people',
  members: 'people',
};

/** Collections by file name, for a file without any content to identify it: an empty one. */
const names: readonly (readonly [RegExp, Kind])[] = [
  [/rocketchat_messages?\b/i, 'messages'],
  [/rocketchat_rooms?\b/i, 'rooms'],
  [/rocketchat_subscriptions?\b/i, 'memberships'],
  [/(?:^|\/)users\.[a-z]+(?:\.gz)?$/i, 'people'],
];

export const isNamedCollection = (path: string): boolean => names.some(([pattern]) => pattern.test(path));

/**
 * @returns undefined if it holds none of these. A file that cannot be read at all may have contained messages.
 */
export async function readLayout(input: ExportInput, path: string): Promise<Layout | undefined> {
  const named = names.find(([pattern]) => pattern.test(path))?.[1];
  const found = await decideByOutline(input, path, headBytes, (outline) => layoutIn(outline, named));
  return found && readsAsJsonLines(path) ? { ...found, at: { layout: 'lines' } } : found;
}

function layoutIn({ head, outline, holdsList }: FileOutline, named: Kind | undefined): Layout | undefined {
  const keys = outline.get('');
  const told = kindAt(outline, '', kindOf);
  const list = told || !head.startsWith('{') ? undefined : Object.keys(lists).find((key) => keys?.has(key));
  if (list !== undefined && holdsList(list)) {
    const kind = lists[list]!;
    return { kind, at: { layout: 'list', pattern: [list] }, isNewestFirst: kind === 'messages', list };
  }
  const kind = told ?? named ?? (head === '' ? 'messages' : undefined);
  if (kind === undefined) return undefined;
  const at = bareRows(head);
  return { kind, at, isNewestFirst: at.layout !== 'list' && kind === 'messages' && beginsWithLatest(head) };
}

/** Rows of the API's `history`, a line each: their times are texts, those of `mongoexport` are not. */
function beginsWithLatest(head: string): boolean {
  const times = [...head.matchAll(/"ts"\s{0,9}:\s{0,9}"(\d{4}-\d\d-\d\dT[\d:.]{8,18}Z)"/g)].map(([, at]) => at!);
  return times.length > 1 && times[0]! > times.at(-1)!;
}

const kindOf: KindOf<Kind> = (has) => {
  if (has('rid', 'msg', 'ts')) return 'messages';
  if (has('rid', 'u') && (has('open') || has('alert') || has('ls'))) return 'memberships';
  if (has('_id', 't') && (has('msgs') || has('usersCount') || has('uids'))) return 'rooms';
  return has('_id', 'username') && ['emails', 'roles', 'active', 'rid'].some((key) => has(key)) ? 'people' : undefined;
};
