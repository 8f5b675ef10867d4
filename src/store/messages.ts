import { looksEncrypted } from '../lib/text/cipher.ts';
import { keptBackRules } from '../model/kept-back.ts';
import type { Database } from 'better-sqlite3';
import type { ExportScope } from '../model/change.ts';
import { muidLength, type StagedRow } from '../model/staged-item.ts';
import {
  createMergeIndexes,
  createMessageIndexes,
  dropMessageIndexes,
  hasMessageIndex,
} from './base/message-indexes.ts';
import { freezeAll } from './base/message-sql.ts';
import { RowBuffer } from './base/row-buffer.ts';
import { lateStatements, sql, tuple, value, withStatements } from './base/statements.ts';
import type { Facts } from './facts.ts';
import { RowAppender } from './messages/append.ts';
import {
  conflictCode,
  conflictProblem,
  type DuplicateFacts,
  type DuplicateLocation,
  isConflicting,
} from './messages/conflicts.ts';
import { Drift } from './messages/drift.ts';
import { keepOutsideWindow } from './messages/export-window.ts';
import { FollowUps } from './messages/follow-ups.ts';
import { compareExports } from './messages/later-exports.ts';
import { type MergeListener, RowMerger } from './messages/merge.ts';
import type { RowHome } from './messages/rows.ts';
import { wholePayload } from './base/packed-payload.ts';

export type RowCounts = RowAppender['counts'];
export type Existing = Parameters<MergeListener['onChangedAfterSending']>[1];
export type VanishedMessage =
  ReturnType<Drift['vanished']> extends Iterable<readonly (infer Message)[]> ? Message : never;

/** Writes rows into `message`. */
export interface RowWriter {
  /** Called before the first row of a file that was read before. */
  beginFile(file: number): void;
  save(row: StagedRow, home: RowHome): void;
  /** Writes what still waits: before a commit. */
  flush(): void;
}

/** Replies whose thread root the export does not have. */
interface OrphanCounts {
  readonly read: number;
  readonly planned: number;
}

/** Both ends are inside. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

type Writer = readonly [conversation: number, person: number, count: number];

/** Rows that are not sent, by the rule or the fault. */
interface LeftOut {
  readonly verdict: 'skipped' | 'invalid';
  readonly reason: string;
  readonly count: number;
}

/** Conflicting duplicates that are noted one by one. */
const notedMax = 1_000;

/** The rule by which replies without a root are left out. Their payloads stay: the root may come with a later export. */
const rule = 'reply without its root';
const hasNoRoot =
  'root_muid IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message root WHERE root.muid = message.root_muid)';
const thread = '$.data.metadata.chatferry.thread';
const isOrphanWithLink = `verdict = 'planned' AND payload ->> '${thread}' IS NOT NULL AND ${hasNoRoot}`;

const listed = (words: readonly string[]) => words.map((word) => `'${word}'`).join();

/** SQL: nothing was sent for it anywhere. */
const isUnsent = `NOT EXISTS (SELECT 1 FROM destination d CROSS JOIN delivery v
  ON v.destination = d.id AND v.message = message.seq AND v.state <> 'pending')`;

const keepEncrypted = `UPDATE message SET verdict = 'skipped', reason = ?
  WHERE verdict = 'planned' AND looks_encrypted(payload ->> '$.data.text') AND ${isUnsent}`;

/** SQL: the head of a further part's muid, in the form of the index `message_part`. */
const headOf = (row: string) => `substr(${row}.muid, 1, ${muidLength})`;

/** Identities that several rows have. Asks the index alone, which is some five times as fast as looking at verdicts too. */
const severalRows = 'SELECT muid FROM message WHERE muid IS NOT NULL GROUP BY muid HAVING count(*) > 1';

