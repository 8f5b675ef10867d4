import type { Database } from 'better-sqlite3';
import { printPlace } from '../lib/text/location.ts';
import { version } from '../lib/version.ts';
import type { ChangeKind, DriftPolicy } from '../model/change.ts';
import type { ConversationRecord, UserRecord } from '../model/records.ts';
import type { DeliveryTotals } from '../model/totals.ts';
import { column, joinPair, type RowOf, selectList, type ShownConversation, shownConversation } from './base/columns.ts';
import { hasMessageIndex } from './base/message-indexes.ts';
import { inPages } from './base/pages.ts';
import { lateStatements, sql, tuple, value, withStatements } from './base/statements.ts';
import { isPending } from './base/delivery-sql.ts';
import { Checks } from './checks.ts';
import { Facts } from './facts.ts';
import { Explanations, type MessageStory as StoredStory } from './totals/explain.ts';
import { Findings, type ListedFinding } from './totals/findings.ts';
import { type Found, Oddities, type OddRows } from './totals/odd.ts';

/** A row of a query for oddities. */
export type OddRow<Name extends keyof OddRows> = Found & OddRows[Name];
export interface MessageStory extends StoredStory {}
export type FoundMessage = ReturnType<Findings['messages']>[number];
export type FoundSubjects = Parameters<Findings['messages']>[0];
export interface ListedProblem extends ListedFinding {}

const messageColumns = {
  conversation: column<number | null>('conversation'),
  sender: column<number | null>('sender'),
  sentAt: column<number | null>('sent_at'),
  verdict: column<'planned' | 'skipped' | 'invalid' | 'duplicate'>('verdict'),
  reason: column<string | null>('reason'),
  /** JSON. */
  facts: column<string | null>('facts'),
  seq: column<number>('seq'),
  /** State of the delivery, or null if nothing was tried. */
  state: column<string | null>('state'),
  code: column<string | null>('code'),
  isLate: column<number | null>('is_late'),
  /** Size of the staged payload; without ids and details, which add some 150 bytes a message. */
  bytes: column<number | null>('bytes'),
};

/** Facts of one message that a report counts; read in one pass over all messages, without their payloads. */
export type MessageFacts = RowOf<typeof messageColumns>;

export interface ReadFile {
  readonly path: string;
  readonly fingerprint: string;
  /** `shared`: people and conversations, perhaps messages as well. */
  readonly role: 'rows' | 'shared';
  /** Path of the folder, archive or file that holds it. */
  readonly input: string;
}

/** Properties of a conversation, apart from its messages, that may be lost. */
export interface LossConversation {
  readonly id: number;
  readonly type: string;
  readonly receiverType: string;
  /** The two people of a one-to-one chat. */
  readonly personA: number | null;
  readonly personB: number | null;
  readonly isArchived: boolean;
  readonly hasCreator: boolean;
  readonly hasOwner: boolean;
  readonly hasName: boolean;
  readonly hasTopic: boolean;
  readonly hasDescription: boolean;
}

