import { crypto } from '../lib/late.ts';
import type { Database } from 'better-sqlite3';
import type { FileStat } from '../io/input/export-input.ts';
import { sha256Hex } from '../lib/hash.ts';
import type { Profile } from '../service/profiles.ts';
import { RowBuffer } from './base/row-buffer.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';
import { timeReasons } from './base/message-sql.ts';
import type { Facts } from './facts.ts';

/** `gone`: an earlier plan read it, and the input no longer has it. */
type FileRole = 'shared' | 'rows' | 'skipped' | 'unknown' | 'gone';

/** Facts that the store remembers about a file of one input. */
export interface KnownFile {
  readonly id: number;
  readonly path: string;
  readonly role: FileRole;
  readonly fingerprint: string;
}

/** Digests of the inputs of a plan: three, each the first 16 hex digits of SHA-256. */
interface Pins {
  /** Over path and fingerprint of every file that was read. */
  readonly export: string;
  readonly mapping: string;
  readonly profile: string;
}

/** Messages of these times are taken, in epoch ms, both ends included. It moves with the clock. */
export interface TakenTimes {
  readonly fromMs: number;
  readonly toMs: number;
}

/** An unfinished file has no fingerprint, so that the next plan reads it again. */
export const unfinished = '';

const known = 'SELECT id, path, role, fingerprint FROM source_file WHERE input = ?';
const inRange = 'CROSS JOIN message m ON m.conversation = c.id AND m.sent_at >= @fromMs AND m.sent_at <= @toMs';
const newInputs = 'SELECT g.input FROM message n JOIN source_file g ON g.id = n.file WHERE n.seq > @knownUpTo';

const statements = lateStatements({
  input: value<[path: string], number>`
    INSERT INTO source_input (path) VALUES (?) ON CONFLICT (path) DO UPDATE SET path = path RETURNING id`,
  inputPaths: value<[], string>`SELECT path FROM source_input WHERE source IS NULL ORDER BY id`,
  inputPath: value<[input: number], string>`SELECT path FROM source_input WHERE id = ?`,
  inputs: sql<[], { id: number; path: string }>`SELECT id, path FROM source_input ORDER BY path`,
  otherInput: sql<[paths: string]>`SELECT 1 FROM source_input WHERE path NOT IN (SELECT value FROM json_each(?))`,
  correctedBy: value<[input: number], number>`
    SELECT o.id FROM source_input i JOIN source_input o ON o.source IS NULL WHERE i.id = ? AND i.source IS NOT NULL ORDER BY o.id`,
  nameSource: sql<[source: string, path: string]>`UPDATE source_input SET source = ? WHERE path = ?`,
  listing: value<[path: string], string | null>`SELECT listing FROM source_input WHERE path = ? AND source IS NULL`,
  keepListing: sql<[listing: string | null, path: string]>`UPDATE source_input SET listing = ? WHERE path = ?`,
  hasUnfinished: sql<[path: string]>`
    SELECT 1 FROM source_file WHERE input = (SELECT id FROM source_input WHERE path = ?)
      AND fingerprint = '${unfinished}' AND role <> 'gone' LIMIT 1`,
  all: sql<[input: number], KnownFile>`${known}`,
  find: sql<[input: number, path: string], KnownFile>`${known} AND path = ?`,
  any: sql<[input: number]>`SELECT 1 FROM source_file WHERE input = ? LIMIT 1`,
  count: value<[input: number], number>`SELECT count(*) FROM source_file WHERE input = ? AND role <> 'gone'`,
  countRead: value<[], number>`
    SELECT count(*) FROM source_file WHERE role = 'rows' AND fingerprint <> '${unfinished}'`,
  greatestId: value<[], number>`SELECT coalesce(max(id), 0) FROM source_file`,
  isPlanned: sql<[]>`SELECT 1 FROM message UNION ALL SELECT 1 FROM source_file LIMIT 1`,
  reopenAll: sql<[]>`UPDATE source_file SET fingerprint = '${unfinished}'`,
  reopen: sql<[ids: string]>`
    UPDATE source_file SET fingerprint = '${unfinished}' WHERE id IN (SELECT value FROM json_each(?))`,
  markStale: sql<[file: number]>`UPDATE message SET stale = 1 WHERE file = ? AND follows IS NULL`,
  dropProblems: sql<[file: number]>`DELETE FROM problem WHERE file = ?`,
  markGone: sql<[id: number]>`UPDATE source_file SET role = 'gone', fingerprint = '${unfinished}' WHERE id = ?`,
  digested: value<[inputPath: string, input: number], string>`
    SELECT json_array(?, path, fingerprint) FROM source_file WHERE input = ? AND role NOT IN ('gone', 'rest') ORDER BY path`,
  takenBefore: value<TakenTimes, number>`
    SELECT DISTINCT m.file FROM conversation c ${inRange} AND m.verdict = 'planned'
    WHERE m.vanished = 0 AND m.follows IS NULL AND NOT EXISTS (SELECT 1 FROM destination
      CROSS JOIN delivery d ON d.destination = destination.id AND d.message = m.seq AND d.state <> 'pending')`,
  leftOutBefore: value<TakenTimes, number>`
    SELECT DISTINCT m.file FROM conversation c ${inRange} AND m.verdict IN ('skipped', 'invalid')
    WHERE m.reason IN (${timeReasons.map((reason) => `'${reason}'`).join()})`,
  isBehind: sql<[seq: number]>`SELECT 1 FROM message WHERE seq > ? LIMIT 1`,
  // A known row that the same input still holds, or a new mark of one, shows that there is nothing between.
  noteGaps: sql<{ knownUpTo: number }>`
    INSERT OR IGNORE INTO export_gap (conversation, after_at, before_at)
    SELECT conversation, known_to, new_from FROM (
      SELECT m.conversation, max(CASE WHEN m.seq <= @knownUpTo THEN m.sent_at END) AS known_to,
        min(CASE WHEN m.seq > @knownUpTo THEN m.sent_at END) AS new_from,
        max(m.seq <= @knownUpTo AND m.stale = 0 AND m.vanished = 0 AND f.role <> 'gone' AND f.input IN (${newInputs})) AS overlaps
      FROM message m JOIN source_file f ON f.id = m.file
      WHERE m.follows IS NULL AND m.conversation IS NOT NULL AND m.sent_at IS NOT NULL GROUP BY m.conversation)
    WHERE known_to < new_from AND overlaps = 0`,
});

