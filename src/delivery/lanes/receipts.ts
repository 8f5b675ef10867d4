import { formatCount } from '../../lib/text/count.ts';
import type { ConversationNews, DeliveryChange, FirstReceipt } from '../../store/batches.ts';
import type { MessageAnswer } from '../../service/outcome.ts';
import type { Batch } from '../destination.ts';
import { differentContent } from '../compare.ts';
import { type Found, readBack } from '../read-back.ts';
import type { Sending } from './sending.ts';
import { isBefore, type Lane, type LaneRow, noteDelivered } from '../lanes.ts';
import type { OpenLanes } from './open-lanes.ts';
import type { Quarantine } from './quarantine.ts';
import type { StopReasons } from './stop-reasons.ts';
import type { FailureWords } from './stop-rules.ts';
import type { Traffic } from './traffic.ts';

/** Rows whose answer is missing and that were not found. */
interface NotFound {
  /** Not there: pending again. */
  readonly absent: readonly LaneRow[];
  /** Their outcome is unknown, and sending them again might double them: nothing more is done about them in this run. */
  readonly leftUnconfirmed: readonly LaneRow[];
}

/** Records written together with changes of deliveries. */
interface Written {
  /** Receipts of rows of which nothing was written down before. */
  readonly first?: readonly FirstReceipt[];
  /** Rows that are there. */
  readonly good?: readonly LaneRow[];
  /** The latest server id of each lane that a receipt named. */
  readonly serverIds?: ReadonlyMap<Lane, string>;
  /** Nothing of the batch is unconfirmed any more; so it is, unless said otherwise. */
  readonly closes?: boolean;
}

/** Parts of a run that receipts are reported to at once: lanes continue before the receipts are on disk. */
export interface ReceiptListeners {
  readonly openLanes: Pick<OpenLanes, 'release'>;
  readonly quarantine: Pick<Quarantine, 'noteSuccess'>;
  readonly stops: Pick<StopReasons, 'noteAnswer'>;
  readonly traffic: Pick<Traffic, 'wait'>;
}

/** Records the outcome of the messages of a batch, and determines it if no answer gives it. */
export class Receipts {
  readonly #sending: Pick<Sending, 'session' | 'records' | 'proof' | 'outsiders'>;
  readonly #tell: ReceiptListeners;

  constructor(sending: Pick<Sending, 'session' | 'records' | 'proof' | 'outsiders'>, listeners: ReceiptListeners) {
    this.#sending = sending;
    this.#tell = listeners;
  }

  /**
   * Writes receipts down. The first ones of a run also prove that messages can be read back there.
   *
   * The lanes are free before the receipts are on disk: the intents of what comes next are then written with them, in one commit, and
   * nothing leaves before that.
   *
   * @returns Rows whose answer is missing, or that are said to be there already.
   * @throws DestinationError if nothing can be read back, and the user has not said what to do then.
   */
  async receive(
    batch: Batch,
    answers: ReadonlyMap<string, MessageAnswer>,
    missing: readonly string[],
  ): Promise<LaneRow[]> {
    if (answers.size > 0) this.#tell.quarantine.noteSuccess(batch.rows);
    const isMissing = missing.length > 0 ? new Set(missing) : undefined;
    const changes: DeliveryChange[] = [];
    const first: FirstReceipt[] = [];
    const good: LaneRow[] = [];
    const refused: LaneRow[] = [];
    const doubtful: LaneRow[] = [];
    const serverIds = new Map<Lane, string>();
    const waiting = await this.#findWaiting(batch.rows, answers);
    const existingUpTo = lastThatExists(batch, answers);
    for (const [index, row] of batch.rows.entries()) {
      const answer = isMissing?.has(row.muid) ? undefined : answers.get(row.muid);
      if (!answer || answer.result === 'already-exists') {
        doubtful.push(row);
      } else if (answer.result === 'imported') {
        const isLate = index < (existingUpTo.get(row.lane) ?? -1);
        const { seq } = row;
        if (row.isNew) first.push({ seq, serverId: answer.serverId, isLate: isLate || row.isLate });
        else changes.push({ seq, state: 'imported', serverId: answer.serverId, isLate });
        good.push(row);
        this.#sending.outsiders.noteTaken(row);
        this.#tell.stops.noteAnswer(undefined, '');
        row.lane.conversationId ??= answer.conversationId;
        if (answer.serverId !== undefined) serverIds.set(row.lane, answer.serverId);
      } else {
        const { code, detail } = answer;
        const waits = waiting.has(row);
        changes.push({ seq: row.seq, state: waits ? 'pending' : 'failed', code, detail });
        refused.push(row);
        if (waits) this.#hold(row.lane);
        else this.#tell.stops.noteAnswer(code, detail);
      }
    }
    const written = this.#write(batch, changes, { first, good, serverIds, closes: doubtful.length === 0 });
    // If something else fails before this is awaited, that failure is reported: a full disk makes everything fail at
    // once.
    written.catch(() => {});
    const { proof } = this.#sending;
    const [one] = good;
    if (one && proof.isNeeded) {
      await written;
      await proof.prove(one, serverIdIn(answers, one));
    }
    this.#tell.openLanes.release([...good, ...refused]);
    await written;
    return doubtful;
  }