/** Messages of a conversation at a destination. */
interface ListedConversation extends DeliveryTotals, ShownConversation {
  readonly read: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

type Flag = 0 | 1;
type LossRow = readonly [number, string, string, number | null, number | null, Flag, Flag, Flag, Flag, Flag, Flag];

/** How many people have what the service cannot hold. */
export interface LossPeople {
  readonly total: number;
  /** Owners and admins. */
  readonly officers: number;
  readonly guests: number;
  readonly deleted: number;
  readonly placeholders: number;
  readonly emails: number;
  readonly phones: number;
  /** With a login name that differs from the name that is shown. */
  readonly handles: number;
}

export interface DriftGroup {
  readonly kind: ChangeKind;
  readonly policy: DriftPolicy;
  readonly count: number;
  /** How many of these the latest plan noticed. */
  readonly noticed: number;
}

interface PlacedRow {
  readonly path: string;
  readonly place: string;
}

interface ListedRow extends PlacedRow {
  readonly code: string | null;
  readonly conversation: string | null;
  readonly muid: string | null;
  readonly detail: string | null;
}

/** Kinds of ignored files that are listed. */
const ignoredMax = 50;

/** If a destination is not in the store yet, or none is named, the totals are those of a store that has sent nothing. */
const known = (destination: string) => `(SELECT id FROM destination WHERE id = ${destination})`;

const total = (condition: string) => `coalesce(sum(coalesce(${condition}, 0)), 0)`;
const given = (key: string) => `coalesce(record ->> '$.${key}', '') <> ''`;

const pendingBefore = `conversation c CROSS JOIN message m ON m.conversation = c.id AND m.verdict = 'planned'
      AND m.sent_at >= @fromMs AND m.sent_at < @beforeMs
    LEFT JOIN delivery d ON d.destination = ${known('@destination')} AND d.message = m.seq
    JOIN source_file f ON f.id = m.file WHERE ${isPending} AND m.vanished = 0 AND coalesce(m.part, 1) = 1`;

// The view goes through messages in their order: sorting would collect them all.
const listed = `f.path, m.place, c.name AS conversation, m.muid, m.detail FROM message_at_destination m
  JOIN source_file f ON f.id = m.file LEFT JOIN conversation c ON c.id = m.conversation
  WHERE m.destination IS ${known('?')}`;

const listedCounts = 'read, planned, imported, existing, failed, pending, unconfirmed, firstAtMs, lastAtMs';
const countState = (state: string) => `count(*) FILTER (WHERE state = '${state}')`;

const isSubSecond = `verdict = 'planned' AND sent_at % 1000 <> 0`;

interface Times {
  readonly destination: number | null;
  readonly fromMs: number;
  readonly beforeMs: number;
}

const statements = lateStatements({
  kept: value<[name: string], string>`SELECT value FROM totals_cache WHERE name = ?`,
  keep: sql<[name: string, value: string]>`INSERT OR REPLACE INTO totals_cache VALUES (?, ?)`,
  messages: sql<[destination: number | null], MessageFacts>`
    SELECT ${selectList(messageColumns)} FROM message_at_destination WHERE destination IS ${known('?')}`,
  place: sql<[destination: number | null, seq: number], PlacedRow & { readonly detail: string | null }>`
    SELECT f.path, m.place, m.detail FROM message_at_destination m JOIN source_file f ON f.id = m.file
    WHERE m.destination IS ${known('?')} AND m.seq = ?`,
  invalid: sql<[destination: number | null], ListedRow>`SELECT m.reason AS code, ${listed} AND m.verdict = 'invalid'`,
  refused: sql<[destination: number | null], ListedRow>`
    SELECT m.code, ${listed} AND m.state = 'failed' AND m.verdict = 'planned'`,
  countPendingBefore: value<Times, number>`SELECT count(*) FROM ${pendingBefore}`,
  pendingBefore: sql<Times & { readonly max: number }, PlacedRow & { readonly sentAtMs: number }>`
    SELECT f.path, m.place, m.sent_at AS sentAtMs FROM ${pendingBefore} ORDER BY m.seq LIMIT @max`,
  subSecond: value<[], number>`SELECT count(*) FROM message WHERE ${isSubSecond}`,
  // A tenth of what the table has to be read.
  subSecondByIndex: value<[], number>`SELECT count(*) FROM message INDEXED BY message_order WHERE ${isSubSecond}`,
  subSecondParts: value<[], number>`SELECT count(*) FROM message WHERE part > 1 AND ${isSubSecond}`,
  fileRoles: sql<[], Record<'shared' | 'rows' | 'skipped' | 'unknown', number>>`
    SELECT total(role = 'shared') AS shared, total(role = 'rows') AS rows, total(role = 'skipped') AS skipped,
      total(role = 'unknown') AS unknown FROM source_file`,
  ignoredFiles: sql<[], { reason: string; count: number; example: string }>`
    SELECT coalesce(reason, 'Not part of the format') AS reason, count(*) AS count, min(path) AS example FROM source_file
    WHERE role IN ('skipped', 'unknown') GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${ignoredMax}`,
  readFiles: sql<[paths: string], ReadFile>`
    SELECT f.path, f.fingerprint, f.role, i.path AS input FROM source_file f JOIN source_input i ON i.id = f.input
    WHERE f.role IN ('rows', 'shared') AND f.input IN (SELECT id FROM source_input) AND f.path IN (SELECT value FROM json_each(?))`,
  people: sql<[], { total: number; bots: number; deleted: number; placeholders: number }>`
    SELECT count(*) AS total, coalesce(sum(record ->> '$.isBot'), 0) AS bots,
      coalesce(sum(record ->> '$.isDeleted'), 0) AS deleted, coalesce(sum(is_placeholder), 0) AS placeholders FROM person`,
  lossPeople: sql<[], LossPeople>`
    SELECT count(*) AS total, ${total(`record ->> '$.role' IN ('owner', 'admin')`)} AS officers,
      ${total(`record ->> '$.role' IN ('guest', 'single-conversation-guest')`)} AS guests,
      ${total(`record ->> '$.isDeleted'`)} AS deleted, ${total('is_placeholder')} AS placeholders,
      ${total(`record ->> '$.email' <> ''`)} AS emails,
      ${total(`record ->> '$.phone' <> ''`)} AS phones,
      ${total(`record ->> '$.handle' <> record ->> '$.name'`)} AS handles FROM person`,
  lossConversations: tuple<[], LossRow>`
    SELECT id, type, receiver_type, person_a, person_b, coalesce(record ->> '$.isArchived', 0), ${given('creator')},
      details ->> '$.owner' IS NOT NULL, ${given('name')}, ${given('topic')}, ${given('description')} FROM conversation
    WHERE is_placeholder = 0`,
  eachPerson: sql<[after: number], { id: number; uid: string; record: string; hasHash: number }>`
    SELECT id, uid, record, has_hash AS hasHash FROM person WHERE id > ? ORDER BY id LIMIT 1000`,
  eachConversation: sql<[], { id: number; guid: string; receiverType: 'user' | 'group'; record: string }>`
    SELECT id, guid, receiver_type AS receiverType, record FROM conversation`,
  directConversations: sql<[], { id: number; a: number; b: number }>`
    SELECT id, person_a AS a, person_b AS b FROM conversation WHERE receiver_type = 'user'`,
  conversationRecord: value<[id: number], string>`SELECT record FROM conversation WHERE id = ?`,
  // With a limit SQLite works out the state of a row once, and not for each count.
  listConversations: sql<{ readonly destination: number | null; readonly max: number }>`
    INSERT INTO temp.listed_conversation
    SELECT conversation, count(*) AS read, count(state) AS planned, ${['imported', 'existing', 'failed', 'pending', 'sent'].map(countState).join(', ')},
      min(at), max(at)
    FROM (SELECT conversation, seq, iif(verdict = 'planned', coalesce(state, 'pending'), NULL) AS state,
        iif(verdict = 'planned', sent_at, NULL) AS at
      FROM message_at_destination WHERE destination IS ${known('@destination')} AND verdict <> 'duplicate' AND conversation IS NOT NULL LIMIT -1)
    GROUP BY conversation ORDER BY planned DESC, read DESC, min(seq) LIMIT @max`,
  listedConversations: sql<[after: number], ListedConversation>`
    SELECT ${shownConversation}, ${listedCounts} FROM temp.listed_conversation l
    JOIN conversation c ON c.id = l.conversation ${joinPair} WHERE l.rowid > ? ORDER BY l.rowid LIMIT 1000`,
  person: sql<[id: number], { name: string; uid: string }>`SELECT name, uid FROM person WHERE id = ?`,
  driftGroups: sql<[plan: number, destination: number], DriftGroup>`
    SELECT kind, policy, count(*) AS count, sum(plan = ?) AS noticed FROM drift WHERE destination = ?
    GROUP BY kind, policy ORDER BY count DESC, kind, policy`,
  driftExamples: sql<
    [destination: number, kind: string, policy: string, max: number],
    PlacedRow & { readonly muid: string }
  >`
    SELECT f.path, m.place, m.muid FROM drift x JOIN message m ON m.seq = x.message JOIN source_file f ON f.id = m.file
    WHERE x.destination = ? AND x.kind = ? AND x.policy = ? ORDER BY x.id DESC LIMIT ?`,
});

/** Another version may count differently. */
const keptName = (name: string): string => `${version} ${name}`;

/** Every sum and list that reports and status read. */
export class Totals extends withStatements(statements) {
  readonly findings: Findings;
  readonly odd: Oddities;
  readonly #explanations: Explanations;

