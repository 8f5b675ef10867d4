import { seededRandom } from '../../src/lib/flow/seeded-random.ts';

/**
 * An old chat system that stays in use for a month, as its exports or its database show it. People write, edit, delete
 * and react. Rows are filled in later, or committed hours after their time. A file is lost for two days; an old copy of
 * the export is put back for some hours; everything is written again into one file. The content of an export at an
 * instant depends only on the seed and the instant, so a check after a crash sees the same.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Over both changes of summer time: New York on 8 March, Berlin on 29 March. */
export const monthStartMs = Date.parse('2026-03-05T00:00:00Z');
export const monthEndMs = monthStartMs + 30 * dayMs;

const at = (day: number, hour = 0) => monthStartMs + day * dayMs + hour * hourMs;

/** The destination does not answer. */
export const outage = { fromMs: at(13), toMs: at(14) };
const lostFile = { day: 9, fromMs: at(15, 12), toMs: at(17, 12) };
const oldCopy = { fromMs: at(20, 3), toMs: at(20, 13), asOfMs: at(18, 3) };
const rewrittenAtMs = at(24, 5);
const backfill = { atMs: at(12, 8), count: 30 };
/** Instants after which no one changes anything, and no one writes anything, so that the last runs see all of it. */
const quietFromMs = at(28);
const silentFromMs = at(28, 12);

export const people = ['ann', 'bo', 'cleo', 'dov', 'edda'] as const;
/** The last one is a direct conversation. */
const rooms = ['lobby', 'support', 'random', 'ann-bo'] as const;

export interface Version {
  readonly fromMs: number;
  readonly text: string;
  readonly isDeleted: boolean;
  /** Its line is taken out of the export. */
  readonly isGone: boolean;
  readonly reactions: readonly { readonly emoji: string; readonly users: readonly string[]; readonly count: number }[];
}

export interface WorldMessage {
  readonly id: string;
  readonly room: string;
  readonly author: string;
  readonly sentAtMs: number;
  readonly sortKey: string;
  /** When the export first has it: later than `sentAtMs` where it was filled in behind. */
  readonly shownAtMs: number;
  /** In the order of time, the first from `shownAtMs` on. */
  readonly versions: readonly Version[];
}

/** Returns the conversation in which the service keeps a room's messages. */
export const conversationOf = (room: string): string => (isDirect(room) ? 'ann_user_bo' : `group_${room}`);

const isDirect = (room: string): boolean => room.endsWith('ann-bo');

export interface WorldShape {
  /** Name of the system, also in `origin` and at the beginning of its groups' names. */
  readonly name: string;
  readonly seed: number;
  readonly messagesPerDay: number;
  /** `unsteady`: files in which everything happens. `steady`: nothing changes. `database`: rows change, and some are committed late. */
  readonly kind: 'unsteady' | 'steady' | 'database';
}

export class World {
  readonly messages: readonly WorldMessage[];
  readonly #shape: WorldShape;

  constructor(shape: WorldShape) {
    this.#shape = shape;
    this.messages = makeMessages(shape);
  }

