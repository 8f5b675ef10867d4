import type { Database } from 'better-sqlite3';
import { printPlace } from '../../lib/text/location.ts';

/** A file of planned messages, and what became of it. */
export interface ListedMedia {
  /** `waiting`, `copied`, `missing`, `refused`, `failed`. */
  readonly state: string;
  /** Reason for one of the last three states, else empty. */
  readonly reason: string;
  readonly name: string;
  /** Empty for a file of the export itself. */
  readonly host: string;
  readonly bytes: number | null;
  readonly type: string;
  /** When its first address stops working, if that is known. */
  readonly expiresAtMs: number | null;
  /** Digest of the copy; empty if it was not copied. */
  readonly sha256: string;
  readonly key: string;
  readonly address: string;
  /** How often messages have it. */
  readonly uses: number;
  /** Location of the first message that has it. */
  readonly location: string;
}

/** Yields every file of planned messages, each once, one at a time: the database is busy until the iteration ends. */
export function* listMedia(db: Database): Generator<ListedMedia> {
  const rows = db.prepare<[], Omit<ListedMedia, 'location'> & { path: string; place: string }>(
    `SELECT f.state, coalesce(f.reason, '') AS reason, f.name, f.host, coalesce(o.size_bytes, f.size_bytes) AS bytes,
       coalesce(o.content_type, f.mime_type) AS type, f.expires_at AS expiresAtMs, coalesce(o.sha256, '') AS sha256,
       coalesce(o.key, '') AS key, coalesce(o.address, '') AS address,
       (SELECT count(*) FROM media_use u WHERE u.file = f.id) AS uses, s.path, m.place
     FROM media_file f CROSS JOIN message m ON m.seq = (SELECT min(u.message) FROM media_use u WHERE u.file = f.id)
     CROSS JOIN source_file s ON s.id = m.file LEFT JOIN media_object o ON o.id = f.object ORDER BY f.id`,
  );
  for (const { path, place, ...row } of rows.iterate()) yield { ...row, location: printPlace(path, place) };
}