  /**
   * Determines the outcome of rows without an answer: reads back at once; a missing message counts as absent only after
   * the grace period. If duplicates are refused, only messages that are said to be there are awaited: the listing may
   * be behind. If nothing can be read back, only a destination that refuses duplicates gets the rows again.
   *
   * @param isSettled Called with how many were found at once: whether the others are absent without waiting.
   * @param isApart Whether other messages of its conversation come between it and the others of the batch.
   */
  async findOut(
    batch: Batch,
    rows: readonly LaneRow[],
    {
      answers = new Map(),
      isSettled = () => false,
      isApart,
    }: {
      readonly answers?: ReadonlyMap<string, MessageAnswer>;
      readonly isSettled?: (foundCount: number) => boolean;
      readonly isApart?: (row: LaneRow) => boolean;
    } = {},
  ): Promise<NotFound> {
    if (rows.length === 0) return { absent: [], leftUnconfirmed: [] };
    const { session, proof } = this.#sending;
    const { clock, target } = session;
    const { duplicates, graceLongMs } = target.profile;
    // "Already there" is ours only if a request with it left earlier; without an answer, what is found came from this one.
    const isOurs = ({ muid, hadIntent }: LaneRow) =>
      answers.get(muid)?.result !== 'already-exists' || hadIntent || batch.attemptCount > 1;
    if (!proof.reads) return await this.#findOutUnseen(batch, rows, answers, isOurs);
    const graceEndsAt = clock.monotonic() + graceLongMs;
    const absent = await this.#readBack(batch, rows, isOurs, isApart);
    if (absent.length === 0) return { absent, leftUnconfirmed: [] };
    const isAwaited = ({ muid }: LaneRow) => duplicates !== 'refused' || answers.get(muid)?.result === 'already-exists';
    const isKnown = isSettled(rows.length - absent.length) || graceLongMs === 0 || !absent.some(isAwaited);
    if (isKnown) return await this.#confirmAbsent(batch, absent);
    const waitMs = graceEndsAt - clock.monotonic();
    if (waitMs > 0)
      await this.#tell.traffic.wait(
        waitMs,
        `${formatCount(absent.length)} messages without an answer may still arrive`,
      );
    return await this.#confirmAbsent(batch, await this.#readBack(batch, absent, isOurs, isApart));
  }

  /** Nothing can be read back: an "already there" has to do, and everything else is unknown. */
  async #findOutUnseen(
    batch: Batch,
    rows: readonly LaneRow[],
    answers: ReadonlyMap<string, MessageAnswer>,
    isOurs: (row: LaneRow) => boolean,
  ): Promise<NotFound> {
    const [existing, unknown] = partition(rows, ({ muid }) => answers.get(muid)?.result === 'already-exists');
    const changes = existing.map((row) => ({
      seq: row.seq,
      state: isOurs(row) ? ('imported' as const) : ('existing' as const),
      code: 'not-compared',
      detail: 'The destination reports that it has the message; its content could not be read back',
    }));
    await this.#write(batch, changes, { good: existing, closes: unknown.length === 0 });
    this.#tell.openLanes.release(existing);
    return await this.#confirmAbsent(batch, unknown);
  }

  /** Sends rows that were not found again if that is safe; otherwise they stay unconfirmed. */
  async #confirmAbsent(batch: Batch, notFound: readonly LaneRow[]): Promise<NotFound> {
    if (this.#sending.proof.allowsAgain) {
      await this.putBack(batch, notFound);
      return { absent: notFound, leftUnconfirmed: [] };
    }
    this.#tell.openLanes.release(notFound);
    return { absent: [], leftUnconfirmed: notFound };
  }

  /** Surely not applied: the rows are pending again. */
  async putBack(batch: Batch, rows: readonly LaneRow[]): Promise<void> {
    const changes = rows.map(({ seq }) => ({ seq, state: 'pending' as const }));
    await this.#write(batch, changes);
  }

  /**
   * Marks messages as failed that the service says it has but that their conversation does not show, even after the
   * grace period: the message is somewhere else, and no further request would change that.
   *
   * @returns The other rows.
   */
  async refuseHidden(absent: readonly LaneRow[], answers: ReadonlyMap<string, MessageAnswer>): Promise<LaneRow[]> {
    const others: LaneRow[] = [];
    for (const row of absent) {
      const answer = answers.get(row.muid);
      if (answer?.result !== 'already-exists') others.push(row);
      else await this.refuse(row, { code: answer.code, detail: `${answer.detail}; it is not in this conversation` });
    }
    return others;
  }

  /** No request can carry this message: it is refused, with the words of the last one. */
  async refuse(row: LaneRow, { code, detail }: FailureWords): Promise<void> {
    const waits = await this.#sending.outsiders.waits(row, code);
    await this.#write(undefined, [{ seq: row.seq, state: waits ? 'pending' : 'failed', code, detail }]);
    if (waits) this.#hold(row.lane);
    this.#tell.openLanes.release([row]);
    if (!waits) this.#tell.stops.noteAnswer(code, detail);
  }

  /** Refused messages that are not failed, because their authors may become members. */
  async #findWaiting(
    rows: readonly LaneRow[],
    answers: ReadonlyMap<string, MessageAnswer>,
  ): Promise<ReadonlySet<LaneRow>> {
    const waiting = new Set<LaneRow>();
    for (const row of rows) {
      const answer = answers.get(row.muid);
      if (answer?.result === 'refused' && (await this.#sending.outsiders.waits(row, answer.code))) waiting.add(row);
    }
    return waiting;
  }

  /** The rest of the conversation is not sent in this run. */
  #hold(lane: Lane): void {
    this.#sending.session.advance(lane.pendingCount);
    lane.pendingCount = 0;
  }

  /** One read-back of each conversation concerned. @returns Rows that were not found. */
  async #readBack(
    batch: Batch,
    rows: readonly LaneRow[],
    isOurs: (row: LaneRow) => boolean,
    isApart: (row: LaneRow) => boolean = () => false,
  ): Promise<LaneRow[]> {
    const absent: LaneRow[] = [];
    // Messages that were read before the first one was found may have arrived since: they are read again.
    for (let unread = rows; unread.length > 0; ) {
      const { early, late } = await this.#readLanes(batch, unread, isOurs, isApart);
      absent.push(...late);
      const isFound = early.length + late.length < unread.length;
      if (!isFound) absent.push(...early);
      unread = isFound ? early : [];
    }
    if (absent.length === 0) await this.#write(batch, []);
    return absent;
  }

  /** @returns Rows that were not found, `early` if nothing of the batch had been found before they were read. */
  async #readLanes(
    batch: Batch,
    rows: readonly LaneRow[],
    isOurs: (row: LaneRow) => boolean,
    isApart: (row: LaneRow) => boolean,
  ): Promise<{ readonly early: LaneRow[]; readonly late: LaneRow[] }> {
    const { session, proof } = this.#sending;
    const absent = { early: [] as LaneRow[], late: [] as LaneRow[] };
    let when: keyof typeof absent = 'early';
    // Where messages are most likely to be found comes first.
    const lanes = [...Map.groupBy(rows, (row) => row.lane)].sort(
      ([, a], [, b]) => Number(a.every(isApart)) - Number(b.every(isApart)),
    );
    for (const [lane, laneRows] of lanes) {
      const found = await readBack(lane, laneRows, session.readPage, session.signal, isApart);
      const [present, notFound] = partition(laneRows, (row) => found.get(row)!.is !== 'absent');
      absent[when].push(...notFound);
      if (present.length > 0) {
        when = 'late';
        proof.note('key');
        this.#tell.quarantine.noteSuccess(batch.rows);
      }
      const late = overtaken(lane, present, found);
      const changes = present.map((row) => ({
        ...changeByReadBack(row, presentIn(found, row), isOurs(row)),
        isLate: late.has(row),
      }));
      for (const { state, code, detail } of changes)
        this.#tell.stops.noteAnswer(state === 'failed' ? code : undefined, detail ?? '');
      await this.#write(batch, changes, { good: present, closes: false });
      this.#tell.openLanes.release(present);
    }
    return absent;
  }

  async #write(
    batch: Batch | undefined,
    changes: readonly DeliveryChange[],
    { first = [], good = [], serverIds, closes = true }: Written = {},
  ): Promise<void> {
    const { journal, knownPeople } = this.#sending.records;
    const people: number[] = [];
    const conversations: ConversationNews[] = [];
    for (const { sender, lane } of good) {
      const peers = lane.receiverType === 'user' ? (lane.people ?? []) : [];
      for (const { id } of [sender, ...peers]) {
        if (knownPeople.has(id)) continue;
        knownPeople.add(id);
        people.push(id);
      }
    }
    for (const row of good) noteDelivered(row.lane, row);
    for (const lane of new Set(good.map((row) => row.lane))) {
      lane.isReceiverKnown = true;
      lane.lastServerId = serverIds?.get(lane) ?? lane.lastServerId;
      const { conversation, receiverType, conversationId, lastServerId } = lane;
      conversations.push({ conversation, receiverType, conversationId, lastServerId });
    }
    await journal.record(batch?.id, changes, { first, people, conversations, closes });
  }
}

