import type { Database } from 'better-sqlite3';
import { printPlace } from '../../lib/text/location.ts';
import type { ListedMedia } from './media-list.ts';

/** Files of planned messages that come from one host, each once. */
export interface HostFigures {
  /** Empty for files of the export itself. */
  readonly host: string;
  readonly files: number;
  readonly copied: number;
  /** Bytes of those whose size is known, and the number of those whose size is not. */
  readonly bytes: number;
  readonly unsized: number;
}

const isUsed = 'EXISTS (SELECT 1 FROM media_use u WHERE u.file = f.id)';
const size = 'coalesce(o.size_bytes, f.size_bytes)';

/** The hosts with most files, and how many hosts there are. */
export function mediaHosts(
  db: Database,
  max: number,
): { readonly hosts: readonly HostFigures[]; readonly count: number } {
  const hosts = db
    .prepare<[number], HostFigures>(
      `SELECT f.host, count(*) AS files, sum(f.state = 'copied') AS copied, coalesce(sum(${size}), 0) AS bytes,
         sum(${size} IS NULL) AS unsized
       FROM media_file f LEFT JOIN media_object o ON o.id = f.object WHERE ${isUsed}
       GROUP BY f.host ORDER BY files DESC, f.host LIMIT ?`,
    )
    .all(max);
  const count = db
    .prepare<[], number>(`SELECT count(DISTINCT f.host) FROM media_file f WHERE ${isUsed}`)
    .pluck()
    .get()!;
  return { hosts, count };
}

/** Files that are still to be copied, each once. */
export interface FilesLeft {
  readonly files: number;
  /** Bytes of those whose size is known, and the number of those whose size is not. */
  readonly bytes: number;
  readonly unsized: number;
  /** Whose address has stopped working, or stops within a day, within a week, later. */
  readonly expired: number;
  readonly day: number;
  readonly week: number;
  readonly later: number;
  /** When the next of them stops. */
  readonly firstAtMs: number | null;
}

const dayMs = 86_400_000;

export function filesLeft(db: Database, nowMs: number): FilesLeft {
  const within = (from: string, to: string) => `coalesce(sum(f.expires_at > ${from} AND f.expires_at <= ${to}), 0)`;
  return db
    .prepare<{ nowMs: number; dayMs: number; weekMs: number }, FilesLeft>(
      `SELECT count(*) AS files, coalesce(sum(f.size_bytes), 0) AS bytes, coalesce(sum(f.size_bytes IS NULL), 0) AS unsized,
         coalesce(sum(f.expires_at <= @nowMs), 0) AS expired, ${within('@nowMs', '@dayMs')} AS day,
         ${within('@dayMs', '@weekMs')} AS week, coalesce(sum(f.expires_at > @weekMs), 0) AS later,
         min(CASE WHEN f.expires_at > @nowMs THEN f.expires_at END) AS firstAtMs
       FROM media_file f WHERE f.state IN ('waiting', 'failed') AND ${isUsed}`,
    )
    .get({ nowMs, dayMs: nowMs + dayMs, weekMs: nowMs + 7 * dayMs })!;
}

/** A file that was not copied, and why. */
export interface MediaFault extends Pick<ListedMedia, 'name' | 'host' | 'reason' | 'location'> {
  readonly state: 'missing' | 'refused' | 'failed';
}

/** The first files that could not be copied, and how many there are. */
export function mediaFaults(
  db: Database,
  max: number,
): { readonly faults: readonly MediaFault[]; readonly count: number } {
  const condition = `f.state IN ('missing', 'refused', 'failed') AND ${isUsed}`;
  const count = db.prepare<[], number>(`SELECT count(*) FROM media_file f WHERE ${condition}`).pluck().get()!;
  const rows = db
    .prepare<[number], Omit<MediaFault, 'location'> & { path: string; place: string }>(
      `SELECT f.state, f.name, f.host, coalesce(f.reason, '') AS reason, s.path, m.place
       FROM media_file f CROSS JOIN message m ON m.seq = (SELECT min(u.message) FROM media_use u WHERE u.file = f.id)
       CROSS JOIN source_file s ON s.id = m.file WHERE ${condition} ORDER BY f.id LIMIT ?`,
    )
    .all(max);
  return { count, faults: rows.map(({ path, place, ...fault }) => ({ ...fault, location: printPlace(path, place) })) };
}

/** Files of the export's own messages, by what the payloads hold: `Facts` counts attached files and files that are only named. */
export interface AttachedMedia {
  /** Files that are attached with their new address. */
  readonly copied: number;
  /**
   * Files that are only named: files of the export itself that were not copied, or of an address that could not be
   * copied if the mapping asks for names then.
   */
  readonly named: number;
}

export function attachedMedia(db: Database): AttachedMedia {
  const isCopied = `f.state = 'copied' AND mm.made IS NOT NULL`;
  const isDropped = `f.host <> '' AND f.state <> 'copied' AND mm.made IS NOT NULL AND instr(m.payload, json_quote(f.origin)) = 0`;
  return db
    .prepare<[], AttachedMedia>(
      `SELECT coalesce(sum(${isCopied}), 0) AS copied, coalesce(sum((f.host = '' AND NOT (${isCopied})) OR (${isDropped})), 0) AS named
       FROM media_use u JOIN media_file f ON f.id = u.file JOIN media_message mm ON mm.message = u.message
       JOIN message m ON m.seq = u.message WHERE m.follows IS NULL`,
    )
    .get()!;
}

/** Whether files of messages were written down, to be copied or copied already. */
export const hasMedia = (db: Database): boolean =>
  db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM media_use)').pluck().get() === 1;

/** Where files were written last. */
export const lastLocation = (db: Database): string | undefined =>
  db
    .prepare<[], string>(`SELECT location FROM media_object WHERE state = 'stored' ORDER BY id DESC LIMIT 1`)
    .pluck()
    .get();

/** Returns the number of files known to be stored, by location. */
export const storedByLocation = (db: Database): { readonly location: string; readonly files: number }[] =>
  db
    .prepare<[], { location: string; files: number }>(
      `SELECT location, count(*) AS files FROM media_object WHERE state = 'stored' GROUP BY location ORDER BY location`,
    )
    .all();
