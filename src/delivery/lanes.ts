import { Recent } from '../lib/maps/recent.ts';
import type { Store } from '../store/open.ts';
import type { StoredLane } from '../store/lanes.ts';
import type { Profile } from '../service/profiles.ts';

/** One staged message on its way. */
export interface LaneRow {
  readonly seq: number;
  readonly muid: string;
  readonly sentAtMs: number;
  readonly sortKey: string;
  readonly lane: Lane;
  readonly sender: WirePerson;
  /** A request for it may have left before this run's: an "already there" is then our own. */
  readonly hadIntent: boolean;
  /** The store has written nothing down of it there before this request. */
  readonly isNew: boolean;
  /** Messages that come after it in the conversation are already there. */
  readonly isLate: boolean;
  /** The item as it goes on the wire. */
  readonly wire: string;
  readonly bytes: number;
}

/** State of a conversation before Chatferry sent anything to it: it decides what an undo may roll back. */
export interface StateBefore {
  readonly wasEmpty: boolean;
  /** Whether the group existed; undefined for one-to-one chats, and if the destination does not report it. */
  readonly groupExisted: boolean | undefined;
}

/**
 * The ordered queue of one conversation. At most one batch in flight holds messages of it. It is in one of these modes:
 *
 * - `closed`: nobody has looked yet at what stands in the conversation. So is a lane that another process sends to: it is looked at again later.
 * - `opening`: that is being read.
 * - `ready`: it has pending messages, and none in flight.
 * - `busy`: `inFlightCount` of its messages are in a batch, or in a quarantined piece that is being sent; nothing else of it leaves.
 * - `held`: it has pending messages and none in flight, but those before them are quarantined. It is `ready` again when nothing else is left to do.
 * - `parked`: it cannot be opened; what is pending stays so, and the run ends resumable.
 * - `done`: nothing is pending. Messages of it may be quarantined, and make it `busy` again.
 *
 *     closed ──▶ opening ──▶ ready ──▶ busy ──▶ ready, held or done
 *        ▲          ├──▶ parked          ▲──────── held, done
 *        └──────────┘
 */
export interface Lane extends Pick<StoredLane, 'conversation' | 'sourceId' | 'guid' | 'groupDetails' | 'receiverType'> {
  readonly people: readonly [WirePerson, WirePerson] | undefined;
  /** Greater ones are sent first. Default 0. */
  readonly priority?: number | undefined;
  /** The service's conversation id, once a receipt or a listing has shown it. */
  conversationId: string | undefined;
  /** State before the lane's first request left, if this run checked it. Recorded with the first intent. */
  before?: StateBefore | undefined;
  /** Greatest server id of ours there. */
  lastServerId: string | undefined;
  /** Order key of the last message of the conversation that is already there: what comes before it and is sent now is late. */
  deliveredUpTo: Lane['cursor'] | undefined;
  /** Whether the receiver's details are known to be there. */
  isReceiverKnown: boolean;
  state: 'closed' | 'opening' | 'ready' | 'busy' | 'held' | 'parked' | 'done';
  /** Messages after its quarantined ones wait while other lanes have something to send. */
  isHeld: boolean;
  /** Messages left to send. */
  pendingCount: number;
  /** How many are quarantined. */
  quarantinedCount: number;
  /** Messages of it that were taken into a batch, and about which something is still to be done. */
  inFlightCount: number;
  /** Position after which the next rows are read: (sent_at, sort_key, seq). */
  cursor: readonly [number, string, number];
}

/** Before every message. */
export const startOfLane: Lane['cursor'] = [Number.MIN_SAFE_INTEGER, '', 0];

/** Whether a message comes before a place in its conversation. */
export function isBefore(
  row: Pick<LaneRow, 'sentAtMs' | 'sortKey' | 'seq'>,
  [sentAt, sortKey, seq]: Lane['cursor'],
): boolean {
  if (row.sentAtMs !== sentAt) return row.sentAtMs < sentAt;
  if (row.sortKey !== sortKey) return row.sortKey < sortKey;
  return row.seq < seq;
}

/**
 * The row after a request for it: "already there" is then our own. It is late if messages of its lane that come behind it are
 * already there.
 */
