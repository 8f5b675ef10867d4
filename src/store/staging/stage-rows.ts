import type { Database } from 'better-sqlite3';
import { storedId } from '../../lib/text/stored-id.ts';
import { noReactions } from '../base/action-sql.ts';
import { column, type RowOf, selectList } from '../base/columns.ts';
import type { StagedRow } from '../../model/staged-item.ts';
import { timeReasons } from '../base/time-reasons.ts';
import { isConflicting, payloadText, conflictingDuplicateNoter } from './conflicting-duplicates.ts';

/** File, conversation and people of a row, by ids of the store. */
export interface RowHome {
  readonly file: number;
  /** Path of the file, inside its input. */
  readonly path: string;
  readonly conversation: number | null;
  readonly sender: number | null;
  /** JSON: who gave which reaction, if reactions are to be replayed. */
  readonly reactions?: string | null | undefined;
}

const existing = {
  seq: column<number>('seq'),
  file: column<number>('file'),
  stale: column<number>('stale'),
  vanished: column<number>('vanished'),
  verdict: column<string>('verdict'),
  reason: column<string | null>('reason'),
  facts: column<string | null>('facts'),
  recordDigest: column<string | null>('record_digest'),
  /** Empty if nothing says which of its versions is later. */
  version: column<string>(`coalesce(version, '')`),
  editedAtMs: column<number | null>('edited_at'),
  payload: column<string | null>('payload'),
  sender: column<number | null>('sender'),
  sentAtMs: column<number | null>('sent_at'),
  place: column<string>('place'),
};

/** A row as an earlier plan has staged it. */
export type Existing = RowOf<typeof existing>;

/**
 * Writes rows into `message`.
 *
 * `append` is for an empty table without indexes: identities that come twice are found afterwards (`markRepeated`).
 * `merge` is for a table with rows and indexes: a row that is met again keeps its `seq`, because deliveries refer to it;
 * of two versions of one identity the later one wins, then the one of the later input, as `markRepeated` has it.
 */
export interface RowWriter {
  /** Called before the first row of a file that was read before. */
  beginFile(file: number): void;
  save(row: StagedRow, home: RowHome): void;
  /** Writes what still waits: before a commit. */
  flush(): void;
}

/** Columns of a row that is written, with their values. */
const columns = {
  muid: (row) => row.muid,
  conversation: (_, home) => home.conversation,
  sender: (_, home) => home.sender,
  origin_id: (row) => row.originId && storedId(row.originId),
  sent_at: (row) => row.sentAtMs,
  sort_key: (row) => row.sortKey,
  edited_at: (row) => row.editedAtMs,
  record_digest: (row) => row.recordDigest,
  verdict: (row) => row.verdict,
  reason: (row) => row.reason,
  detail: (row) => row.detail,
  payload: (row) => row.payload,
  root_muid: (row) => row.rootMuid,
  facts: (row) => row.facts,
  file: (_, home) => home.file,
  place: (row) => row.place,
  part: (row) => row.part ?? null,
  reactions: (_, home) => home.reactions ?? null,
  files: (row) => row.files ?? null,
  version: (row) => row.version || null,
} satisfies Readonly<Record<string, (row: StagedRow, home: RowHome) => string | number | null>>;

const names = Object.keys(columns).join(', ');
export const oneRow = `(${Object.keys(columns).fill('?').join(', ')})`;
const values: readonly ((row: StagedRow, home: RowHome) => string | number | null)[] = Object.values(columns);

/** @param rows Placeholders: of one row, or of several with commas between them. */
export const insertSql = (rows: string) => `INSERT INTO message (${names}) VALUES ${rows}`;
export const valuesOf = (row: StagedRow, home: RowHome) => values.map((valueIn) => valueIn(row, home));

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

