import { Recent } from '../lib/maps/recent.ts';
import type { Store } from '../store/open.ts';
import type { NextRow, StoredLane } from '../store/lanes.ts';
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
  pendingCount: number;
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

/** Lanes that are not open yet, in the order of sending. */
export interface ClosedLanes {
  readonly count: number;
  /** Messages of theirs to send. */
  readonly pendingCount: number;
  /** Each is made when it is taken: a lane takes some 3 KB, and there may be a million. */
  readonly lanes: Iterator<Lane>;
}

/** The lanes of a run: with something to send, and with something unconfirmed (those may have both). */
export function loadLanes(
  store: Store,
  destination: number,
  chosenOnly = false,
): { clear: ClosedLanes; doubtful: Lane[]; pendingCount: number } {
  const people = new Recent((id: number) => store.people.get(id));
  const { clearCount, clearPending, pendingCount, clear, doubtful } = store.lanes.pending(destination, chosenOnly);
  const toLane = (row: StoredLane) => laneOf(row, people, store.lanes.deliveredUpTo(destination, row.conversation));
  const lanes = Iterator.from(clear()).map(toLane);
  return {
    clear: { count: clearCount, pendingCount: clearPending, lanes },
    doubtful: doubtful().map(toLane),
    pendingCount,
  };
}