/** Inputs of a store (exports, by absolute paths of folders or archives), their files, and what plans know of them. */
export class Files extends withStatements(statements) {
  readonly #facts: Facts;
  /** Given out last: ids are given out before they are written. */
  #lastId: number | undefined;

  constructor(db: Database, facts: Facts) {
    super(db);
    this.#facts = facts;
  }

  openInput(inputPath: string): InputFiles {
    return new InputFiles(this.db, this.sql.input.get(inputPath)!, () => this.#newId());
  }

  #newId(): number {
    this.#lastId = (this.#lastId ?? this.sql.greatestId.get()!) + 1;
    return this.#lastId;
  }

  /** Of the inputs that are of the store's source, in the order in which they were first read. */
  inputPaths(): string[] {
    return this.sql.inputPaths.all();
  }

  inputPath(input: number): string | undefined {
    return this.sql.inputPath.get(input);
  }

  /** The exports of a store, where an input holds corrections of what they had: the files of its messages are theirs. */
  correctedBy(input: number): number[] {
    return this.sql.correctedBy.all(input);
  }

  /** Whether all that the store knows came from these inputs. */
  hasNoOtherInput(paths: readonly string[]): boolean {
    return this.sql.otherInput.get(JSON.stringify(paths)) === undefined;
  }

  /** Records the source of an input, if it is not that of the store. */
  nameSource(inputPath: string, source: string): void {
    this.sql.nameSource.run(source, inputPath);
  }

  /** How an input lay there when a plan had read all of it; none where it was not certain, or corrects another source's. */
  listing(inputPath: string): string | null | undefined {
    return this.sql.listing.get(inputPath);
  }

  keepListing(inputPath: string, listing: string | null): void {
    this.sql.keepListing.run(listing, inputPath);
  }

  /** Whether a file of an input is to be read again, or was never finished. */
  hasUnfinished(inputPath: string): boolean {
    return this.sql.hasUnfinished.get(inputPath) !== undefined;
  }

