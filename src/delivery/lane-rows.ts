import { Recent } from '../lib/maps/recent.ts';
import type { Store } from '../store/open.ts';
import type { NextRow, StoredLane } from '../store/lanes.ts';
import { wireMessage, type WireOptions, type WirePerson } from './lanes.ts';
import type { ReadRows } from './batches.ts';
import type { Target } from './target.ts';
import { isBefore, type Lane, laneOf, type LaneRow } from './lanes.ts';

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
  const rowsByMuid = lanes.rowsByMuid(destination);
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

export function expectedLanes(store: Store, { id, profile }: Pick<Target, 'id' | 'profile'>): ExpectedLanes {
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
