import type { Database } from 'better-sqlite3';
import type { VerifyCounts } from '../model/totals.ts';
import { joinPair, type ShownConversation, shownConversation } from './base/columns.ts';
import { touchedSince, unsettled } from './base/delivery-sql.ts';
import { insideMessages } from './base/inside-messages.ts';
import { inPages } from './base/pages.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';
import { AdoptedRows, UnknownMessages } from './checks/adopted.ts';
import { Differences } from './checks/differences.ts';
import { AbsentMessages, ReceiptIds, SeenMessages } from './checks/listed.ts';
import { Purge, type Purgeable as StoredPurgeable } from './checks/purge.ts';
import { GenerationMuids, MetMessages, ReconciledRows } from './checks/reconciled.ts';
import { Lanes } from './lanes.ts';

export type AbsentMessage = ReturnType<AbsentMessages['inOrder']>[number];
export type AdoptingMessage = NonNullable<ReturnType<AdoptedRows['find']>>;
export type Difference = Parameters<Differences['add']>[0];
export type Followed = ReturnType<UnknownMessages['followed']>[number];
export interface Purgeable extends StoredPurgeable {}
export type UnknownMessage = Parameters<UnknownMessages['add']>[1];

/** Result of reading back one conversation. */
interface ConversationCheck extends VerifyCounts {
  readonly conversation: number;
}

/**
 * Scope of checks: checks of whole conversations are stored for later; checks of what a filter finds in them are kept
 * for this connection only.
 */
export type CheckScope = 'whole' | 'inside';

interface NamedCheck extends ConversationCheck {
  readonly readAtMs: number;
}

interface DifferenceRow extends Pick<Difference, 'kind' | 'muid' | 'detail'> {
  /** Id of the conversation at the source. */
  readonly sourceId: string | null;
  readonly name: string | null;
  readonly path: string | null;
  readonly place: string | null;
}

/** Messages that were sent and have not been verified without a difference since. */
interface Unverified {
  /** When the first run began that sent something after everything was verified clean. */
  readonly sinceMs: number;
  readonly conversations: number;
  /** True if something is known to differ; otherwise it has not been checked. */
  readonly differing: boolean;
}

interface SampleChoice {
  readonly destination: number;
  /** Messages; all of them where there are fewer. */
  readonly size: number;
  /** A number for a message's `seq` that looks random; the same function chooses the same messages. */
  readonly hashOf: (seq: number) => number;
  /** Only of the messages that `Lanes.chooseInside` wrote down. */
  readonly insideOnly: boolean;
}

/** A verification, of an import or a command, that was about everything it could be about: its run is `r`. */
const isWhole = `r.destination = ? AND r.verify IS NOT NULL
  AND json_extract(r.verify, '$.only') IS NULL AND json_extract(r.verify, '$.sample') IS NULL`;

/** It found everything that was done after the messages. */
const hasActions = `NOT EXISTS (SELECT 1 FROM json_each(r.verify, '$.actions') k WHERE json_extract(k.value, '$.missing') > 0)`;

/** It found no difference at all. */
const isClean = `${hasActions} AND json_extract(r.verify, '$.missing') + json_extract(r.verify, '$.extra')
  + json_extract(r.verify, '$.different') + json_extract(r.verify, '$.duplicated') = 0`;

const latest = (where: string) => `SELECT coalesce(max(r.id), 0) FROM run r WHERE ${where}`;

/** SQL for a delivery `d`: pending, although it was there once and was not rolled back: an undo begins another generation. */
const wasAtDestination = `d.state = 'pending' AND EXISTS (SELECT 1 FROM delivery_history h WHERE h.message = d.message
  AND h.destination = d.destination AND h.state IN ('imported', 'existing') AND h.generation = d.generation)`;

const isSendable = `m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM media_message mm WHERE mm.message = m.seq AND mm.waits = 1)`;

const tables = { whole: 'main.conversation_check', inside: 'temp.inside_check' } as const;

