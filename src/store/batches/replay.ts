import type { Database } from 'better-sqlite3';
import { lateStatements, sql, withStatements } from '../base/statements.ts';
import { Runs } from '../runs.ts';
import { Lanes } from '../lanes.ts';
import { wholePayload } from '../base/packed-payload.ts';
import { type ArrivalIntent, intendArrival } from '../arrivals.ts';

/** A request that left from another copy of the store: an import of messages, or of people, groups or members, or actions. */
interface LeftIntent {
  /** In the order of the request. */
  readonly muids: readonly string[];
  /** Ids in the store. */
  readonly actions: readonly number[];
  readonly arrivals: readonly number[];
  /** How long ago it left, in ms. */
  readonly agoMs: number;
  /** muid → the service's id, or empty if it named none, of messages that certainly arrived; undefined if no answer was reported. */
  readonly arrived: Readonly<Record<string, string>> | undefined;
}

interface Replayed {
  /** Messages and actions that are unconfirmed or known to have arrived since; each as often as it left. */
  readonly messages: number;
  readonly actions: number;
  readonly arrivals: number;
  /** Messages, actions and arrivals that the store does not know: the list is of another store, or of a newer plan. */
  readonly unknown: number;
}

interface KnownMessage extends MessagePlace {
  readonly bytes: number;
  readonly state: string | null;
  readonly isLate: number | null;
}

const known = `m.seq, m.conversation, m.sent_at AS sentAt, m.sort_key AS sortKey,
  coalesce(octet_length(${wholePayload('m')}), 0) AS bytes, d.state, d.is_late AS isLate`;

const statements = lateStatements({
  byMuid: sql<[destination: number, muid: string], KnownMessage>`
    SELECT ${known} FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.muid = ? AND m.verdict <> 'duplicate' AND d.muid IS NULL`,
  /** Finds a muid of a later generation. */
  byLaterMuid: sql<[destination: number, muid: string], KnownMessage>`
    SELECT ${known} FROM delivery d CROSS JOIN message m ON m.seq = d.message WHERE d.destination = ? AND d.muid = ?`,
  insertBatch: sql<[destination: number, run: number, size: number, bytes: number]>`
    INSERT INTO batch (destination, run, size, bytes, state) VALUES (?, ?, ?, ?, 'open')`,
  insertAttempt: sql<
    [batch: number, startedAt: number, uptime: number, endedAt: number | null, outcome: string | null]
  >`
    INSERT INTO attempt (batch, number, started_at, started_uptime, ended_at, outcome) VALUES (?, 1, ?, ?, ?, ?)`,
  fixReceiver: sql<[destination: number, conversation: number]>`
    INSERT INTO conversation_delivery (destination, conversation, receiver_type)
    SELECT ?, id, receiver_type FROM conversation WHERE id = ? ON CONFLICT (destination, conversation) DO NOTHING`,
  intend: sql<[destination: number, message: number, batch: number, isLate: number | null]>`
    INSERT INTO delivery (destination, message, state, batch, is_late) VALUES (?, ?, 'sent', ?, ?)
    ON CONFLICT (destination, message) DO UPDATE SET state = 'sent', batch = excluded.batch, is_late = excluded.is_late,
      payload = NULL, server_id = NULL, code = NULL, detail = NULL`,
  receive: sql<[serverId: string | null, destination: number, message: number]>`
    UPDATE delivery SET state = 'imported', server_id = ? WHERE destination = ? AND message = ?`,
  markLate: sql<[mark: number, destination: number, message: number]>`
    UPDATE delivery SET is_late = ? WHERE destination = ? AND message = ? AND is_late = 0`,
  hasAction: sql<[id: number]>`SELECT 1 FROM action WHERE id = ?`,
  intendAction: sql<{ destination: number; action: number; sentAt: number; run: number }>`
    INSERT INTO action_delivery (destination, action, state, server_id, attempts, sent_at, run)
    SELECT @destination, a.id, 'sent', d.server_id, 1, @sentAt, @run
    FROM action a LEFT JOIN delivery d ON a.message > 0 AND d.destination = @destination AND d.message = a.message WHERE a.id = @action
    ON CONFLICT (destination, action) DO UPDATE SET state = 'sent', server_id = excluded.server_id, attempts = attempts + 1,
      sent_at = excluded.sent_at, run = excluded.run, code = NULL, detail = NULL WHERE state NOT IN ('done', 'existing')`,
  hasArrival: sql<[id: number]>`SELECT 1 FROM arrival WHERE id = ?`,
  intendArrival: sql<ArrivalIntent>`${intendArrival} WHERE state NOT IN ('imported', 'existing')`,
});