  /** How many files with messages were read to their end. */
  countRead(): number {
    return this.sql.countRead.get()!;
  }

  /** Whether nothing was ever staged, nor any file begun: everything is appended, to tables without indexes. */
  isUnplanned(): boolean {
    return this.sql.isPlanned.get() === undefined;
  }

  /** Has every file read again, by this plan or, should it be interrupted, by the next. */
  reopenAll(): void {
    this.sql.reopenAll.run();
  }

  reopen(files: readonly number[]): void {
    if (files.length > 0) this.sql.reopen.run(JSON.stringify(files));
  }

  /** Drops rows and problems of files that the input no longer has. */
  forget(files: readonly number[]): void {
    for (const file of files) {
      this.sql.markStale.run(file);
      this.sql.dropProblems.run(file);
      this.sql.markGone.run(file);
    }
  }

  /** Removes the export's data from the store, for a plan under other rules. Only if nothing was ever sent. */
  forgetExport(): void {
    for (const table of [
      ...['action_delivery', 'action', 'relation', 'message', 'problem', 'drift', 'export_gap', 'attachment_host'],
      ...[
        'source_file',
        'source_input',
        'delivery',
        'conversation_delivery',
        'person_delivery',
        'conversation',
        'person',
      ],
    ])
      this.db.exec(`DELETE FROM ${table}`);
  }

  /**
   * Returns files with rows whose verdict has changed: an unsent row that must no longer be taken, or a row that was left
   * out for its time and must now be taken. Sent messages stay as they are. Each conversation is queried only for the
   * times on which the two ranges differ.
   *
   * @param before The times that the staged verdicts are based on; if they are unknown, leave it out: then every row is
   *   checked.
   */
  judgedOtherwise(now: TakenTimes, before: TakenTimes | undefined): number[] {
    return [
      ...without(before ?? always, now).flatMap((times) => this.sql.takenBefore.all(times)),
      ...without(now, before ?? never).flatMap((times) => this.sql.leftOutBefore.all(times)),
    ];
  }

  /**
   * Notes conversations in which an export of the last days or weeks begins later than everything that was known before: what was
   * written between may be lost. Remembered until something between the two turns up. One pass over all messages.
   *
   * @param knownUpTo The greatest `seq` before this plan.
   */
  noteGaps(knownUpTo: number): void {
    if (this.sql.isBehind.get(knownUpTo) !== undefined) this.sql.noteGaps.run({ knownUpTo });
  }

  /** Removes gaps in which a message has turned up since. */
  closeGaps(): void {
    this.db.exec(`DELETE FROM export_gap WHERE EXISTS (SELECT 1 FROM message m WHERE m.conversation = export_gap.conversation
      AND m.follows IS NULL AND m.sent_at > export_gap.after_at AND m.sent_at < export_gap.before_at)`);
  }

  /**
   * Pins a plan that has read everything, and notes what changed since the one before it.
   *
   * @param isExportChanged Otherwise the files need not be looked at: 0.3 s for 300,000.
   */
  pin({
    mappingHash,
    profile,
    isExportChanged,
  }: {
    mappingHash: string;
    profile: Profile;
    isExportChanged: boolean;
  }): void {
    const before = this.pins();
    const pins: Pins = {
      export: before && !isExportChanged ? before.export : this.#exportDigest(),
      mapping: digest(mappingHash),
      profile: digest(JSON.stringify(profile)),
    };
    this.#facts.write('pins', JSON.stringify(pins));
    this.#facts.write('changedSince', JSON.stringify(changedPins(before, pins)));
  }

  pins(): Pins | undefined {
    const text = this.#facts.read('pins');
    return text === undefined ? undefined : (JSON.parse(text) as Pins);
  }

  /** In words, what changed between the plan before and this one. */
  pinChanges(): string[] {
    return JSON.parse(this.#facts.read('changedSince') ?? '[]') as string[];
  }

  #exportDigest(): string {
    const hash = crypto().createHash('sha256');
    for (const { id, path } of this.sql.inputs.all()) {
      let text = '';
      for (const file of this.sql.digested.iterate(path, id)) {
        text += file;
        if (text.length < hashedTogether) continue;
        hash.update(text);
        text = '';
      }
      hash.update(text);
    }
    return hash.digest('hex').slice(0, 16);
  }
}