  /** The rooms, and the rows of a database at an instant: each message as it is by then. */
  rowsAt(ms: number): {
    readonly rooms: readonly string[];
    readonly rows: readonly (readonly [WorldMessage, Version])[];
  } {
    const rows = this.messages.flatMap((message) => {
      const version = versionAt(message, ms);
      return version && !version.isGone ? [[message, version] as const] : [];
    });
    return { rooms: roomsOf(this.#shape), rows };
  }

  /** The files of an unsteady world as they are at an instant: lines by file name. */
  filesAt(ms: number): ReadonlyMap<string, readonly string[]> {
    const isOldCopy = ms >= oldCopy.fromMs && ms < oldCopy.toMs;
    const asOfMs = isOldCopy ? oldCopy.asOfMs : ms;
    const files = new Map<string, string[]>([['people.ndjson', this.#shared()]]);
    for (const message of this.messages) {
      const version = versionAt(message, asOfMs);
      if (!version || version.isGone) continue;
      const day = Math.floor((message.sentAtMs - monthStartMs) / dayMs);
      if (day === lostFile.day && ms >= lostFile.fromMs && ms < lostFile.toMs) continue;
      const path = asOfMs >= rewrittenAtMs ? 'everything.ndjson' : `day-${String(day).padStart(2, '0')}.ndjson`;
      const lines = files.get(path);
      if (lines) lines.push(this.#line(message, version));
      else files.set(path, [this.#line(message, version)]);
    }
    return files;
  }

  /** One archive with what was written from one instant to another, as it is at the latter. */
  archive(fromMs: number, toMs: number): string {
    const rows = this.messages.flatMap((message) => {
      const version = message.sentAtMs >= fromMs ? versionAt(message, toMs) : undefined;
      return version ? [this.#line(message, version)] : [];
    });
    return `${[...this.#shared(), ...rows].join('\n')}\n`;
  }

  #shared(): string[] {
    return [
      { kind: 'chatferry', version: 1, source: this.#shape.name, workspace: '' },
      ...people.map((id) => ({ kind: 'user', id, name: id.toUpperCase() })),
      ...roomsOf(this.#shape).map((id) =>
        isDirect(id)
          ? { kind: 'conversation', id, type: 'direct', name: '', members: ['ann', 'bo'] }
          : { kind: 'conversation', id, type: 'private', name: id, members: people },
      ),
    ].map((record) => JSON.stringify(record));
  }

  #line(message: WorldMessage, version: Version): string {
    const { id, room, sortKey, sentAtMs, author } = message;
    const isEdited = version.fromMs > message.shownAtMs && version.text !== message.versions[0]!.text;
    return JSON.stringify({
      kind: 'message',
      origin: { source: this.#shape.name, workspace: '', conversation: room, id },
      sortKey,
      sentAtMs,
      author,
      text: version.text,
      ...(isEdited && !version.isDeleted && { edited: { atMs: version.fromMs, by: author } }),
      ...(version.isDeleted && { isDeleted: true }),
      ...(version.reactions.length > 0 && { reactions: version.reactions }),
    });
  }
}

/** Returns the version of a message at an instant, if the export has it by then. */
function versionAt({ versions }: WorldMessage, ms: number): Version | undefined {
  return versions.findLast(({ fromMs }) => fromMs <= ms);
}

/** Two people have one conversation at the service, so one world alone may have it. */
const roomsOf = ({ name, kind }: WorldShape): string[] =>
  rooms.filter((room) => kind === 'unsteady' || !isDirect(room)).map((room) => `${name}-${room}`);

function makeMessages(shape: WorldShape): WorldMessage[] {
  const { name, seed, messagesPerDay, kind } = shape;
  const random = seededRandom(seed);
  const inRooms = roomsOf(shape);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const messages: WorldMessage[] = [];
  const add = (sentAtMs: number, shownAtMs: number) => {
    const number = messages.length;
    const id = `${name}-${number}`;
    const room = pick(inRooms);
    const author = isDirect(room) ? pick(['ann', 'bo']) : pick(people);
    const text = `[${id}] ${pick(['hello', 'naïve café', '👩‍👩‍👧 family', '<b>bold</b> & "quoted"', '日本語', '__proto__'])}`;
    const sortKey = String(number).padStart(8, '0');
    const first = { fromMs: shownAtMs, text, isDeleted: false, isGone: false, reactions: [] };
    const versions = kind === 'steady' ? [first] : versionsFrom(first, random);
    messages.push({ id, room, author, sentAtMs, sortKey, shownAtMs, versions });
  };
  for (let sentAtMs = monthStartMs; ; ) {
    sentAtMs += Math.floor((-Math.log(1 - random()) * dayMs) / messagesPerDay);
    if (sentAtMs >= silentFromMs) break;
    // A transaction that stays open for hours: the row is there later than rows of younger ones.
    const openMs = kind === 'database' && random() < 0.1 ? Math.floor(random() * 8 * hourMs) : 0;
    add(sentAtMs, sentAtMs + openMs);
  }
  for (let number = 0; kind === 'unsteady' && number < backfill.count; number++) {
    add(at(2) + Math.floor(random() * 8 * dayMs), backfill.atMs);
  }
  return messages.sort((a, b) => a.sentAtMs - b.sentAtMs || (a.sortKey < b.sortKey ? -1 : 1));
}

/** At most three changes, each a while after the one before: most are seen by a run of their own, and some are not. */
function versionsFrom(first: Version, random: () => number): Version[] {
  const { text } = first;
  const versions: Version[] = [first];
  for (let number = 1; number <= 3; number++) {
    const before = versions.at(-1)!;
    const kind = random();
    const fromMs = before.fromMs + Math.floor(hourMs / 6 + random() ** 2 * 5 * dayMs);
    if (before.isDeleted || before.isGone || kind > 0.16 || fromMs >= quietFromMs) break;
    if (kind < 0.08) versions.push({ ...before, fromMs, text: `${text} (edit ${number})` });
    else if (kind < 0.13) versions.push({ ...before, fromMs, reactions: reactionsAfter(before, random) });
    else if (kind < 0.15) versions.push({ ...before, fromMs, text: '', isDeleted: true });
    else versions.push({ ...before, fromMs, isGone: true });
  }
  return versions;
}

function reactionsAfter({ reactions }: Version, random: () => number): Version['reactions'] {
  const emoji = ['👍', '🎉', '❤️'][reactions.length]!;
  const users = people.filter(() => random() < 0.5);
  const who = users.length > 0 ? users : [people[0]];
  return [...reactions, { emoji, users: who, count: who.length }];
}