/** Everything that left since a copy of the store was made. */
export class Replay extends withStatements(statements) {
  readonly counts: { -readonly [Name in keyof Replayed]: number } = {
    messages: 0,
    actions: 0,
    arrivals: 0,
    unknown: 0,
  };
  readonly #destination: number;
  readonly #options: { readonly nowMs: number; readonly uptimeMs: number; readonly lateMark: number };
  readonly #order: SendOrder;
  #run: number | undefined;

  constructor(
    db: Database,
    destination: number,
    options: { readonly nowMs: number; readonly uptimeMs: number; readonly lateMark: number },
  ) {
    super(db);
    this.#destination = destination;
    this.#options = options;
    this.#order = new SendOrder(db, destination);
  }

  add({ muids, actions, arrivals, agoMs, arrived }: LeftIntent): void {
    const startedAt = Math.ceil(this.#options.nowMs - agoMs);
    const messages = muids.flatMap((muid) => this.#openMessage(muid) ?? []);
    if (messages.length > 0) this.#addBatch(messages, agoMs, arrived);
    for (const action of actions) this.#addAction(action, startedAt);
    for (const arrival of arrivals) this.#addArrival(arrival, startedAt);
  }

  /** Returns undefined if the store already has an answer for it. */
  #openMessage(muid: string): (KnownMessage & { readonly muid: string }) | undefined {
    const found = this.sql.byMuid.get(this.#destination, muid) ?? this.sql.byLaterMuid.get(this.#destination, muid);
    if (!found) this.counts.unknown++;
    return found && (found.state === null || open.has(found.state)) ? { ...found, muid } : undefined;
  }

  #addBatch(
    messages: readonly (KnownMessage & { readonly muid: string })[],
    agoMs: number,
    arrived: LeftIntent['arrived'],
  ): void {
    const { insertBatch, insertAttempt, fixReceiver, intend, receive } = this.sql;
    const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
    const batch = Number(
      insertBatch.run(this.#destination, this.#runId(), messages.length, Math.max(bytes, 1)).lastInsertRowid,
    );
    const startedAt = Math.ceil(this.#options.nowMs - agoMs);
    const startedUptime = Math.ceil(this.#options.uptimeMs - agoMs);
    const ended = arrived ? { at: startedAt, outcome: 'answered' } : { at: null, outcome: null };
    insertAttempt.run(batch, startedAt, startedUptime, ended.at, ended.outcome);
    for (const conversation of new Set(messages.map((message) => message.conversation)))
      fixReceiver.run(this.#destination, conversation);
    for (const message of messages) {
      const { seq, muid, state, isLate } = message;
      this.#order.left(message, batch);
      intend.run(this.#destination, seq, batch, state === 'sent' ? isLate : 0);
      const id = arrived?.[muid];
      if (id !== undefined) receive.run(id || null, this.#destination, seq);
    }
    this.counts.messages += messages.length;
  }

  /** Messages that left behind younger ones of their conversations. Once everything is added: what left again is where it left last. */
  markLate(): void {
    const { lateMark } = this.#options;
    for (const seq of this.#order.late()) this.sql.markLate.run(lateMark, this.#destination, seq);
  }

  /** An action that failed in the copy was requested again later, so it is unconfirmed as well. */
  #addAction(action: number, sentAt: number): void {
    const { hasAction, intendAction } = this.sql;
    if (hasAction.get(action) === undefined) {
      this.counts.unknown++;
      return;
    }
    const { changes } = intendAction.run({ destination: this.#destination, action, sentAt, run: this.#runId() });
    this.counts.actions += changes;
  }

  /** It may be there because of us: "already exists" does not show that it was there before. */
  #addArrival(arrival: number, sentAt: number): void {
    const { hasArrival, intendArrival } = this.sql;
    if (hasArrival.get(arrival) === undefined) this.counts.unknown++;
    else {
      const intent = { destination: this.#destination, arrival, nowMs: sentAt, run: this.#runId() };
      this.counts.arrivals += intendArrival.run(intent).changes;
    }
  }

  /** Returns the run in which the intent left, if the copy was made during it; otherwise a substitute run that never ended. */
  #runId(): number {
    if (this.#run !== undefined) return this.#run;
    const runs = new Runs(this.db);
    const last = runs.latestAt(this.#destination);
    const isIt = last?.command === 'import' && last.endedAtMs === null;
    const { nowMs } = this.#options;
    this.#run = isIt
      ? last.id
      : runs.start({ command: 'import', destination: this.#destination, profile: null, nowMs });
    return this.#run;
  }
}

/** States without a final answer. */
const open: ReadonlySet<string> = new Set(['pending', 'sent']);

/** A place in the order of a conversation: time, sort key, `seq`. */
type Place = readonly [number, string, number];

export interface MessagePlace {
  readonly seq: number;
  readonly conversation: number;
  readonly sentAt: number;
  readonly sortKey: string;
}

interface LeftMessage {
  readonly place: Place;
  readonly batch: number;
  /** Since the copy was made. */
  readonly isNew: boolean;
}

/**
 * In which order messages of a conversation left. When one leaves, everything that left before it is known to be there or not; what was not
 * leaves again. So one that left behind a younger one that has not left again since is late.
 */
export class SendOrder {
  readonly #deliveredUpTo: (conversation: number) => Place | undefined;
  /** By conversation: the last message that the copy has as delivered. */
  readonly #upTo = new Map<number, Place | undefined>();
  /** By conversation, by `seq`. */
  readonly #left = new Map<number, Map<number, LeftMessage>>();

  constructor(db: Database, destination: number) {
    const lanes = new Lanes(db);
    this.#deliveredUpTo = (conversation) => lanes.deliveredUpTo(destination, conversation);
    for (const message of unconfirmedAt(db, destination)) this.#note(message, message.batch, false);
  }

  left(message: MessagePlace, batch: number): void {
    const { conversation } = message;
    // Before anything of it is imported.
    if (!this.#upTo.has(conversation)) this.#upTo.set(conversation, this.#deliveredUpTo(conversation));
    this.#note(message, batch, true);
  }

  /** @returns `seq` of each. */
  *late(): Generator<number> {
    for (const [conversation, messages] of this.#left) {
      const upTo = this.#upTo.get(conversation);
      let firstBatch = Number.POSITIVE_INFINITY;
      const youngestFirst = [...messages].sort(([, a], [, b]) => (isBefore(a.place, b.place) ? 1 : -1));
      for (const [seq, { place, batch, isNew }] of youngestFirst) {
        if (isNew && (firstBatch < batch || (upTo && isBefore(place, upTo)))) yield seq;
        firstBatch = Math.min(firstBatch, batch);
      }
    }
  }

  #note({ conversation, sentAt, sortKey, seq }: MessagePlace, batch: number, isNew: boolean): void {
    const known = this.#left.get(conversation) ?? new Map<number, LeftMessage>();
    this.#left.set(conversation, known.set(seq, { place: [sentAt, sortKey, seq], batch, isNew }));
  }
}

const unconfirmedAt = (db: Database, destination: number) =>
  db
    .prepare<[number], MessagePlace & { readonly batch: number }>(
      `SELECT m.seq, m.conversation, m.sent_at AS sentAt, m.sort_key AS sortKey, d.batch
       FROM batch b CROSS JOIN delivery d ON d.batch = b.id AND d.destination = b.destination CROSS JOIN message m ON m.seq = d.message
       WHERE b.destination = ? AND b.state = 'open' AND d.state = 'sent'`,
    )
    .all(destination);

const isBefore = (a: Place, b: Place): boolean =>
  a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];