/** Writes rows next to those of earlier plans: a message that was seen before is kept, or replaced by the version that counts. */
export function mergeRows(
  db: Database,
  { onChangedAfterSending, onBack, areRulesSame = true }: MergeListener,
): RowWriter {
  const sql = prepareMerge(db);
  const insertRow = (row: StagedRow, home: RowHome) => sql.insert.run(valuesOf(row, home));

  const replace = (row: StagedRow, home: RowHome, old: Existing) => {
    const isChanged = old.recordDigest !== row.recordDigest;
    const isFrozen = (isChanged || old.payload !== row.payload) && sql.wasSent.get(old.seq) !== undefined;
    if (isFrozen) payloadFreezer(db)(old.seq);
    sql.update.run([...valuesOf(row, home), old.seq]);
    if (old.vanished === 1) onBack?.(row, old);
    if (!isChanged || !isFrozen || !sql.mayBeAtDestination.get(old.seq)) return;
    // As it was planned: the addresses of copied files are no change at the source.
    onChangedAfterSending(row, { ...old, payload: sql.plannedOf.get(old.seq) ?? old.payload });
  };

  const note = conflictingDuplicateNoter(db);
  const isTaken = takenAsker(sql, areRulesSame);
  const isOutranked = outrankedAsker(sql);

  return {
    beginFile(file) {
      sql.dropUnidentified.run(file);
      sql.dropProblems.run(file);
      sql.markStale.run(file);
    },
    flush() {},
    save(given, home) {
      const old = given.muid === null ? undefined : sql.find.get(given.muid);
      if (!old) return void insertRow(given, home);
      const row =
        isLeftOutByTime(given) && old.verdict === 'planned' && sql.wasSent.get(old.seq)
          ? sentInTime(given, old)
          : given;
      if (isTaken(row, home, old)) {
        insertRow({ ...row, payload: null }, home);
        sql.markRepeated.run();
        return note({ ...row, ...home }, { path: sql.pathOf.get(old.file)!, place: old.place });
      }
      const isSame = old.recordDigest === row.recordDigest;
      if (old.stale !== 0 || old.vanished === 1) {
        // Met again.
        if (!isSame || !isStagedAlike(row, old)) return replace(row, home, old);
        const { place, version, files } = row;
        const kept = { place, version: version || null, files: files ?? null, reactions: home.reactions ?? null };
        sql.keep.run({ ...kept, file: home.file, seq: old.seq });
        if (old.vanished === 1) onBack?.(row, old);
      } else if (isSame ? !isLater(row, old) : isOutranked(row, home, old)) {
        insertRow({ ...row, payload: null }, home);
        sql.markRepeated.run();
      } else {
        insertRepeated(db, old.seq);
        replace(row, home, old);
      }
    },
  };
}

const prepareMerge = (db: Database) => ({
  insert: db.prepare(insertSql(oneRow)),
  find: db.prepare<[string], Existing>(
    `SELECT ${selectList(existing)} FROM message WHERE muid = ? AND verdict <> 'duplicate'`,
  ),
  keep: db.prepare(
    `UPDATE message SET stale = 0, vanished = 0, place = @place, file = @file, version = @version,
       files = CASE WHEN payload IS NOT NULL THEN @files END,
       reactions = CASE WHEN payload IS NULL AND reactions = '${noReactions}' THEN reactions ELSE @reactions END WHERE seq = @seq`,
  ),
  update: db.prepare(`UPDATE message SET (${names}) = ${oneRow}, stale = 0, vanished = 0 WHERE seq = ?`),
  markRepeated: db.prepare(`UPDATE message SET verdict = 'duplicate' WHERE seq = last_insert_rowid()`),
  dropUnidentified: db.prepare(`DELETE FROM message WHERE file = ? AND (muid IS NULL OR verdict = 'duplicate')`),
  markStale: db.prepare('UPDATE message SET stale = 1 WHERE file = ? AND follows IS NULL'),
  dropProblems: db.prepare('DELETE FROM problem WHERE file = ?'),
  wasSent: db.prepare(
    `SELECT 1 FROM destination CROSS JOIN delivery ON delivery.destination = destination.id AND delivery.message = ?
       AND delivery.state <> 'pending' LIMIT 1`,
  ),
  /** At least unconfirmed: a destination that refused it keeps nothing. */
  mayBeAtDestination: db.prepare(
    `SELECT 1 FROM destination CROSS JOIN delivery ON delivery.destination = destination.id AND delivery.message = ?
       AND delivery.state NOT IN ('pending', 'failed') LIMIT 1`,
  ),
  plannedOf: db
    .prepare<[number], string>('SELECT planned FROM media_message WHERE message = ? AND made IS NOT NULL')
    .pluck(),
  isCorrection: db.prepare<[number]>(
    'SELECT 1 FROM source_file f JOIN source_input i ON i.id = f.input WHERE f.id = ? AND i.source IS NOT NULL',
  ),
  pathOf: db.prepare<[number], string>('SELECT path FROM source_file WHERE id = ?').pluck(),
  standsBefore: db
    .prepare<[number, number], number>(
      'SELECT (a.input, a.path) < (b.input, b.path) FROM source_file a, source_file b WHERE a.id = ? AND b.id = ?',
    )
    .pluck(),
});