  constructor(db: Database) {
    super(db);
    this.odd = new Oddities(db);
    this.#explanations = new Explanations(db);
    this.findings = new Findings(db);
  }

  /**
   * A sum over all messages that an earlier run has kept: adding up a million takes seconds, and usually nothing has changed. Triggers of
   * the schema drop them at the first write to a table of which they are made, so that what is there is valid.
   */
  kept(name: string): string | undefined {
    return this.sql.kept.get(keptName(name));
  }

  /** Returns what `compute` came to when it was called first since something changed. */
  computeOnce<Value>(name: string, compute: () => Value): Value {
    const kept = this.kept(name);
    if (kept !== undefined) return JSON.parse(kept) as Value;
    const value = compute();
    this.keep(name, JSON.stringify(value));
    return value;
  }

  /** Keeps a value computed from the current content of the store, unless the store is only read. */
  keep(name: string, text: string): void {
    if (!this.db.readonly) this.sql.keep.run(keptName(name), text);
  }

  /** Calls back for every row, in reading order: one pass, one object at a time. */
  eachMessage(destination: number | null, visit: (facts: MessageFacts) => void): void {
    for (const facts of this.sql.messages.iterate(destination)) visit(facts);
  }

  /** Location of a message in the export, and the text of its verdict or failure. */
  messagePlace(destination: number | null, seq: number): { location: string; detail: string } {
    const { path, place, detail } = this.sql.place.get(destination, seq)!;
    return { location: printPlace(path, place), detail: detail ?? '' };
  }

