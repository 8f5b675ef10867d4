import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonRowsAt } from '../kit/rows/json-rows.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';

/** Content and layout of a file of events. */
export interface Layout {
  readonly kind: 'events';
  readonly at: JsonRowsAt;
  /** An answer of `/sync`: rooms by their ids, whose events do not name them. */
  readonly isSync: boolean;
  /** An answer of `/messages`, which usually begins with the newest. */
  readonly isAnswer: boolean;
}

/** Lists of events, by their key: answers, exports of Element, and what programs call them. */
export const lists: ReadonlySet<string> = new Set(['chunk', 'messages', 'events', 'timeline']);

/** Lists of what holds at a time: it was sent at others. */
export const stateLists: ReadonlySet<string> = new Set(['state']);

const syncPattern = ['rooms', '*', '*', '*', 'events'];

function events(at: JsonRowsAt, more: Partial<Layout> = {}): Layout {
  return { kind: 'events', at, isSync: false, isAnswer: false, ...more };
}

/**
 * @returns undefined if it holds no events. A file that cannot be read at all may have contained messages.
 */
export const readLayout = (input: ExportInput, path: string): Promise<Layout | undefined> =>
  decideByOutline(input, path, headBytes, layoutIn);

function layoutIn({ head, outline, holdsList }: FileOutline): Layout | undefined {
  if (head === '') return events({ layout: 'lines' });
  const keys = outline.get('');
  if (keys === undefined) return undefined;
  const has = (...wanted: readonly string[]) => wanted.every((key) => keys.has(key));
  if (has('type') && has('content') && (has('sender') || has('origin_server_ts'))) {
    if (head.startsWith('[')) return events({ layout: 'list', pattern: [] });
    return events({ layout: /^\{.*\}\s*\n/.test(head) ? 'lines' : 'values' });
  }
  if (!head.startsWith('{')) return undefined;
  if (has('next_batch')) return events({ layout: 'list', pattern: syncPattern }, { isSync: true });
  // The data above the messages describes the room.
  if (has('room_name', 'exported_by')) return events({ layout: 'list', pattern: ['messages'] });
  const list = [...lists, ...stateLists].find((key) => outline.get(`/${key}/*`)?.has('type') || holdsList(key));
  if (list === undefined) return undefined;
  const isEvents = outline.get(`/${list}/*`)?.has('type') || has('start', 'chunk');
  return isEvents ? events({ layout: 'list', pattern: ['*'] }, { isAnswer: has('chunk') }) : undefined;
}

/** A file of Synapse's `export-data`, and the room of its folder. */
export function synapsePath(path: string): { readonly room: string; readonly part: string } | undefined {
  const [, room, part] =
    /(?:^|\/)rooms\/([^/]+)\/(events|state|invite_state|knock_state)(?:\/[^/]+)?$/.exec(path) ?? [];
  return room === undefined ? undefined : { room, part: part! };
}