const statements = lateStatements({
  text: value<[muid: string], string | null>`
    SELECT payload ->> '$.data.text' FROM message WHERE muid = ? AND verdict = 'planned'`,
  partTexts: value<[muid: string, head: string], string | null>`
    SELECT payload ->> '$.data.text' FROM message WHERE muid = ? AND verdict = 'planned'
    UNION ALL SELECT * FROM (SELECT payload ->> '$.data.text' FROM message
      WHERE substr(muid, 1, ${muidLength}) = ? AND part > 1 AND verdict = 'planned' ORDER BY part)`,
  facts: value<[muid: string], string | null>`SELECT facts FROM message WHERE muid = ?`,
  conflicts: tuple<[], [seq: number, first: number]>`
    SELECT r.seq, f.seq FROM temp.duplicates r JOIN temp.duplicates f ON f.muid = r.muid AND f.rank = 1
    JOIN message a ON a.seq = r.seq JOIN message b ON b.seq = f.seq
    WHERE r.rank > 1 AND a.sent_at <> b.sent_at AND coalesce(a.part, 1) = 1`,
  duplicate: sql<[seq: number], DuplicateFacts & DuplicateLocation>`
    SELECT m.sender, m.sent_at AS sentAtMs, m.edited_at AS editedAtMs, m.payload ->> '$.data.text' AS text,
      m.file, f.path, m.place, m.origin_id AS originId FROM message m JOIN source_file f ON f.id = m.file WHERE m.seq = ?`,
  noteConflict: sql<[file: number, code: string, reason: string, place: string]>`
    INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)`,
  firstConflict: sql<[], { reason: string; place: string }>`
    SELECT reason, place FROM problem WHERE code = '${conflictCode}' ORDER BY id LIMIT 1`,
  unsentConflictFiles: value<[], number>`
    SELECT f.id FROM source_file f WHERE f.role NOT IN ('gone', 'rest')
      AND f.input IN (SELECT g.input FROM problem p JOIN source_file g ON g.id = p.file WHERE p.code = '${conflictCode}')
      AND NOT EXISTS (SELECT 1 FROM delivery d JOIN message m ON m.seq = d.message JOIN source_file h ON h.id = m.file
        WHERE h.input = f.input AND d.state <> 'pending')`,
  markRepeated: sql<[]>`
    UPDATE message SET verdict = 'duplicate', payload = NULL, reason = NULL, detail = NULL, facts = NULL
    WHERE seq IN (SELECT seq FROM temp.duplicates WHERE rank > 1)`,
  filesOfOthers: value<[], number>`
    SELECT DISTINCT other.file FROM message gone CROSS JOIN message other ON other.muid = gone.muid AND other.seq <> gone.seq
    WHERE gone.stale = 1 AND gone.vanished = 0 AND gone.verdict <> 'duplicate' AND other.verdict = 'duplicate'`,
  anyMet: sql<[]>`SELECT 1 FROM message WHERE stale = 0 AND vanished = 0 AND follows IS NULL LIMIT 1`,
  countUnmet: value<[], number>`
    SELECT count(DISTINCT message) FROM delivery WHERE state <> 'pending'
      AND message IN (SELECT seq FROM message WHERE stale = 1 AND vanished = 0)`,
  planFound: sql<[]>`
    UPDATE message SET verdict = 'planned', reason = NULL
    WHERE verdict = 'skipped' AND reason = '${rule}' AND payload IS NOT NULL AND NOT (${hasNoRoot})`,
  skipOrphans: sql<[]>`
    UPDATE message SET verdict = 'skipped', reason = '${rule}' WHERE verdict = 'planned' AND ${hasNoRoot}`,
  freezeOrphans: sql<[]>`${freezeAll} AND message IN (SELECT seq FROM message WHERE ${isOrphanWithLink})`,
  unlinkOrphans: sql<
    []
  >`UPDATE message SET payload = json_remove(${wholePayload('message')}, '${thread}') WHERE ${isOrphanWithLink}`,
  filesOfFoundRoots: value<[], number>`
    SELECT DISTINCT m.file FROM message m WHERE m.verdict = 'planned' AND m.vanished = 0 AND m.root_muid IS NOT NULL
      AND m.payload IS NOT NULL AND m.payload ->> '${thread}' IS NULL
      AND EXISTS (SELECT 1 FROM message root WHERE root.muid = m.root_muid)`,
  // The greatest part there is, asked of the index: most stores have none.
  anyPart: sql<[]>`SELECT 1 FROM message WHERE part > 1 LIMIT 1`,
  orphans: sql<[], OrphanCounts>`
    SELECT count(*) AS read, coalesce(sum(is_planned), 0) AS planned FROM temp.odd_reply WHERE root IS NULL`,
  freezeAll: sql<[]>`${freezeAll}`,
  release: sql<[]>`
    UPDATE message SET verdict = 'planned', reason = NULL
    WHERE verdict = 'skipped' AND payload IS NOT NULL AND reason IN (${listed(Object.values(keptBackRules))})`,
  keepBack: sql<[reason: string, people: string]>`
    UPDATE message SET verdict = 'skipped', reason = ?
    WHERE verdict = 'planned' AND sender IN (SELECT value FROM json_each(?)) AND ${isUnsent}`,
  writers: tuple<[], Writer>`SELECT conversation, sender, count FROM temp.writer`,
  timeRange: sql<[], { firstMs: number | null; lastMs: number | null }>`
    SELECT min(sent_at) AS firstMs, max(sent_at) AS lastMs FROM message WHERE verdict = 'planned'`,
  countOutside: value<Span, number>`
    SELECT count(*) FROM message WHERE verdict = 'planned' AND sent_at NOT BETWEEN @fromMs AND @toMs AND coalesce(part, 1) = 1`,
  leftOut: sql<[], LeftOut>`
    SELECT verdict, reason, count(*) AS count FROM message
    WHERE verdict IN ('skipped', 'invalid') AND vanished = 0 AND coalesce(part, 1) = 1 GROUP BY verdict, reason`,
});