export const asSentBefore = (row: LaneRow): LaneRow => ({
  ...row,
  hadIntent: true,
  isNew: false,
  isLate: row.isLate || (row.lane.deliveredUpTo !== undefined && isBefore(row, row.lane.deliveredUpTo)),
});

/** The conversation at the destination, the same for every store that sends to it. */
export const addressOfLane = ({ receiverType, guid, people }: Pick<Lane, 'receiverType' | 'guid' | 'people'>): string =>
  JSON.stringify(receiverType === 'user' && people ? people.map(({ uid }) => uid).sort() : guid);

/** A message of the lane is there. */
export function noteDelivered(lane: Lane, row: Pick<LaneRow, 'sentAtMs' | 'sortKey' | 'seq'>): void {
  if (lane.deliveredUpTo && isBefore(row, lane.deliveredUpTo)) return;
  lane.deliveredUpTo = [row.sentAtMs, row.sortKey, row.seq];
}

const byUrgency = (a: Lane, b: Lane) => (b.priority ?? 0) - (a.priority ?? 0) || b.pendingCount - a.pendingCount;

/**
 * Every lane of a run with something to send. About 400 bytes each.
 * Lanes are opened by priority, then longest first, and only a few ahead of what is being sent, so choosing among the ready ones is cheap.
 */
export class Lanes {
  #closed: Lane[];
  readonly #ready = new Set<Lane>();
  readonly #held = new Set<Lane>();
  readyCount = 0;

  constructor(lanes: readonly Lane[]) {
    // The most urgent last: they are taken from the end.
    this.#closed = lanes.toSorted((a, b) => byUrgency(b, a));
  }

  get closedCount(): number {
    return this.#closed.length;
  }

  get hasClosed(): boolean {
    return this.#closed.length > 0;
  }

