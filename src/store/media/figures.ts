import { printPlace } from '../../lib/text/location.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';

/** Files of planned messages that come from one host, each once. */
interface HostFigures {
  /** Empty for files of the export itself. */
  readonly host: string;
  readonly files: number;
  readonly copied: number;
  /** Bytes of those whose size is known, and the number of those whose size is not. */
  readonly bytes: number;
  readonly unsized: number;
}

/** Files that are still to be copied, each once. */
interface FilesLeft {
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

/** A file of planned messages, and what became of it. */
export interface ListedFile {
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

interface MediaFault extends Pick<ListedFile, 'name' | 'host' | 'reason' | 'location'> {
  readonly state: 'missing' | 'refused' | 'failed';
}

/** Files of the export's own messages, by what the payloads hold: `Facts` counts attached files and files that are only named. */
interface AttachedMedia {
  /** Files that are attached with their new address. */
  readonly copied: number;
  /**
   * Files that are only named: files of the export itself that were not copied, or of an address that could not be
   * copied if the mapping asks for names then.
   */
  readonly named: number;
}

type Placed<Row extends { readonly location: string }> = Omit<Row, 'location'> & { path: string; place: string };

const dayMs = 86_400_000;

const isUsed = 'EXISTS (SELECT 1 FROM media_use u WHERE u.file = f.id)';
const size = 'coalesce(o.size_bytes, f.size_bytes)';
const within = (from: string, to: string) => `coalesce(sum(f.expires_at > ${from} AND f.expires_at <= ${to}), 0)`;
const isFault = `f.state IN ('missing', 'refused', 'failed') AND ${isUsed}`;
/** The first message that has a file. */
const firstMessage = `CROSS JOIN message m ON m.seq = (SELECT min(u.message) FROM media_use u WHERE u.file = f.id)
  CROSS JOIN source_file s ON s.id = m.file`;
const isCopied = `f.state = 'copied' AND mm.made IS NOT NULL`;
const isDropped = `f.host <> '' AND f.state <> 'copied' AND mm.made IS NOT NULL AND instr(m.payload, json_quote(f.origin)) = 0`;

// By an index of planned messages each row would be looked up.
const messages = 'message m NOT INDEXED';
const isPlanned = `m.verdict = 'planned' AND m.vanished = 0 AND m.files IS NULL`;
const isOnlyFiles = `${isPlanned} AND m.facts LIKE '%"onlyFiles":%'`;

const statements = lateStatements({
  hosts: sql<[max: number], HostFigures>`
    SELECT f.host, count(*) AS files, sum(f.state = 'copied') AS copied, coalesce(sum(${size}), 0) AS bytes,
      sum(${size} IS NULL) AS unsized
    FROM media_file f LEFT JOIN media_object o ON o.id = f.object WHERE ${isUsed}
    GROUP BY f.host ORDER BY files DESC, f.host LIMIT ?`,
  countHosts: value<[], number>`SELECT count(DISTINCT f.host) FROM media_file f WHERE ${isUsed}`,
  left: sql<{ nowMs: number; dayMs: number; weekMs: number }, FilesLeft>`
    SELECT count(*) AS files, coalesce(sum(f.size_bytes), 0) AS bytes, coalesce(sum(f.size_bytes IS NULL), 0) AS unsized,
      coalesce(sum(f.expires_at <= @nowMs), 0) AS expired, ${within('@nowMs', '@dayMs')} AS day,
      ${within('@dayMs', '@weekMs')} AS week, coalesce(sum(f.expires_at > @weekMs), 0) AS later,
      min(CASE WHEN f.expires_at > @nowMs THEN f.expires_at END) AS firstAtMs
    FROM media_file f WHERE f.state IN ('waiting', 'failed') AND ${isUsed}`,
  countFaults: value<[], number>`SELECT count(*) FROM media_file f WHERE ${isFault}`,
  faults: sql<[max: number], Placed<MediaFault>>`
    SELECT f.state, f.name, f.host, coalesce(f.reason, '') AS reason, s.path, m.place
    FROM media_file f ${firstMessage} WHERE ${isFault} ORDER BY f.id LIMIT ?`,
  all: sql<[], Placed<ListedFile>>`
    SELECT f.state, coalesce(f.reason, '') AS reason, f.name, f.host, ${size} AS bytes,
      coalesce(o.content_type, f.mime_type) AS type, f.expires_at AS expiresAtMs, coalesce(o.sha256, '') AS sha256,
      coalesce(o.key, '') AS key, coalesce(o.address, '') AS address,
      (SELECT count(*) FROM media_use u WHERE u.file = f.id) AS uses, s.path, m.place
    FROM media_file f ${firstMessage} LEFT JOIN media_object o ON o.id = f.object ORDER BY f.id`,
  attached: sql<[], AttachedMedia>`
    SELECT coalesce(sum(${isCopied}), 0) AS copied, coalesce(sum((f.host = '' AND NOT (${isCopied})) OR (${isDropped})), 0) AS named
    FROM media_use u JOIN media_file f ON f.id = u.file JOIN media_message mm ON mm.message = u.message
    JOIN message m ON m.seq = u.message WHERE m.follows IS NULL`,
  anyUse: sql<[]>`SELECT 1 FROM media_use LIMIT 1`,
  lastLocation: value<[], string>`SELECT location FROM media_object WHERE state = 'stored' ORDER BY id DESC LIMIT 1`,
  byLocation: sql<[], { location: string; files: number }>`
    SELECT location, count(*) AS files FROM media_object WHERE state = 'stored' GROUP BY location ORDER BY location`,
  foreignAddress: sql<[]>`
    SELECT 1 FROM ${messages} WHERE ${isPlanned} AND m.facts LIKE '%"filesWithoutAddress":%'
      AND m.payload LIKE '%"why":"not a web address"%' LIMIT 1`,
  countOnlyFiles: value<[], number>`SELECT count(*) FROM ${messages} WHERE ${isOnlyFiles}`,
  onlyFiles: sql<[], { path: string; place: string; name: string | null }>`
    SELECT s.path, m.place, m.payload ->> '$.data.metadata.chatferry.files[0].name' AS name
    FROM message m CROSS JOIN source_file s ON s.id = m.file WHERE ${isOnlyFiles} ORDER BY m.seq`,
});

export class MediaFigures extends withStatements(statements) {
  /** Whether files of messages were written down, to be copied or copied already. */
  hasAny(): boolean {
    return this.sql.anyUse.get() !== undefined;
  }