  /** Messages with this muid, at any destination and of any generation; where there are none, with this id at the source, or at this place. */
  explain(id: string): MessageStory[] {
    return this.#explanations.explain(id);
  }

  /** Verdict of the latest plan on a message, and the muids under which it is sent: more than its own if its text was split. */
  verdict(muid: string): ReturnType<Explanations['verdict']> {
    return this.#explanations.verdict(muid);
  }

  /** Invalid rows, in reading order: one pass over all messages. */
  invalidRows(destination: number | null): Iterable<ListedProblem> {
    return listRows(this.sql.invalid.iterate(destination));
  }

  /** Messages that the destination refused, in reading order; of one that was split, once. */
  refusedRows(destination: number | null): Iterable<ListedProblem> {
    return listRows(this.sql.refused.iterate(destination));
  }

  /** Yields the latest findings of verify, one by one. */
  *differenceRows(destination: number) {
    for (const { kind, muid, detail, name, path, place } of new Checks(this.db).allDifferences(destination))
      yield {
        kind,
        muid,
        detail,
        conversation: name ?? '',
        location: path === null ? '' : printPlace(path, place ?? ''),
      };
  }

  /**
   * Messages that are still to be sent to a destination and were sent at the source before a time, with the first few of them.
   *
   * @param times From `fromMs`: older ones are not planned, but for those that were sent.
   */
  pendingBefore({ destination, fromMs, beforeMs }: Times, examplesMax = 0) {
    const asked = { destination, fromMs, beforeMs };
    const count = this.sql.countPendingBefore.get(asked)!;
    const rows = count === 0 || examplesMax === 0 ? [] : this.sql.pendingBefore.all({ ...asked, max: examplesMax });
    const examples = rows.map(({ path, place, sentAtMs }) => ({
      location: printPlace(path, place),
      detail: `sent at ${new Date(sentAtMs).toISOString()}`,
    }));
    return { count, examples };
  }

  /** Planned messages with a time that is finer than a second. Further parts of a text that was split are no messages of the export. */
  countSubSecondTimes(): number {
    return this.computeOnce('parts of a second', () => {
      // Taking a statement prepares it, and one names an index that may be missing.
      const hasIndex = hasMessageIndex(this.db, 'message_order');
      const rows = hasIndex ? this.sql.subSecondByIndex : this.sql.subSecond;
      return rows.get()! - this.sql.subSecondParts.get()!;
    });
  }