const counts =
  'conversation, read_at AS readAtMs, same, missing, extra, different, duplicated, foreign_to AS "foreign"';
const sums = Object.entries({
  same: 'same',
  missing: 'missing',
  extra: 'extra',
  different: 'different',
  duplicated: 'duplicated',
  foreign: 'foreign_to',
})
  .map(([name, column]) => `coalesce(sum(${column}), 0) AS "${name}"`)
  .join(', ');

interface CheckRow extends ConversationCheck {
  readonly destination: number;
  readonly nowMs: number;
}

const checkStatements = (scope: CheckScope) =>
  lateStatements({
    save: sql<CheckRow>`
      INSERT OR REPLACE INTO ${tables[scope]}
      VALUES (@destination, @conversation, @nowMs, @same, @missing, @extra, @different, @duplicated, @foreign)`,
    clear: sql<[destination: number]>`DELETE FROM ${tables[scope]} WHERE destination = ?`,
    sum: sql<[destination: number], VerifyCounts>`SELECT ${sums} FROM ${tables[scope]} WHERE destination = ?`,
    differing: sql<[destination: number, max: number], NamedCheck>`
      SELECT ${counts} FROM ${tables[scope]}
      WHERE destination = ? AND missing + extra + different + duplicated > 0
      ORDER BY missing + extra + different + duplicated DESC, conversation LIMIT ?`,
  });
const wholeStatements = checkStatements('whole');
const insideStatements = checkStatements('inside');

const isDelivered = `d.destination = ? AND d.state IN ('imported', 'existing')`;
const isDeliveredInside = `${isDelivered} AND d.message IN (${insideMessages})`;
const sample = (isEligible: string) => `
    INSERT INTO temp.absent SELECT conversation, seq, NULL FROM (
      SELECT conversation, seq, hash, row_number() OVER (PARTITION BY conversation ORDER BY hash, seq) AS turn FROM (
        SELECT m.conversation, m.seq, chatferry_hash(m.seq) AS hash
        FROM delivery d JOIN message m ON m.seq = d.message
        WHERE ${isEligible}))
    ORDER BY turn, hash, seq LIMIT ?`;
const chooseGone = (among: string) => `
    INSERT OR IGNORE INTO temp.chosen SELECT d.message FROM delivery d JOIN message m ON m.seq = d.message
    WHERE d.destination = ? AND ${wasAtDestination} AND ${isSendable} ${among}`;

type Since = { readonly destination: number; readonly run: number };

