import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';
import type { Layout } from './rows.ts';

/** Lists by their key. */
const lists: Readonly<Record<string, Layout['kind']>> = {
  messages: 'messages',
  active_users: 'people',
  deactivated_users: 'people',
  users: 'people',
  group_channels: 'channels',
  open_channels: 'channels',
  channels: 'channels',
};

/**
 * @returns undefined if it holds none of these. A file that cannot be read at all may have contained messages.
 */
export const readLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

function layoutIn({ head, outline, holdsList }: FileOutline): Layout | undefined {
  if (head === '') return { kind: 'messages', at: { layout: 'lines' } };
  if (!/^[[{]/.test(head)) return recogniseTable(head);
  const keys = outline.get('');
  const list = head.startsWith('[') ? undefined : Object.keys(lists).find((key) => keys?.has(key));
  if (list !== undefined && holdsList(list)) return { kind: lists[list]!, at: { layout: 'list', pattern: ['*'] } };
  const kind = kindBy((key) => keys?.has(key) === true);
  const at: JsonRowsAt = head.startsWith('[') ? { layout: 'list', pattern: [] } : { layout: 'lines' };
  return kind && { kind, at };
}

function kindBy(has: (key: string) => boolean): Layout['kind'] | undefined {
  if (has('message_id') && has('channel_url')) return 'messages';
  if (has('channel_url')) return has('user_id') ? 'members' : 'channels';
  return has('user_id') && (has('nickname') || has('profile_url')) ? 'people' : undefined;
}

/** The delimiter is any one character that an export was asked for: the first behind a name of the header. */
function recogniseTable(text: string): Layout | undefined {
  const head = text.split(/\r?\n/, 1)[0]!.replaceAll('"', '');
  const delimiter = /^[\w.]{1,60}([^\w.])/.exec(head)?.[1];
  if (delimiter === undefined) return undefined;
  const names = new Set(head.split(delimiter).map((name) => name.trim()));
  const kind = kindBy((key) => names.has(key));
  const hasAuthors = ['user_id', 'sender_id', 'user.user_id', 'user'].some((key) => names.has(key));
  return kind && (kind !== 'messages' || hasAuthors) ? { kind, at: { delimiter } } : undefined;
}
