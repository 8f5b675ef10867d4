import type { Database } from 'better-sqlite3';
import type { StagedRow } from '../../model/staged-item.ts';
import { noReactions } from '../base/action-sql.ts';
import { freezeOne, timeReasons } from '../base/message-sql.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import { conflictProblem, isConflicting, payloadText } from './conflicts.ts';
import { isOfLaterExport } from './later-exports.ts';
import { type Existing, existingList, insertSql, oneRow, type RowHome, rowNames, valuesOf } from './rows.ts';

/** Columns of what is kept of a message that lost to another version of it: where it is, and no content. */
const keptOfDuplicates = `muid, conversation, sender, origin_id, sent_at, sort_key, edited_at, record_digest, version, file, place, part`;

/** Callbacks that run in the transaction in which the row is written, after it was written. */
export interface MergeListener {
  /** A message that may be at a destination is another at the source by now. */
  onChangedAfterSending(row: StagedRow, old: Existing): void;
  /** A row that its file no longer held is back. */
  onBack?(row: StagedRow, old: Existing): void;
  /** Whether what is staged and not met again was read under the same rules. Default yes. */
  readonly areRulesSame?: boolean;
}

interface KeptRow {
  readonly seq: number;
  readonly place: string;
  readonly file: number;
  readonly version: string | null;
  readonly files: string | null;
  readonly reactions: string | null;
}

const atDestination = `SELECT 1 FROM destination CROSS JOIN delivery ON delivery.destination = destination.id AND delivery.message = ?`;

const statements = lateStatements({
  insert: sql<(string | number | null)[]>`${insertSql(oneRow)}`,
  find: sql<[muid: string], Existing>`SELECT ${existingList} FROM message WHERE muid = ? AND verdict <> 'duplicate'`,
  keep: sql<KeptRow>`
    UPDATE message SET stale = 0, vanished = 0, place = @place, file = @file, version = @version,
      files = CASE WHEN payload IS NOT NULL THEN @files END,
      reactions = CASE WHEN payload IS NULL AND reactions = '${noReactions}' THEN reactions ELSE @reactions END WHERE seq = @seq`,
  update: sql<(string | number | null)[]>`
    UPDATE message SET (${rowNames}) = ${oneRow}, stale = 0, vanished = 0 WHERE seq = ?`,
  insertRepeated: sql<[seq: number]>`
    INSERT INTO message (${keptOfDuplicates}, verdict) SELECT ${keptOfDuplicates}, 'duplicate' FROM message WHERE seq = ?`,
  markRepeated: sql<[]>`UPDATE message SET verdict = 'duplicate' WHERE seq = last_insert_rowid()`,
  noteConflict: sql<[file: number, code: string, reason: string, place: string]>`
    INSERT INTO problem (file, code, reason, place) VALUES (?, ?, ?, ?)`,
  dropUnidentified: sql<[file: number]>`DELETE FROM message WHERE file = ? AND (muid IS NULL OR verdict = 'duplicate')`,
  markStale: sql<[file: number]>`UPDATE message SET stale = 1 WHERE file = ? AND follows IS NULL`,
  dropProblems: sql<[file: number]>`DELETE FROM problem WHERE file = ?`,
  wasSent: sql<[seq: number]>`${atDestination} AND delivery.state <> 'pending' LIMIT 1`,
  // At least unconfirmed: a destination that refused it keeps nothing.
  mayBeThere: sql<[seq: number]>`${atDestination} AND delivery.state NOT IN ('pending', 'failed') LIMIT 1`,
  freeze: sql<[seq: number]>`${freezeOne}`,
  planned: value<[seq: number], string>`SELECT planned FROM media_message WHERE message = ? AND made IS NOT NULL`,
  isCorrection: sql<[file: number]>`
    SELECT 1 FROM source_file f JOIN source_input i ON i.id = f.input WHERE f.id = ? AND i.source IS NOT NULL`,
  path: value<[file: number], string>`SELECT path FROM source_file WHERE id = ?`,
  standsBefore: value<{ conversation: number | null; file: number; other: number }, number>`
    SELECT CASE WHEN ${isOfLaterExport('@conversation', 'b', 'a')} THEN 1 WHEN ${isOfLaterExport('@conversation', 'a', 'b')} THEN 0
      ELSE (a.input, a.path) < (b.input, b.path) END FROM source_file a, source_file b WHERE a.id = @file AND b.id = @other`,
});

/**
 * Writes rows next to those of earlier plans: a row that is met again keeps its `seq`, because deliveries refer to it; of two versions of
 * one identity the later one wins, then the one of the later export or input, as `markRepeated` has it.
 */
export class RowMerger extends withStatements(statements) {
  readonly #listener: MergeListener;

  constructor(db: Database, listener: MergeListener) {
    super(db);
    this.#listener = listener;
  }

