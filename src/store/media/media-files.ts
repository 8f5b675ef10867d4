import type { Database } from 'better-sqlite3';

/** Reason recorded when reading back shows that a copy is gone. */
export const missingFile = 'it is not there';

/** A file as messages name it. */
export interface NamedMedia {
  /** Its address, or its path in the export: `exportOrigin`. */
  readonly origin: string;
  /** Host of the address; empty for a file of the export. */
  readonly host: string;
  readonly name: string;
  /** As the export has them; empty, and null, where it says nothing. */
  readonly mimeType: string;
  readonly sizeBytes: number | null;
  /** Epoch ms at which the address stops working, if it says so. */
  readonly expiresAtMs: number | null;
}

export interface MediaFile extends NamedMedia {
  readonly id: number;
}

/** `waiting`: not tried yet; `failed`: may be tried again. */
export type MediaState = 'waiting' | 'copied' | 'missing' | 'refused' | 'failed';

/** Returns the origin of a file in the export. */
export const exportOrigin = (input: number, path: string): string => `export:${input}/${path}`;

/** Returns the input and path of an origin made by `exportOrigin`; undefined for an address. */
export function placeInExport(origin: string): { readonly input: number; readonly path: string } | undefined {
  const match = /^export:(\d+)\/(.*)$/s.exec(origin);
  return match ? { input: Number(match[1]), path: match[2]! } : undefined;
}

/** Writes down files, each once. @returns Gives the number of a file. */
export function mediaFileWriter(db: Database): (file: NamedMedia) => number {
  const find = db.prepare<[string], number>('SELECT id FROM media_file WHERE origin = ?').pluck();
  const insert = db.prepare(
    `INSERT INTO media_file (origin, host, name, mime_type, size_bytes, expires_at, state) VALUES (?, ?, ?, ?, ?, ?, 'waiting')`,
  );
  return ({ origin, host, name, mimeType, sizeBytes, expiresAtMs }) =>
    find.get(origin) ?? Number(insert.run(origin, host, name, mimeType, sizeBytes, expiresAtMs).lastInsertRowid);
}

/** Files that no message has any more, and that became nothing. */
export function dropUnusedMedia(db: Database): void {
  db.exec(
    'DELETE FROM media_file WHERE object IS NULL AND NOT EXISTS (SELECT 1 FROM media_use u WHERE u.file = media_file.id)',
  );
}

/** Marks files that failed or were missing to be tried again. */
export function reopenMedia(db: Database): void {
  db.exec(`UPDATE media_file SET state = 'waiting', reason = NULL WHERE state IN ('failed', 'missing', 'refused')`);
}

/** Files whose copy was removed, or was not there when it was read back, are copied again. */
export function reopenRemoved(db: Database): void {
  db.prepare(`UPDATE media_object SET state = 'removed' WHERE state = 'stored' AND fault = ?`).run(missingFile);
  db.exec(`UPDATE media_file SET state = 'waiting', object = NULL
    WHERE object IN (SELECT id FROM media_object WHERE state = 'removed')`);
}

/** Marks files whose copy is at another location than this one to be copied; until then they keep that copy. */
export function reopenElsewhere(db: Database, location: string): void {
  db.prepare(
    `UPDATE media_file SET state = 'waiting' WHERE object IN (SELECT id FROM media_object WHERE location <> ?)`,
  ).run(location);
}

const columns = 'id, origin, host, name, mime_type AS mimeType, size_bytes AS sizeBytes, expires_at AS expiresAtMs';

const isLeft = `state = 'waiting' AND EXISTS (SELECT 1 FROM media_use u WHERE u.file = media_file.id)`;

/** How many `filesToCopy` gives. */
export const countToCopy = (db: Database): number =>
  db.prepare<[], number>(`SELECT count(*) FROM media_file WHERE ${isLeft}`).pluck().get()!;

/**
 * Yields files to copy, starting with those whose address stops working first. Yields each file once, even if more are
 * added or tried in the meantime.
 */
export function* filesToCopy(db: Database): Generator<MediaFile> {
  const next = db.prepare<[number, number, number], MediaFile>(
    `SELECT ${columns} FROM media_file
     WHERE state IN ('waiting', 'failed') AND (expires_at IS NULL, coalesce(expires_at, 0), id) > (?, ?, ?) AND ${isLeft}
     ORDER BY expires_at IS NULL, coalesce(expires_at, 0), id LIMIT 200`,
  );
  for (let after: [number, number, number] = [0, Number.MIN_SAFE_INTEGER, 0]; ; ) {
    const page = next.all(...after);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = [last.expiresAtMs === null ? 1 : 0, last.expiresAtMs ?? 0, last.id];
  }
}

/** Writes what became of files. */
export function mediaOutcomes(db: Database) {
  const save = db.prepare(
    'UPDATE media_file SET state = ?, reason = ?, object = ?, tries = tries + 1, tried_at = ? WHERE id = ?',
  );
  const keep = db.prepare(
    `UPDATE media_file SET state = 'copied', reason = NULL, tries = tries + 1, tried_at = ?
     WHERE id = ? AND object IN (SELECT id FROM media_object WHERE state = 'stored')`,
  );
  return {
    copied: (file: number, object: number, nowMs: number): void => void save.run('copied', null, object, nowMs, file),
    /** A file that was copied to another location before keeps its state. */
    not(file: number, state: 'missing' | 'refused' | 'failed', reason: string, nowMs: number): void {
      if (keep.run(nowMs, file).changes === 0) save.run(state, reason, null, nowMs, file);
    },
  };
}

/** Files of planned messages, each as often as messages have it. `copied` are different contents; `shared` what is the same as one of them. */
export interface MediaSums {
  readonly files: number;
  readonly copied: number;
  readonly shared: number;
  readonly missing: number;
  readonly refused: number;
  /** Not tried yet, or to be tried again. */
  readonly waiting: number;
  /** Bytes of copied files, and of waiting files as far as the export or the server stated them. */
  readonly copiedBytes: number;
  readonly waitingBytes: number;
}

export function mediaSums(db: Database): MediaSums {
  const sums = db
    .prepare<[], Omit<MediaSums, 'shared' | 'copiedBytes'> & { uses: number }>(
      `SELECT count(*) AS files, coalesce(sum(f.state = 'copied'), 0) AS uses,
         count(DISTINCT CASE WHEN f.state = 'copied' THEN f.object END) AS copied,
         coalesce(sum(f.state = 'missing'), 0) AS missing, coalesce(sum(f.state = 'refused'), 0) AS refused,
         coalesce(sum(f.state IN ('waiting', 'failed')), 0) AS waiting,
         coalesce(sum(CASE WHEN f.state IN ('waiting', 'failed') THEN f.size_bytes END), 0) AS waitingBytes
       FROM media_use u JOIN media_file f ON f.id = u.file`,
    )
    .get()!;
  const copiedBytes = db
    .prepare<[], number>(
      `SELECT coalesce(sum(size_bytes), 0) FROM media_object WHERE id IN (
         SELECT f.object FROM media_file f WHERE f.state = 'copied' AND EXISTS (SELECT 1 FROM media_use u WHERE u.file = f.id))`,
    )
    .pluck()
    .get()!;
  const { uses, ...others } = sums;
  return { ...others, shared: uses - sums.copied, copiedBytes };
}