  /**
   * Whether so many messages at most may be taken into batches, those of lanes that are not open included.
   *
   * @param held Those of lanes that wait count, too.
   */
  hasAtMost(count: number, held?: 'held too'): boolean {
    if (this.readyCount > count || this.#closed.length > count) return false;
    const others = held ? [...this.#closed, ...this.#held] : this.#closed;
    return others.reduce((sum, { pendingCount }) => sum + pendingCount, this.readyCount) <= count;
  }

  /** Takes the next lane that is not opened yet, and marks it `opening`. */
  takeClosed(): Lane | undefined {
    const lane = this.#closed.pop();
    if (lane) lane.state = 'opening';
    return lane;
  }

  /** Ready lanes: by priority, then the one with most left first. */
  ready(): Lane[] {
    return [...this.#ready].sort(byUrgency);
  }

  /** Lanes that wait for messages before theirs: by priority, then the one with most left first. */
  held(): Lane[] {
    return [...this.#held].sort(byUrgency);
  }

  /** Lanes that could not be opened now: others come first. */
  putBack(lanes: readonly Lane[]): void {
    this.#closed = [...lanes, ...this.#closed];
  }

  /** A lane goes into a batch: nothing else of it is sent until it is released. */
  take(lane: Lane): void {
    lane.state = 'busy';
    this.#held.delete(lane);
    if (this.#ready.delete(lane)) this.readyCount -= lane.pendingCount;
  }

  /** So many messages of a lane are not sent. */
  leaveOut(lane: Lane, count: number): void {
    lane.pendingCount -= count;
    if (lane.state !== 'ready') return;
    this.readyCount -= count;
    if (lane.pendingCount > 0) return;
    lane.state = 'done';
    this.#ready.delete(lane);
  }

  /** A lane goes back to the queue, or is done. */
  release(lane: Lane): void {
    lane.state = lane.pendingCount === 0 ? 'done' : lane.isHeld ? 'held' : 'ready';
    if (lane.state === 'held') this.#held.add(lane);
    if (lane.state !== 'ready') return;
    this.#ready.add(lane);
    this.readyCount += lane.pendingCount;
  }

  /** Messages of lanes that are busy are quarantined: what comes behind them waits. */
  quarantine(rows: readonly LaneRow[]): void {
    for (const { lane } of rows) {
      lane.isHeld = true;
      lane.quarantinedCount++;
      if (--lane.inFlightCount === 0) this.release(lane);
    }
  }

  /** They are sent again: their lanes are busy until then. */
  takeBack(rows: readonly LaneRow[]): void {
    for (const { lane } of rows) {
      this.take(lane);
      lane.inFlightCount++;
      lane.isHeld = --lane.quarantinedCount > 0;
    }
  }

  /** Lets lanes go on behind what is quarantined. @returns Whether there was one. */
  letGo(): boolean {
    const held = [...this.#held];
    this.#held.clear();
    for (const lane of held) {
      lane.isHeld = false;
      this.release(lane);
    }
    return held.length > 0;
  }
}

/** The lanes of a run: with something to send, and with something unconfirmed (those may have both). */
export function loadLanes(
  store: Store,
  destination: number,
  chosenOnly = false,
): { clear: Lane[]; doubtful: Lane[]; pendingCount: number } {
  const people = new Recent((id: number) => store.people.get(id));
  const rows = store.lanes.pending(destination, chosenOnly);
  const lanes = rows.map((row) => laneOf(row, people, store.lanes.deliveredUpTo(destination, row.conversation)));
  return {
    clear: lanes.filter((_, index) => rows[index]!.doubtful === 0),
    doubtful: lanes.filter((_, index) => rows[index]!.doubtful > 0),
    pendingCount: rows.reduce((sum, row) => sum + row.pending + row.doubtful, 0),
  };
}

/** A lane of one conversation of a destination, as the store knows it. */
export function laneOf(
  { personA, personB, conversationId, lastServerId, pending, doubtful: _, ...row }: StoredLane,
  people: { get(id: number): WirePerson },
  deliveredUpTo?: Lane['deliveredUpTo'],
): Lane {
  return {
    ...row,
    people: personA !== null && personB !== null ? [people.get(personA), people.get(personB)] : undefined,
    conversationId: conversationId ?? undefined,
    lastServerId: lastServerId ?? undefined,
    deliveredUpTo,
    isReceiverKnown: lastServerId !== null,
    state: 'closed',
    isHeld: false,
    pendingCount: pending,
    quarantinedCount: 0,
    inFlightCount: 0,
    cursor: startOfLane,
  };
}

/** A user or group as messages carry it. `details` is JSON in the service's shape. */
export interface WirePerson {
  readonly id: number;
  readonly uid: string;
  readonly details: string;
}

/** Everything that the request's item for one message is made of. */
export interface WireParts {
  readonly muid: string;
  readonly sentAtMs: number;
  /** JSON object: category, type, data, tags. */
  readonly payload: string;
  readonly sender: WirePerson;
  readonly receiverType: 'user' | 'group';
  /** The other person of a one-to-one chat, or nothing for a group. */
  readonly peer: WirePerson | undefined;
  readonly guid: string;
  /** JSON of the group's details. */
  readonly groupDetails: string;
  /** Whether the details travel with this message. */
  readonly withSender: boolean;
  readonly withReceiver: boolean;
}

export type WireOptions = Pick<Profile, 'timesAs' | 'groupDetailsIn'>;

/**
 * The item of an import request for one message, `"muid":{…}`, put together from JSON that was made when it was staged.
 * Ids and muids are `[a-z0-9_-]`, so they need no escaping.
 */
export function wireMessage(parts: WireParts, options: WireOptions): string {
  const { muid, sender, peer, guid, receiverType, payload } = parts;
  const receiver = receiverType === 'group' ? guid : peer!.uid;
  const seconds = Math.floor(parts.sentAtMs / 1000);
  const sentAt = options.timesAs === 'string' ? `"${seconds}"` : seconds;
  let item = `"${muid}":{"muid":"${muid}","sender":"${sender.uid}","receiver":"${receiver}","receiverType":"${receiverType}","sentAt":${sentAt},`;
  item += payload.slice(1, -1);
  if (parts.withSender) item += `,"senderUserDetails":${sender.details}`;
  if (parts.withReceiver) item += receiverDetails(parts, options);
  return `${item}}`;
}

function receiverDetails(
  { receiverType, peer, guid, groupDetails }: WireParts,
  { groupDetailsIn }: WireOptions,
): string {
  if (receiverType === 'user') return `,"receiverUserDetails":${peer!.details}`;
  if (groupDetailsIn === 'receiverGroupDetails') return `,"receiverGroupDetails":${groupDetails}`;
  // The specification's one field for both: a group goes under `uid` there, as a user would.
  return `,"receiverUserDetails":{"uid":"${guid}",${groupDetails.slice(1)}`;
}