  beginFile(file: number): void {
    this.sql.dropUnidentified.run(file);
    this.sql.dropProblems.run(file);
    this.sql.markStale.run(file);
  }

  flush(): void {}

  save(given: StagedRow, home: RowHome): void {
    const old = given.muid === null ? undefined : this.sql.find.get(given.muid);
    if (!old) return void this.sql.insert.run(...valuesOf(given, home));
    const row =
      isLeftOutByTime(given) && old.verdict === 'planned' && this.sql.wasSent.get(old.seq)
        ? sentInTime(given, old)
        : given;
    if (this.#isTaken(row, home, old)) {
      this.#insertRepeated(row, home);
      const other = { path: this.sql.path.get(old.file)!, place: old.place };
      this.sql.noteConflict.run(...conflictProblem({ ...row, ...home }, other));
      return;
    }
    const isSame = old.recordDigest === row.recordDigest;
    if (old.stale !== 0 || old.vanished === 1) {
      // Met again.
      if (!isSame || !isStagedAlike(row, old)) {
        this.#replace(row, home, old);
        return;
      }
      const { place, version, files } = row;
      const kept = { place, version: version || null, files: files ?? null, reactions: home.reactions ?? null };
      this.sql.keep.run({ ...kept, file: home.file, seq: old.seq });
      if (old.vanished === 1) this.#listener.onBack?.(row, old);
    } else if (isSame ? !isLater(row, old) : this.#isOutranked(row, home, old)) {
      this.#insertRepeated(row, home);
    } else {
      this.sql.insertRepeated.run(old.seq);
      this.#replace(row, home, old);
    }
  }

  #insertRepeated(row: StagedRow, home: RowHome): void {
    this.sql.insert.run(...valuesOf({ ...row, payload: null }, home));
    this.sql.markRepeated.run();
  }

  #replace(row: StagedRow, home: RowHome, old: Existing): void {
    const isChanged = old.recordDigest !== row.recordDigest;
    const isFrozen = (isChanged || old.payload !== row.payload) && this.sql.wasSent.get(old.seq) !== undefined;
    if (isFrozen) this.sql.freeze.run(old.seq);
    this.sql.update.run(...valuesOf(row, home), old.seq);
    if (old.vanished === 1) this.#listener.onBack?.(row, old);
    if (!isChanged || !isFrozen || !this.sql.mayBeThere.get(old.seq)) return;
    // As it was planned: the addresses of copied files are no change at the source.
    const payload = this.sql.planned.get(old.seq) ?? old.payload;
    this.#listener.onChangedAfterSending(row, { ...old, payload });
  }

  /** Whether the staged version of a message counts, and not the one that was met now. */
  #isOutranked(row: StagedRow, home: RowHome, old: Existing): boolean {
    if (isLater(row, old)) return false;
    if ((row.version ?? '') < old.version) return true;
    const { conversation, file } = home;
    return file !== old.file && this.sql.standsBefore.get({ conversation, file, other: old.file }) === 1;
  }

  /** Whether the identity of a row belongs to another message, as far as its time shows that they are two. */
  #isTaken(row: StagedRow, home: RowHome, old: Existing): boolean {
    const { areRulesSame = true } = this.#listener;
    const areBothPresent = old.stale === 0 && old.vanished === 0;
    if (row.sentAtMs === old.sentAtMs || (row.part ?? 1) > 1 || !(areBothPresent || areRulesSame)) return false;
    const found = { ...row, sender: home.sender, text: payloadText(row.payload) };
    if (!isConflicting(found, { ...old, text: payloadText(old.payload) }, { areBothPresent })) return false;
    // A message that a person has corrected may differ in everything.
    return this.sql.isCorrection.get(home.file) === undefined && this.sql.isCorrection.get(old.file) === undefined;
  }
}

const isLeftOutByTime = ({ verdict, reason }: StagedRow) => verdict !== 'planned' && timeReasons.includes(reason ?? '');

const isLater = (row: StagedRow, old: Existing) => (row.version ?? '') > old.version;

/** Keeps a message planned that was sent in time, however old it is by now. */
const sentInTime = (row: StagedRow, { payload, facts }: Existing): StagedRow => ({
  ...row,
  verdict: 'planned',
  reason: null,
  detail: null,
  payload,
  facts,
});

/** A changed mapping may change a verdict alone, and a person who turned out to be a bot the facts alone. */
const isStagedAlike = (row: StagedRow, old: Existing) =>
  isPurged(row, old) ||
  (old.payload === row.payload && old.verdict === row.verdict && old.reason === row.reason && old.facts === row.facts);

/** Its content was wiped on purpose: a file that is read again does not bring it back. */
const isPurged = (row: StagedRow, old: Existing) =>
  old.verdict === 'planned' && old.payload === null && row.verdict === 'planned';