/** A lane of one conversation of a destination, as the store knows it. */
export function laneOf(
  { personA, personB, conversationId, lastServerId, isGroupThere, pending, doubtful: _, ...row }: StoredLane,
  people: { get(id: number): WirePerson },
  deliveredUpTo?: Lane['deliveredUpTo'],
): Lane {
  return {
    ...row,
    people: personA !== null && personB !== null ? [people.get(personA), people.get(personB)] : undefined,
    conversationId: conversationId ?? undefined,
    lastServerId: lastServerId ?? undefined,
    deliveredUpTo,
    isReceiverKnown: lastServerId !== null || isGroupThere === 1,
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

/** Reads up to `limit` rows of a lane from its cursor, without moving it. */
export type ReadRows = (lane: Lane, limit: number) => LaneRow[];

export interface LaneRowsOptions extends WireOptions {
  readonly destination: number;
  /** When people's and groups' details travel with a message. */
  readonly sendProfiles: 'first' | 'always' | 'never';
  /** People whose details a receipt has shown to be there; grows while sending. */
  readonly knownPeople: Pick<ReadonlySet<number>, 'has'>;
  /** Nothing is sent but what `Lanes.choose` named. */
  readonly chosenOnly?: boolean;
}

/** Reads messages as they go on the wire. */
export interface LaneRowsReader {
  /** The next ones to send of a lane. */
  readonly next: ReadRows;
  /** Those unconfirmed of a lane. */
  readonly doubtful: (lane: Lane) => LaneRow[];
  /** Finds a row of a lane by its muid, with the state of its delivery (null if nothing was tried). */
  readonly byMuid: (
    lane: Lane,
    muid: string,
  ) => { readonly row: ExpectedRow; readonly delivery: string | null } | undefined;
  /**
   * Reads many by their muids, for who asks for them next by `byMuid`.
   *
   * @param lane All of them are listed in it: its next ones after the page before are expected, and its cursor moves behind the page.
   */
  readonly load: (muids: readonly string[], lane?: Lane) => void;
}

/** A stored message, to be compared with the listing. The text sent to the service is built on demand. */
export interface ExpectedRow extends LaneRow {
  /** JSON, as it was sent or would be. */
  readonly payload: string;
  /** Uid or guid. */
  readonly receiver: string;
}

export function laneRowsReader(store: Store, options: LaneRowsOptions): LaneRowsReader {
  const { lanes } = store;
  const { destination, chosenOnly } = options;
  const rowsByMuid = lanes.openRowsByMuid(destination);
  const people = new Recent((id: number) => store.people.get(id));
  const currentMuid = lanes.hasRenewedMuids(destination)
    ? (muid: string) => lanes.currentMuid(destination, muid)
    : undefined;
  const payloadOf = ({ payload }: NextRow) => (currentMuid ? renewedPayload(payload, currentMuid) : payload);
  const toRow = (lane: Lane, row: NextRow) => laneRow(lane, row, payloadOf(row), people.get(row.sender), options);
  return {
    next: (lane, limit) => lanes.next(destination, lane, { limit, chosenOnly }).map((row) => toRow(lane, row)),
    doubtful: (lane) => lanes.doubtful(destination, lane.conversation).map((row) => toRow(lane, row)),
    byMuid(lane, muid) {
      const row = rowsByMuid.find(muid);
      if (row?.conversation !== lane.conversation) return undefined;
      return { row: new StoredRow(lane, row, payloadOf(row), people.get(row.sender), options), delivery: row.delivery };
    },
    load(muids, lane) {
      const last = rowsByMuid.load(muids, lane);
      if (lane && last?.conversation === lane.conversation) lane.cursor = last.cursor;
    },
  };
}

/** Lanes and their messages as the store has them for a target, to be compared with what is read back. */
export interface ExpectedLanes extends LaneRowsReader {
  readonly laneOf: (row: StoredLane) => Lane;
  /** The lane of a conversation, by its id. */
  readonly laneAt: (conversation: number) => Lane;
}

export function expectedLanes(
  store: Store,
  { id, profile }: { readonly id: number; readonly profile: Profile },
): ExpectedLanes {
  const people = new Recent((id: number) => store.people.get(id));
  return {
    ...laneRowsReader(store, { ...profile, destination: id, sendProfiles: 'never', knownPeople: new Set() }),
    laneOf: (row) => laneOf(row, people),
    laneAt: (conversation) => laneOf(store.lanes.find(id, conversation), people),
  };
}

/** Made for every message that is sent: one object, and no copy of another. */
function laneRow(lane: Lane, row: NextRow, payload: string, sender: WirePerson, options: LaneRowsOptions): LaneRow {
  const wire = wireOf(lane, row, payload, sender, options);
  return {
    seq: row.seq,
    sentAtMs: row.sentAtMs,
    sortKey: row.sortKey,
    muid: row.muid,
    lane,
    sender,
    hadIntent: row.delivery !== null,
    isNew: row.isNew === 1,
    isLate: isLate(lane, row),
    wire,
    bytes: Buffer.byteLength(wire),
  };
}

/**
 * Made for every message that is read back. Its text is made by the class, not by functions of each row, which would take four times
 * the memory.
 */
class StoredRow implements ExpectedRow {
  readonly seq: number;
  readonly sentAtMs: number;
  readonly sortKey: string;
  readonly muid: string;
  readonly lane: Lane;
  readonly sender: WirePerson;
  readonly hadIntent: boolean;
  readonly isNew = false;
  readonly isLate: boolean;
  readonly payload: string;
  readonly receiver: string;
  readonly #options: LaneRowsOptions;

  constructor(lane: Lane, row: NextRow, payload: string, sender: WirePerson, options: LaneRowsOptions) {
    this.seq = row.seq;
    this.sentAtMs = row.sentAtMs;
    this.sortKey = row.sortKey;
    this.muid = row.muid;
    this.lane = lane;
    this.sender = sender;
    this.hadIntent = row.delivery !== null;
    this.isLate = isLate(lane, row);
    this.payload = payload;
    this.receiver = peerOf(lane, sender)?.uid ?? lane.guid;
    this.#options = options;
  }

  get wire(): string {
    return wireOf(this.lane, this, this.payload, this.sender, this.#options);
  }

  get bytes(): number {
    return Buffer.byteLength(this.wire);
  }
}

const isLate = ({ deliveredUpTo }: Lane, row: NextRow): boolean =>
  row.late !== 0 || (deliveredUpTo !== undefined && isBefore(row, deliveredUpTo));

function wireOf(
  lane: Lane,
  { muid, sentAtMs }: Pick<NextRow, 'muid' | 'sentAtMs'>,
  payload: string,
  sender: WirePerson,
  { sendProfiles, knownPeople, timesAs, groupDetailsIn }: LaneRowsOptions,
): string {
  const travels = (isKnown: boolean) => sendProfiles === 'always' || (sendProfiles === 'first' && !isKnown);
  const { receiverType, guid, groupDetails } = lane;
  const peer = peerOf(lane, sender);
  const withSender = travels(knownPeople.has(sender.id));
  const withReceiver = travels(peer ? knownPeople.has(peer.id) : lane.isReceiverKnown);
  return wireMessage(
    { muid, sentAtMs, payload, sender, peer, receiverType, guid, groupDetails, withSender, withReceiver },
    { timesAs, groupDetailsIn },
  );
}

const peerOf = (lane: Lane, sender: WirePerson): WirePerson | undefined =>
  lane.receiverType === 'user' ? lane.people?.find(({ id }) => id !== sender.id) : undefined;

/**
 * A payload as it goes to a destination where messages have muids of a later generation: our key in its metadata, and
 * the messages that it answers, quotes, belongs to or follows, by the muids that they have there.
 *
 * @param payload JSON that the mapper made; parsing it and writing it again changes nothing else.
 * @param currentMuid By which muid the destination knows a message of the plan.
 */
export function renewedPayload(payload: string, currentMuid: (muid: string) => string): string {
  const item = JSON.parse(payload) as { data?: { metadata?: { chatferry?: Record<string, unknown> } } };
  const ours = item.data?.metadata?.chatferry;
  if (!ours) return payload;
  for (const name of ['key', 'thread', 'quote', 'head', 'follows'] as const) {
    const muid = ours[name];
    if (typeof muid === 'string') ours[name] = currentMuid(muid);
  }
  return JSON.stringify(item);
}