function serverIdIn(answers: ReadonlyMap<string, MessageAnswer>, { muid }: LaneRow): string | undefined {
  const answer = answers.get(muid);
  return answer?.result === 'imported' ? answer.serverId : undefined;
}

/** The place in the batch of the last message of each lane that is said to be there already: what is new before it is late. */
function lastThatExists({ rows }: Batch, answers: ReadonlyMap<string, MessageAnswer>): ReadonlyMap<Lane, number> {
  const places = new Map<Lane, number>();
  for (const [index, { lane, muid }] of rows.entries()) {
    if (answers.get(muid)?.result === 'already-exists') places.set(lane, index);
  }
  return places;
}

/**
 * Messages that arrived behind younger ones of their lane, by the ids of the destination: a request that was given up was applied after
 * a part of the next one. Ids that are not numbers say nothing.
 *
 * @param rows Of one lane, in the order of the source; each was found.
 */
function overtaken(
  { deliveredUpTo, lastServerId }: Lane,
  rows: readonly LaneRow[],
  found: ReadonlyMap<LaneRow, Found>,
): ReadonlySet<LaneRow> {
  const late = new Set<LaneRow>();
  const known = numberOf(lastServerId);
  let earliest: bigint | undefined;
  for (const row of rows.toReversed()) {
    const arrival = numberOf(presentIn(found, row).listed.id);
    if (arrival === undefined) return new Set();
    const isKnownLater = known !== undefined && deliveredUpTo !== undefined && isBefore(row, deliveredUpTo);
    if (isKnownLater && (earliest === undefined || known < earliest)) earliest = known;
    if (earliest !== undefined && arrival > earliest) late.add(row);
    else earliest = arrival;
  }
  return late;
}

const numberOf = (id: string | undefined): bigint | undefined => (/^\d+$/.test(id ?? '') ? BigInt(id!) : undefined);

function presentIn(found: ReadonlyMap<LaneRow, Found>, row: LaneRow): Exclude<Found, { readonly is: 'absent' }> {
  const one = found.get(row)!;
  if (one.is === 'absent') throw new Error(`message ${row.seq} is absent`);
  return one;
}

/** Those for which it holds, and the others. */
export function partition<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}

function changeByReadBack(row: LaneRow, found: ReturnType<typeof presentIn>, isOurs: boolean): DeliveryChange {
  const serverId = found.listed.id;
  if (found.is === 'different') return differentContent(row.seq, serverId, found.fields);
  const copies = found.times > 1 ? { code: 'possible-duplicate', detail: `found ${found.times} times` } : {};
  return { seq: row.seq, state: isOurs ? 'imported' : 'existing', serverId, ...copies };
}