  /** The hosts with most files, and how many hosts there are. */
  hosts(max: number): { readonly hosts: readonly HostFigures[]; readonly count: number } {
    return { hosts: this.sql.hosts.all(max), count: this.sql.countHosts.get()! };
  }

  left(nowMs: number): FilesLeft {
    return this.sql.left.get({ nowMs, dayMs: nowMs + dayMs, weekMs: nowMs + 7 * dayMs })!;
  }

  /** The first files that could not be copied, and how many there are. */
  faults(max: number): { readonly faults: readonly MediaFault[]; readonly count: number } {
    const rows = this.sql.faults.all(max);
    const faults = rows.map(({ path, place, ...fault }) => ({ ...fault, location: printPlace(path, place) }));
    return { count: this.sql.countFaults.get()!, faults };
  }

  /** Yields every file of planned messages, each once, one at a time: the database is busy until the iteration ends. */
  *all(): Generator<ListedFile> {
    for (const { path, place, ...row } of this.sql.all.iterate()) yield { ...row, location: printPlace(path, place) };
  }

  attached(): AttachedMedia {
    return this.sql.attached.get()!;
  }

  lastLocation(): string | undefined {
    return this.sql.lastLocation.get();
  }

  byLocation(): { readonly location: string; readonly files: number }[] {
    return this.sql.byLocation.all();
  }

  /** Whether there are files whose address is neither one of the web nor a path of the export. One pass over the messages. */
  hasForeignAddresses(): boolean {
    return this.sql.foreignAddress.get() !== undefined;
  }

  /** One pass over the messages. */
  countOnlyFiles(): number {
    return this.sql.countOnlyFiles.get()!;
  }

  /** Yields messages that consist only of files that the export does not have: their locations, and the name of their first file. */
  *onlyFiles(): Generator<{ readonly location: string; readonly detail: string }> {
    for (const { path, place, name } of this.sql.onlyFiles.iterate())
      yield { location: printPlace(path, place), detail: name === null ? '' : `"${name}"` };
  }
}