/** Characters: a call for each of many small files would take as long as the hashing. */
const hashedTogether = 10_000;

const digest = (text: string) => sha256Hex(text).slice(0, 16);

const changes: Readonly<Record<keyof Pins, string>> = {
  export: 'the export changed: its files are others, or were edited',
  mapping: 'the mapping changed',
  profile: 'the assumptions about the destination changed: limits, pace or retention',
};

function changedPins(before: Pins | undefined, after: Pins): string[] {
  if (!before) return [];
  return (['export', 'mapping', 'profile'] as const)
    .filter((what) => before[what] !== after[what])
    .map((what) => `${changes[what]} (${before[what]} to ${after[what]})`);
}

const always: TakenTimes = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };
const never: TakenTimes = { fromMs: always.toMs, toMs: always.fromMs };

/** Returns the part of some times that is outside of others. */
function without({ fromMs, toMs }: TakenTimes, others: TakenTimes): TakenTimes[] {
  const before = { fromMs, toMs: Math.min(toMs, others.fromMs - 1) };
  const behind = { fromMs: Math.max(fromMs, others.toMs + 1), toMs };
  return others.fromMs > others.toMs ? [{ fromMs, toMs }] : [before, behind].filter((rest) => rest.fromMs <= rest.toMs);
}

const update = `ON CONFLICT (id) DO UPDATE SET role = excluded.role, reason = excluded.reason, fingerprint = excluded.fingerprint,
  size_bytes = excluded.size_bytes`;
const saveSql = (rows: string) =>
  `INSERT INTO source_file (id, input, path, role, reason, fingerprint, size_bytes) VALUES ${rows} ${update}`;
const saveReadSql = (rows: string) =>
  `INSERT INTO source_file (id, input, path, role, fingerprint, size_bytes) VALUES ${rows} ${update}`;

/** The files of one input, as plans leave them. */
export class InputFiles extends withStatements(statements) {
  readonly #input: number;
  readonly #rows: RowBuffer;
  /** Files that were read, of an input that is new: nearly all files. */
  readonly #readRows: RowBuffer;
  /** No plan has read this input yet: no file of it needs to be looked up. */
  readonly isNew: boolean;
  /** An id that no file has. */
  readonly newId: () => number;

  constructor(db: Database, input: number, newId: () => number) {
    super(db);
    this.#input = input;
    this.newId = newId;
    this.#rows = new RowBuffer(db, saveSql);
    this.#readRows = new RowBuffer(db, saveReadSql, "(?, ?, ?, 'rows', ?, ?)");
    this.isNew = this.sql.any.get(input) === undefined;
  }

  /** A file as the last plan left it. */
  find(path: string): KnownFile | undefined {
    return this.isNew ? undefined : this.sql.find.get(this.#input, path);
  }

  /** The id of a file that was closed, by this plan too. */
  idOf(path: string): number | undefined {
    this.flush();
    return this.sql.find.get(this.#input, path)?.id;
  }

  /** Files that the input had when the last plan read it. */
  count(): number {
    return this.sql.count.get(this.#input)!;
  }

  /** Every file as the last plan left it. An export may have hundreds of thousands: they are not collected. */
  all(): IterableIterator<KnownFile> {
    return this.sql.all.iterate(this.#input);
  }

  /** Before a commit in the middle of a file: should we be killed, the next plan reads it again. */
  saveUnfinished(id: number, path: string): void {
    this.#rows.add([id, this.#input, path, 'rows', null, unfinished, 0]);
  }

  /** With the last rows of a file. */
  close(id: number, path: string, role: FileRole, reason: string | undefined, stat: FileStat): void {
    if (this.isNew && role === 'rows' && reason === undefined)
      this.#readRows.add([id, this.#input, path, stat.fingerprint, stat.sizeBytes]);
    else this.#rows.add([id, this.#input, path, role, reason ?? null, stat.fingerprint, stat.sizeBytes]);
  }

  /** Before a commit: what was saved may have waited for more until then. */
  flush(): void {
    this.#rows.flush();
    this.#readRows.flush();
  }
}