  /** Reads the size from SQLite: opening the file a second time would drop its locks. */
  storeBytes(): number {
    const [pages, pageBytes] = ['page_count', 'page_size'].map(
      (name) => this.db.pragma(name, { simple: true }) as number,
    );
    return pages! * pageBytes!;
  }

  fileRoles() {
    return this.sql.fileRoles.get()!;
  }

  /** Files of which nothing was read, by the reason: how many, and the first of them. */
  ignoredFiles() {
    return this.sql.ignoredFiles.all();
  }

  /**
   * The files that were read and have one of these paths. None once content was purged: what `purge` wiped must not
   * come back by way of the export.
   */
  readFiles(paths: readonly string[]): ReadFile[] {
    if (new Facts(this.db).read('contentPurged') !== undefined) return [];
    return this.sql.readFiles.all(JSON.stringify(paths));
  }

  countPeople() {
    return this.sql.people.get()!;
  }

  countLossPeople(): LossPeople {
    return this.sql.lossPeople.get()!;
  }

  /** Yields conversations that the export describes, one at a time: the database is busy until the iteration ends. */
  *lossConversations(): Generator<LossConversation> {
    for (const [id, type, receiverType, personA, personB, ...flags] of this.sql.lossConversations.iterate()) {
      const [archived, creator, owner, name, topic, description] = flags;
      yield {
        id,
        type,
        receiverType,
        personA,
        personB,
        isArchived: archived === 1,
        hasCreator: creator === 1,
        hasOwner: owner === 1,
        hasName: name === 1,
        hasTopic: topic === 1,
        hasDescription: description === 1,
      };
    }
  }

  /** Yields everyone, one by one, with the facts that a check of people needs. */
  *eachPerson() {
    for (const { record, hasHash, ...row } of inPages('id', (after) => this.sql.eachPerson.all(after)))
      yield { ...row, record: JSON.parse(record) as UserRecord, hasHash: hasHash === 1 };
  }

  *eachConversation() {
    for (const { record, ...row } of this.sql.eachConversation.iterate())
      yield { ...row, record: JSON.parse(record) as ConversationRecord };
  }

  /** Conversations of two of which one is among these: what the other wrote is sent to their uid. */
  *directConversations(people: ReadonlySet<number>): Generator<number> {
    for (const { id, a, b } of this.sql.directConversations.iterate()) if (people.has(a) || people.has(b)) yield id;
  }

  conversationRecord(id: number): ConversationRecord | undefined {
    const record = this.sql.conversationRecord.get(id);
    return record === undefined ? undefined : (JSON.parse(record) as ConversationRecord);
  }

  /** Yields conversations with their messages, most planned ones first: all of them, or `max`. One such list at a time. */
  *largestConversations(destination: number | null, max = -1): Generator<ListedConversation> {
    this.db.exec(`DROP TABLE IF EXISTS temp.listed_conversation;
      CREATE TEMP TABLE listed_conversation (conversation, ${listedCounts})`);
    this.sql.listConversations.run({ destination, max });
    const pageAfter = (place: number) => this.sql.listedConversations.all(place);
    for (let place = 0, page = pageAfter(0); page.length > 0; page = pageAfter(place)) {
      place += page.length;
      yield* page;
    }
  }

  person(id: number) {
    return this.sql.person.get(id)!;
  }

  /** Returns changes at the source after sending to a destination, most frequent first. @param plan Number of the latest plan. */
  driftGroups(destination: number, plan: number): DriftGroup[] {
    return this.sql.driftGroups.all(plan, destination);
  }

  /** Returns the latest changes of a group: the location where the message is, or was, and its muid. */
  driftExamples(destination: number, { kind, policy }: Pick<DriftGroup, 'kind' | 'policy'>, max: number) {
    const rows = this.sql.driftExamples.all(destination, kind, policy, max);
    return rows.map(({ path, place, muid }) => ({ location: printPlace(path, place), detail: `message ${muid}` }));
  }
}

function* listRows(rows: Iterable<ListedRow>): Generator<ListedProblem> {
  for (const { code, path, place, conversation, muid, detail } of rows) {
    yield {
      code: code ?? 'failed',
      count: 1,
      location: printPlace(path, place),
      conversation: conversation ?? '',
      muid: muid ?? '',
      detail: detail ?? '',
    };
  }
}