/** Messages as a plan stages them: rows of the export, each with its verdict and payload. */
export class Messages extends withStatements(statements) {
  /** Changes at the source after messages were sent, and the messages that say so. */
  readonly drift: Drift;
  readonly followUps: FollowUps;
  readonly #facts: Facts;

  constructor(db: Database, facts: Facts) {
    super(db);
    this.drift = new Drift(db);
    this.followUps = new FollowUps(db);
    this.#facts = facts;
  }

  /** Writes rows of a first plan, without indexes: `markRepeated` makes them. The caller flushes before it commits. */
  append(): RowAppender {
    dropMessageIndexes(this.db);
    return new RowAppender(this.db);
  }

  /** Writes rows of a later plan: needs `createMergeIndexes`. */
  merge(listener: MergeListener): RowMerger {
    compareExports(this.db, severalRows);
    return new RowMerger(this.db, listener);
  }

  createMergeIndexes(...only: ['message_unplanned'?]): void {
    createMergeIndexes(this.db, ...only);
  }

  /** Whether messages are found by their muids: not while a first plan reads. */
  isIndexed(): boolean {
    return hasMessageIndex(this.db, 'message_muid');
  }

  text(muid: string): string | undefined {
    return this.sql.text.get(muid) ?? undefined;
  }

  /** The texts of a message that was split, in order, by the muid of any of its parts. */
  partTexts(muid: string): string[] {
    const head = muid.slice(0, muidLength);
    return this.sql.partTexts.all(head, head).map((text) => text ?? '');
  }

  /** The facts of a message, JSON; null where it has none. */
  facts(muid: string): string | null {
    return this.sql.facts.get(muid) ?? null;
  }

  /**
   * Makes indexes and marks duplicates after a bulk load: of the versions of one identity, the latest is kept, by the version's own
   * statement, else the one of the export that is later (`compareExports`), else of the later input. The others are marked `duplicate`, at their locations, and are not
   * counted. Versions that are in fact different messages are noted.
   *
   * @returns How many were marked.
   */
  markRepeated(): number {
    createMessageIndexes(this.db);
    this.db.exec(`DROP TABLE IF EXISTS temp.twice;
      CREATE TEMP TABLE twice AS ${severalRows}`);
    compareExports(this.db, 'SELECT muid FROM temp.twice');
    this.db.exec(`DROP TABLE IF EXISTS temp.duplicates;
      CREATE TEMP TABLE duplicates AS SELECT m.seq, m.muid, row_number() OVER (PARTITION BY m.muid
          ORDER BY coalesce(m.version, '') DESC,
            (SELECT count(*) FROM temp.later l WHERE l.conversation = m.conversation AND l.export IN (f.id, -f.input)) DESC, f.input DESC, f.path DESC, m.seq DESC) AS rank
        FROM temp.twice t JOIN message m ON m.muid = t.muid JOIN source_file f ON f.id = m.file WHERE m.verdict <> 'duplicate';
      CREATE INDEX temp.duplicates_first ON duplicates (muid) WHERE rank = 1`);
    this.#noteConflicts();
    const { changes } = this.sql.markRepeated.run();
    this.db.exec('DROP TABLE temp.twice; DROP TABLE temp.duplicates');
    return changes;
  }