const statements = lateStatements({
  drop: sql<[destination: number, conversation: number]>`
    DELETE FROM main.conversation_check WHERE destination = ? AND conversation = ?`,
  all: sql<[destination: number, after: number], NamedCheck & ShownConversation>`
    SELECT ${shownConversation}, ${counts} FROM conversation_check k JOIN conversation c ON c.id = k.conversation ${joinPair}
    WHERE k.destination = ? AND k.conversation > ? ORDER BY k.conversation LIMIT 1000`,
  differences: sql<[destination: number, after: number], DifferenceRow & { readonly id: number }>`
    SELECT d.rowid AS id, d.kind, d.muid, d.detail, c.source_id AS sourceId, c.name, f.path, m.place FROM difference d
    LEFT JOIN conversation c ON c.id = d.conversation
    LEFT JOIN message m ON m.seq = d.message LEFT JOIN source_file f ON f.id = m.file
    WHERE d.destination = ? AND d.rowid > ? ORDER BY d.rowid LIMIT 1000`,
  home: value<[muid: string, destination: number, muid: string], number>`
    SELECT conversation FROM message WHERE muid = ? AND verdict <> 'duplicate' AND conversation IS NOT NULL
    UNION ALL SELECT m.conversation FROM delivery d JOIN message m ON m.seq = d.message WHERE d.destination = ? AND d.muid = ?
    LIMIT 1`,
  lastVerified: value<[destination: number], number>`${latest(`${isWhole} AND ${hasActions}`)}`,
  lastWhole: value<[destination: number], number>`${latest(isWhole)}`,
  lastClean: value<[destination: number], number>`${latest(`${isWhole} AND ${isClean}`)}`,
  hasSent: sql<Since>`SELECT 1 FROM batch WHERE destination = @destination AND run > @run LIMIT 1`,
  hasActed: sql<Since>`SELECT 1 FROM action_delivery WHERE destination = @destination AND run > @run LIMIT 1`,
  hasUnsettled: sql<{ destination: number }>`${unsettled} LIMIT 1`,
  hasDiffering: sql<{ destination: number }>`SELECT 1 FROM (${unsettled} AND k.conversation IS NOT NULL) LIMIT 1`,
  countUnsettled: value<{ destination: number }, number>`SELECT count(*) FROM (${unsettled})`,
  countUnsettledOrTouched: value<Since, number>`SELECT count(*) FROM (${unsettled} UNION ${touchedSince})`,
  firstSentAt: value<[destination: number, after: number], number>`
    SELECT started_at FROM run WHERE destination = ? AND id > ?
    ORDER BY NOT EXISTS (SELECT 1 FROM batch WHERE batch.run = run.id), id LIMIT 1`,
  countDelivered: value<[destination: number], number>`SELECT count(*) FROM delivery d WHERE ${isDelivered}`,
  countDeliveredInside: value<
    [destination: number],
    number
  >`SELECT count(*) FROM delivery d WHERE ${isDeliveredInside}`,
  sample: sql<[destination: number, size: number]>`${sample(isDelivered)}`,
  sampleInside: sql<[destination: number, size: number]>`${sample(isDeliveredInside)}`,
  countSampled: value<[], number>`SELECT count(DISTINCT conversation) FROM temp.absent`,
  sampled: sql<[destination: number, after: number], { conversation: number; delivered: number }>`
    SELECT s.conversation, (SELECT count(*) FROM message m JOIN delivery d ON d.destination = ? AND d.message = m.seq
        WHERE m.conversation = s.conversation AND m.verdict = 'planned' AND d.state IN ('imported', 'existing')) AS delivered
    FROM (SELECT DISTINCT conversation FROM temp.absent WHERE conversation > ? ORDER BY conversation LIMIT 200) s`,
  countGone: value<[destination: number], number>`
    SELECT count(*) FROM delivery d JOIN message m ON m.seq = d.message
    WHERE d.destination = ? AND ${wasAtDestination} AND m.verdict = 'planned' AND m.vanished = 0`,
  chooseFound: sql<[destination: number]>`
    INSERT OR IGNORE INTO temp.chosen SELECT f.message FROM difference f CROSS JOIN message m ON m.seq = f.message
    CROSS JOIN delivery d ON d.destination = f.destination AND d.message = f.message
    WHERE f.destination = ? AND f.kind = 'missing' AND d.state IN ('imported', 'existing') AND ${isSendable}`,
  chooseGone: sql<[destination: number]>`${chooseGone('')}`,
  chooseGoneInside: sql<[destination: number]>`${chooseGone(`AND d.message IN (${insideMessages})`)}`,
  collectCutOff: sql<[destination: number]>`
    INSERT OR IGNORE INTO temp.cut_off SELECT m.conversation FROM temp.chosen c CROSS JOIN message m ON m.seq = c.message
    CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
    JOIN conversation_delivery cd ON cd.destination = d.destination AND cd.conversation = m.conversation
    WHERE cd.last_server_id = d.server_id`,
  putBack: sql<[destination: number]>`
    UPDATE delivery SET state = 'pending', server_id = NULL, code = NULL, detail = NULL
    WHERE destination = ? AND state <> 'pending' AND message IN (SELECT message FROM temp.chosen)`,
  cutOff: sql<[destination: number]>`
    UPDATE conversation_delivery AS cd SET last_server_id = (
      SELECT d.server_id FROM message m CROSS JOIN delivery d ON d.destination = cd.destination AND d.message = m.seq
      WHERE m.conversation = cd.conversation AND m.verdict = 'planned'
        AND d.state IN ('imported', 'existing') AND d.server_id IS NOT NULL
      ORDER BY CAST(d.server_id AS INTEGER) DESC LIMIT 1)
    WHERE destination = ? AND conversation IN (SELECT conversation FROM temp.cut_off)`,
  countChosen: value<[destination: number], number>`
    SELECT count(*) FROM temp.chosen c CROSS JOIN delivery d ON d.destination = ? AND d.message = c.message
    WHERE d.state IN ('imported', 'existing')`,
});