const isLeftOutByTime = ({ verdict, reason }: StagedRow) => verdict !== 'planned' && timeReasons.includes(reason ?? '');

const isLater = (row: StagedRow, old: Existing) => (row.version ?? '') > old.version;

/** Whether the staged version of a message counts, and not the one that was met now. */
const outrankedAsker = (sql: ReturnType<typeof prepareMerge>) => (row: StagedRow, home: RowHome, old: Existing) =>
  isLater(row, old)
    ? false
    : (row.version ?? '') < old.version || (home.file !== old.file && sql.standsBefore.get(home.file, old.file) === 1);

/** Keeps a message planned that was sent in time, however old it is by now. */
const sentInTime = (row: StagedRow, { payload, facts }: Existing): StagedRow => ({
  ...row,
  verdict: 'planned',
  reason: null,
  detail: null,
  payload,
  facts,
});

/** Returns a check of whether the identity of a row belongs to another message, as far as its time shows that they are two. */
function takenAsker(sql: ReturnType<typeof prepareMerge>, areRulesSame: boolean) {
  return (row: StagedRow, home: RowHome, old: Existing): boolean => {
    const areBothPresent = old.stale === 0 && old.vanished === 0;
    if (row.sentAtMs === old.sentAtMs || (row.part ?? 1) > 1 || !(areBothPresent || areRulesSame)) return false;
    const found = { ...row, sender: home.sender, text: payloadText(row.payload) };
    if (!isConflicting(found, { ...old, text: payloadText(old.payload) }, { areBothPresent })) return false;
    // A message that a person has corrected may differ in everything.
    return sql.isCorrection.get(home.file) === undefined && sql.isCorrection.get(old.file) === undefined;
  };
}

/** A changed mapping may change a verdict alone, and a person who turned out to be a bot the facts alone. */
const isStagedAlike = (row: StagedRow, old: Existing) =>
  isPurged(row, old) ||
  (old.payload === row.payload && old.verdict === row.verdict && old.reason === row.reason && old.facts === row.facts);

/** Its content was wiped on purpose: a file that is read again does not bring it back. */
const isPurged = (row: StagedRow, old: Existing) =>
  old.verdict === 'planned' && old.payload === null && row.verdict === 'planned';

/** Marks the location of the version that lost. */
function insertRepeated(db: Database, seq: number): void {
  db.prepare(
    `INSERT INTO message (${keptOfDuplicates}, verdict) SELECT ${keptOfDuplicates}, 'duplicate' FROM message WHERE seq = ?`,
  ).run(seq);
}

/**
 * SQL that keeps the sent version when the staged version is about to change: payload, sender and receiver, at every
 * destination that has a delivery of the message and no frozen version yet.
 */
const freezeSql = `
  UPDATE delivery SET payload = (
    SELECT json_set(m.payload, '$.sender', s.uid, '$.receiverType', cd.receiver_type, '$.receiver',
      CASE cd.receiver_type WHEN 'group' THEN c.guid
        ELSE (SELECT uid FROM person WHERE id = CASE m.sender WHEN c.person_a THEN c.person_b ELSE c.person_a END) END)
    FROM message m
    JOIN person s ON s.id = m.sender
    JOIN conversation c ON c.id = m.conversation
    JOIN conversation_delivery cd ON cd.destination = delivery.destination AND cd.conversation = m.conversation
    WHERE m.seq = delivery.message)
  WHERE payload IS NULL AND state <> 'pending'`;

/** Freezes one message, a look-up for each destination. */
export function payloadFreezer(db: Database): (message: number) => void {
  const freeze = db.prepare(`${freezeSql} AND destination IN (SELECT id FROM destination) AND message = ?`);
  return (message) => void freeze.run(message);
}

/** @param messages A query for their `seq`. */
export function freezePayloads(db: Database, messages: string): void {
  db.prepare(`${freezeSql} AND message IN (${messages})`).run();
}

/** The same for everything that was ever sent: before a changed mapping is applied. */
export function freezeAllPayloads(db: Database): void {
  db.prepare(freezeSql).run();
}