  /** Notes those in `temp.duplicates` (seq, muid, rank) that are another message than the one of rank 1, before they are taken for it. */
  #noteConflicts(): void {
    const found: (readonly [row: DuplicateLocation, other: DuplicateLocation])[] = [];
    for (const [seq, first] of this.sql.conflicts.iterate()) {
      const [row, other] = [this.sql.duplicate.get(seq)!, this.sql.duplicate.get(first)!];
      if (isConflicting(row, other, { areBothPresent: true })) found.push([row, other]);
      if (found.length === notedMax) break;
    }
    // Nothing can be written while a query is read.
    for (const [row, other] of found) this.sql.noteConflict.run(...conflictProblem(row, other));
  }

  /** A message whose id another one has, in words and with its place; nothing where all ids are unique. */
  firstConflict(): { readonly reason: string; readonly place: string } | undefined {
    return this.sql.firstConflict.get();
  }

  /** Returns files of the inputs in which a message has the id of another one, if nothing of the input was sent anywhere. */
  unsentConflictFiles(): number[] {
    return this.sql.unsentConflictFiles.all();
  }

  /**
   * Removes, after a merge, rows that their files no longer hold. For an export of the last days or weeks (`window`),
   * rows older than its window stay as they are. If something was sent for a row, the row stays, marked `vanished`, even
   * after a rollback: its muids at that destination are used up. Otherwise the row is deleted.
   *
   * @returns Files that hold another version of a deleted row: they must be read again.
   */
  dropUnmet(span: ExportScope = 'full'): number[] {
    if (span === 'window') keepOutsideWindow(this.db);
    const files = this.sql.filesOfOthers.all();
    this.db.exec(`UPDATE message SET stale = 0, vanished = 1 WHERE stale = 1 AND EXISTS (
        SELECT 1 FROM destination d CROSS JOIN delivery v ON v.destination = d.id AND v.message = message.seq
          AND (v.state <> 'pending' OR v.generation > 1));
      DELETE FROM delivery WHERE state = 'pending' AND message IN (SELECT seq FROM message WHERE stale = 1);
      DELETE FROM message WHERE stale = 1`);
    return files;
  }

  /** How many messages arrived somewhere, if none of the store's rows was met and there is no other; 0 otherwise. */
  countEmptied(): number {
    return this.sql.anyMet.get() === undefined ? this.sql.countUnmet.get()! : 0;
  }

  /**
   * Replies whose root the export does not have, once everything is read: they are left out, or lose the link, or nothing
   * happens to them.
   *
   * @returns How many rows changed.
   */
  applyOrphanPolicy(policy: 'keep' | 'unlink' | 'skip'): number {
    if (policy === 'keep') return 0;
    if (policy === 'skip') return this.sql.planFound.run().changes + this.sql.skipOrphans.run().changes;
    this.sql.freezeOrphans.run();
    return this.sql.unlinkOrphans.run().changes;
  }

  /** Plans again what alarms have kept back. @returns How many rows. */
  release(): number {
    return this.sql.release.run().changes;
  }

  /** Leaves out what some people wrote, or what looks encrypted, as far as nothing was sent for it. Payloads stay. @returns How many rows. */
  keepBack(rule: string, what: readonly number[] | 'encrypted'): number {
    const isText = what === 'encrypted';
    if (isText)
      this.db.function('looks_encrypted', { deterministic: true }, (text) => Number(looksEncrypted(String(text))));
    const { changes } = isText
      ? this.db.prepare(keepEncrypted).run(rule)
      : this.sql.keepBack.run(rule, JSON.stringify(what));
    this.alignParts();
    return changes;
  }

  /** Files with replies that lost the link to a root which has come since: they are to be read again, and get it back. */
  filesOfFoundRoots(): number[] {
    return this.sql.filesOfFoundRoots.all();
  }

  /**
   * Aligns further parts of split texts with their first part, once everything is read and decided: parts of a version
   * that lost are deleted, the others get the verdict of the first part.
   */
  alignParts(): void {
    if (this.sql.anyPart.get() === undefined) return;
    this.db.exec(`UPDATE message AS p SET verdict = 'duplicate', payload = NULL
      WHERE p.part > 1 AND p.verdict <> 'duplicate' AND p.vanished = 0 AND NOT EXISTS (SELECT 1 FROM message head
        WHERE head.muid = ${headOf('p')} AND head.verdict <> 'duplicate' AND head.record_digest = p.record_digest)
      AND NOT EXISTS (SELECT 1 FROM destination d CROSS JOIN delivery v ON v.destination = d.id AND v.message = p.seq AND v.state <> 'pending')`);
    this.db.exec(`UPDATE message AS p SET verdict = head.verdict, reason = head.reason, detail = head.detail FROM message head
      WHERE p.part > 1 AND p.verdict <> 'duplicate' AND head.muid = ${headOf('p')} AND head.verdict NOT IN ('duplicate', p.verdict)`);
  }

  /** Freezes everything that was ever sent, as it was sent: before a changed mapping is applied. */
  freezeAll(): void {
    this.sql.freezeAll.run();
  }

  /**
   * Creates temporary tables that answer who wrote where: `writer`, how many messages each person wrote in each
   * conversation, and `tied`, the conversations that may have several messages in one second.
   *
   * @param counts Valid only if every row is as they counted it; without it, all rows are read.
   */
  collectWriters(counts?: RowCounts): void {
    this.db.exec(
      'DROP TABLE IF EXISTS temp.writer; DROP TABLE IF EXISTS temp.tied; CREATE TEMP TABLE tied (conversation INTEGER)',
    );
    if (counts?.hasWriters) {
      this.db.exec('CREATE TEMP TABLE writer (conversation INTEGER, sender INTEGER, count INTEGER)');
      this.#fill('temp.writer', counts.writers());
      this.#fill('temp.tied', counts.tied());
    } else {
      compareExports(this.db, severalRows);
      this.db.exec(`CREATE TEMP TABLE writer AS SELECT conversation, sender, count(*) AS count
          FROM message WHERE verdict = 'planned' AND coalesce(part, 1) = 1 GROUP BY conversation, sender;
        INSERT INTO temp.tied SELECT DISTINCT conversation FROM temp.writer`);
    }
    this.db.exec('CREATE INDEX temp.writer_conversation ON writer (conversation, sender)');
  }

  /** How many messages everybody wrote where, one by one: after `collectWriters`. */
  writers(): Iterable<Writer> {
    return this.sql.writers.iterate();
  }

  /** @param counts Valid only if every row is as they counted it; without it, all rows are read. */
  leftOut(counts?: RowCounts): Iterable<LeftOut> {
    return counts?.leftOut() ?? this.sql.leftOut.iterate();
  }

  /** Times of what is planned, and how many messages are outside of a span. Reads an index. */
  times(span: Span): { readonly firstMs: number | null; readonly lastMs: number | null; readonly outside: number } {
    const range = this.sql.timeRange.get()!;
    const { firstMs, lastMs } = range;
    const isInside = firstMs === null || lastMs === null || (firstMs >= span.fromMs && lastMs <= span.toMs);
    return { ...range, outside: isInside ? 0 : this.sql.countOutside.get(span)! };
  }

  #fill(table: string, rows: Iterable<readonly number[]>): void {
    const buffer = new RowBuffer(this.db, (values) => `INSERT INTO ${table} VALUES ${values}`);
    for (const row of rows) buffer.add(row);
    buffer.flush();
  }

  /**
   * A temporary table of replies whose root is missing (null), and of those that are planned and whose root is not sent, itself
   * a reply, or later than they are. Several checks ask about those, and reports: looking up the root of every reply once takes
   * as long as all the rest of them.
   *
   * @param counts Where every row is as they counted it.
   */
  collectOddReplies(counts?: RowCounts): void {
    const isAny = counts?.hasReplies ?? true;
    this.db.exec(`DROP TABLE IF EXISTS temp.odd_reply;
      CREATE TEMP TABLE odd_reply AS SELECT m.seq AS reply, r.seq AS root, m.verdict = 'planned' AS is_planned
      FROM message m LEFT JOIN message r ON r.muid = m.root_muid AND r.verdict <> 'duplicate'
      WHERE ${isAny} AND m.root_muid IS NOT NULL AND m.verdict <> 'duplicate' AND (r.seq IS NULL OR m.verdict = 'planned'
        AND (r.verdict <> 'planned' OR r.root_muid IS NOT NULL OR m.sent_at < r.sent_at))`);
    // A report that counts them again takes a tenth of the time of a small plan.
    this.#facts.write('orphanReplies', JSON.stringify(this.sql.orphans.get()));
  }

  /** As the latest plan that read something counted them. None while a first plan reads: their roots may still come. */
  countOrphanReplies(): OrphanCounts {
    return JSON.parse(this.#facts.read('orphanReplies') ?? '{"read":0,"planned":0}') as OrphanCounts;
  }
}
