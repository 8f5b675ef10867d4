import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A small Slack export, and what an import of it must come to. */
export interface GeneratedExport {
  readonly folder: string;
  /** Rows in its day files. */
  readonly read: number;
  /** Lines that the platform wrote, which are left out. */
  readonly skipped: number;
  readonly planned: number;
  /** The texts of what is planned, each once, in the order of the source, by the id that the service gives the conversation. */
  readonly conversations: ReadonlyMap<string, readonly string[]>;
}

export interface ExportShape {
  readonly seed: number;
  /** Rows, those of the platform included. */
  readonly messages: number;
  readonly people?: number;
  /** How many of them are deactivated. Default: none. */
  readonly deactivated?: number;
  readonly channels?: number;
  readonly directs?: number;
  readonly groupDirects?: number;
  readonly days?: number;
}

/** Random numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Writes files of an export: text as it is, everything else as JSON. */
export function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

export const userId = (number: number): string => `U${String(number).padStart(8, '0')}`;

/** One line of `users.json`. */
export const user = (id: string, name = `Person ${id}`): Readonly<Record<string, unknown>> => ({
  id,
  team_id: 'T00000001',
  name: name.toLowerCase().replaceAll(' ', '.'),
  profile: { real_name: name, display_name: name },
});

/** One row of a day file. */
export const message = (
  ts: string,
  author: string,
  text: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({ type: 'message', ts, user: author, text, ...more });

interface Place {
  readonly folder: string;
  readonly serviceId: string;
  readonly members: readonly string[];
}

const daySeconds = 86_400;
/** 2024-03-01, a Friday. */
const firstDay = 1_709_251_200;

/** Channels, one-to-one and group chats with threads and lines of the platform; the same seed writes the same bytes. */
export function makeExport(folder: string, shape: ExportShape): GeneratedExport {
  const { seed, messages, people = 12, deactivated = 0, channels = 4, directs = 5, groupDirects = 2, days = 4 } = shape;
  const random = seeded(seed);
  const below = (count: number) => Math.floor(random() * count);
  const ids = Array.from({ length: people }, (_, index) => userId(index));
  const channelList = Array.from({ length: channels }, (_, index) => ({
    id: `C${String(index).padStart(8, '0')}`,
    name: `channel-${index}`,
    members: ids,
  }));
  const directList = pairsOf(ids)
    .slice(0, directs)
    .map((members, index) => ({ id: `D${String(index).padStart(8, '0')}`, members }));
  const groupList = Array.from({ length: groupDirects }, (_, index) => ({
    id: `G${String(index).padStart(8, '0')}`,
    name: `mpdm-some-people-${index}`,
    members: ids.slice(index, index + 4),
  }));
  const places: Place[] = [
    ...channelList.map(({ id, name, members }) => ({ folder: name, serviceId: groupOf(id), members })),
    ...directList.map(({ id, members }) => ({ folder: id, serviceId: directOf(members), members })),
    ...groupList.map(({ id, name, members }) => ({ folder: name, serviceId: groupOf(id), members })),
  ];

  const files = new Map<string, object[]>();
  const conversations = new Map<string, string[]>();
  let skipped = 0;
  for (const [index, place] of places.entries()) {
    const share = Math.floor(messages / places.length) + (index < messages % places.length ? 1 : 0);
    const times = Array.from({ length: share }, () => below(days * daySeconds)).sort((a, b) => a - b);
    const texts: string[] = [];
    const roots: string[] = [];
    for (const [position, second] of times.entries()) {
      // Microseconds ascend, so that rows of one second have an order.
      const ts = `${firstDay + second}.${String(position).padStart(6, '0')}`;
      const author = place.members[below(place.members.length)]!;
      const file = `${place.folder}/${new Date((firstDay + second) * 1000).toISOString().slice(0, 10)}.json`;
      const rows = files.get(file) ?? [];
      files.set(file, rows);
      if (random() < 0.04) {
        rows.push(message(ts, author, 'joined', { subtype: 'channel_join' }));
        skipped++;
        continue;
      }
      const text = `${position} in ${place.folder}, ${'é👍 words '.repeat(below(12))}end`;
      const root = roots.length > 0 && random() < 0.3 ? roots[below(roots.length)] : undefined;
      rows.push(message(ts, author, text, root === undefined ? {} : { thread_ts: root }));
      if (root === undefined) roots.push(ts);
      texts.push(text);
    }
    if (texts.length > 0) conversations.set(place.serviceId, texts);
  }
  writeFiles(folder, {
    'users.json': ids.map((id, index) => ({ ...user(id), ...(index < deactivated && { deleted: true }) })),
    'channels.json': channelList,
    'dms.json': directList,
    'mpims.json': groupList,
    ...Object.fromEntries(files),
  });
  return { folder, read: messages, skipped, planned: messages - skipped, conversations };
}

const groupOf = (id: string): string => `group_${id.toLowerCase()}`;
const directOf = (members: readonly string[]): string => [...members].sort().join('_user_').toLowerCase();

function pairsOf(ids: readonly string[]): string[][] {
  return ids.flatMap((a, index) => ids.slice(index + 1).map((b) => [a, b]));
}