/** Content of a destination, compared with what the store says about it. */
export class Checks extends withStatements(statements) {
  readonly purge: Purge;
  readonly #scopes: Readonly<Record<CheckScope, ReturnType<typeof wholeStatements>>>;

  constructor(db: Database) {
    super(db);
    this.#scopes = { whole: wholeStatements(db), inside: insideStatements(db) };
    this.purge = new Purge(db);
  }

  /** Forgets which messages an earlier one has seen. */
  openSeen(): SeenMessages {
    return new SeenMessages(this.db);
  }

  openAbsent(destination: number, insideOnly: boolean): AbsentMessages {
    return new AbsentMessages(this.db, destination, insideOnly);
  }

  openReceipts(destination: number): ReceiptIds {
    return new ReceiptIds(this.db, destination);
  }

  openDifferences(destination: number): Differences {
    return new Differences(this.db, destination);
  }

  /** Messages that were met while conversations are read by `reconcile` or `undo`. */
  openMet(destination: number): MetMessages {
    return new MetMessages(this.db, destination);
  }

  openGenerations(): GenerationMuids {
    return new GenerationMuids(this.db);
  }

  openReconciled(destination: number, run: number): ReconciledRows {
    return new ReconciledRows(this.db, destination, run);
  }

  openAdopted(destination: number): AdoptedRows {
    return new AdoptedRows(this.db, destination);
  }

  openUnknown(): UnknownMessages {
    return new UnknownMessages(this.db);
  }

  /** Writes down what verify found in a conversation, in place of what an earlier one did. */
  save(destination: number, scope: CheckScope, check: ConversationCheck, nowMs: number): void {
    this.#of(scope).save.run({ destination, nowMs, ...check });
  }

  /** Forgets what was found in every conversation: all of them are read again. */
  clear(destination: number, scope: CheckScope): void {
    this.#of(scope).clear.run(destination);
  }

  /** Forgets what was found in one conversation when it was read whole: something in it is known to differ since. */
  drop(destination: number, conversation: number): void {
    this.sql.drop.run(destination, conversation);
  }

  sum(destination: number, scope: CheckScope): VerifyCounts {
    return this.#of(scope).sum.get(destination)!;
  }

  /** All of them, by conversation. */
  all(destination: number): Iterable<NamedCheck & ShownConversation> {
    return inPages('conversation', (after) => this.sql.all.all(destination, after));
  }

  /** Those in which something differs, most first. */
  differing(destination: number, scope: CheckScope, max: number): NamedCheck[] {
    return this.#of(scope).differing.all(destination, max);
  }

  /** All differences of the last look at a destination, in the order in which they were found. */
  allDifferences(destination: number): Iterable<DifferenceRow> {
    return inPages('id', (after) => this.sql.differences.all(destination, after));
  }

  /** The conversation to which a muid belongs; nothing if the store does not know it. */
  homeOf(destination: number, muid: string): number | undefined {
    return this.sql.home.get(muid, destination, muid);
  }

  /**
   * The latest run that read back what is at a destination, or 0: what was sent before it is compared already. Conversations in
   * which it found something are read again in any case (`unsettled`); actions that were missing are looked for from before it.
   */
  lastVerifiedRun(destination: number): number {
    return this.sql.lastVerified.get(destination)!;
  }

  /** Whether something is to be read back: sent or done by runs after this one, or found to differ. @param run Default: the last verified one. */
  isToVerify(destination: number, run = this.lastVerifiedRun(destination)): boolean {
    const { hasSent, hasActed, hasUnsettled } = this.sql;
    return (
      [hasSent, hasActed].some((asked) => asked.get({ destination, run })) ||
      hasUnsettled.get({ destination }) !== undefined
    );
  }

  /** Nothing where everything that was sent was verified clean. */
  unverified(destination: number): Unverified | undefined {
    const run = this.lastVerifiedRun(destination);
    if (!this.isToVerify(destination, run)) return undefined;
    const { countUnsettled, countUnsettledOrTouched, lastWhole, lastClean, hasDiffering, firstSentAt } = this.sql;
    // Before the first verification all of them are unsettled: who looks while it imports need not go through every message for that.
    const conversations =
      run === 0 ? countUnsettled.get({ destination })! : countUnsettledOrTouched.get({ destination, run })!;
    const isMissingActions = lastWhole.get(destination)! > run;
    return {
      sinceMs: firstSentAt.get(destination, lastClean.get(destination)!) ?? 0,
      conversations,
      differing: hasDiffering.get({ destination }) !== undefined || isMissingActions,
    };
  }

  /**
   * Chooses delivered messages at random, as many as possible from different conversations: one of each, then a second of
   * each, and so on. Written down as absent (`absent`), for a look to find them.
   *
   * @returns How many were chosen, of how many.
   */
  sample({ destination, size, hashOf, insideOnly }: SampleChoice) {
    this.db.function('chatferry_hash', { deterministic: true }, hashOf as (seq: unknown) => number);
    const of = this.sql[insideOnly ? 'countDeliveredInside' : 'countDelivered'].get(destination)!;
    const messages = this.sql[insideOnly ? 'sampleInside' : 'sample'].run(destination, size).changes;
    return { messages, of, conversations: this.sql.countSampled.get()! };
  }

  /** Conversations of the sample by id, each with the number of messages delivered to it. */
  sampled(destination: number) {
    return inPages('conversation', (after) => this.sql.sampled.all(destination, after));
  }

  /** How many messages are known to be gone from a destination, and are to be sent again. */
  countGone(destination: number): number {
    return this.sql.countGone.get(destination)!;
  }

  /**
   * Chooses the messages that the latest verification found missing and that can be sent again (`Lanes.choose`),
   * including those that an interrupted repair has already put back. Messages that the plan no longer holds stay as they
   * are, and so do messages that wait for a file.
   *
   * @param insideOnly Only messages that `Lanes.chooseInside` wrote down.
   * @returns How many.
   */
  chooseMissing(destination: number, insideOnly = false): number {
    new Lanes(this.db).choose([]);
    const gone = this.sql[insideOnly ? 'chooseGoneInside' : 'chooseGone'];
    return this.sql.chooseFound.run(destination).changes + gone.run(destination).changes;
  }

  /**
   * Makes the chosen messages pending again, in one transaction. If the last known message of a conversation is among
   * them, the message before it becomes the last known one: lane opening asks for what comes after that.
   */
  putBackChosen(destination: number): void {
    this.db.exec(
      'CREATE TEMP TABLE IF NOT EXISTS cut_off (conversation INTEGER PRIMARY KEY); DELETE FROM temp.cut_off',
    );
    const { collectCutOff, putBack, cutOff } = this.sql;
    const putAllBack = this.db.transaction(() => {
      for (const step of [collectCutOff, putBack, cutOff]) step.run(destination);
    });
    putAllBack.immediate();
  }

  /** How many of the chosen messages have a good receipt. */
  countChosenDelivered(destination: number): number {
    return this.sql.countChosen.get(destination)!;
  }

  #of(scope: CheckScope) {
    // Made from the other, so that columns and their order are those of the table for whole conversations.
    if (scope === 'inside')
      this.db.exec(`CREATE TEMP TABLE IF NOT EXISTS inside_check AS SELECT * FROM main.conversation_check WHERE false;
        CREATE UNIQUE INDEX IF NOT EXISTS temp.inside_check_key ON inside_check (destination, conversation)`);
    return this.#scopes[scope];
  }
}
