import { lateStatements, sql, withStatements } from '../base/statements.ts';
import { type MediaObject, placeInExport } from '../media.ts';

/** `waiting`: not tried yet; `failed`: may be tried again. */
type MediaState = 'waiting' | 'copied' | 'missing' | 'refused' | 'failed';

export interface MediaStory {
  readonly name: string;
  /** Origin of the file: its path in the export, or the host of its address. The address itself may hold a secret. */
  readonly path: string | null;
  readonly host: string | null;
  readonly expiresAtMs: number | null;
  readonly state: MediaState;
  readonly reason: string | null;
  readonly triedAtMs: number | null;
  readonly sizeBytes: number | null;
  /** As it is answered to who opens it; of what was not copied, as the export says; may be empty. */
  readonly type: string;
  /** The copy; null if it was not copied. */
  readonly copy: MediaCopy | null;
}

interface MediaCopy extends Pick<MediaObject, 'sha256' | 'location' | 'key' | 'address'> {
  /** It was there before we wrote anything under its key. */
  readonly existed: boolean;
  readonly storedAtMs: number | null;
  /** When it was last read back, and what was wrong then. */
  readonly checkedAtMs: number | null;
  readonly fault: string | null;
}

type StoryRow = Omit<MediaStory, 'path' | 'copy'> & { readonly origin: string; readonly isOurs: number | null } & {
  readonly [Key in Exclude<keyof MediaCopy, 'existed'>]: MediaCopy[Key] | null;
};

/** So many files are shown of a message. */
const shownMax = 100;

const statements = lateStatements({
  each: sql<[message: number], StoryRow>`
    SELECT f.name, f.origin, f.host, f.expires_at AS expiresAtMs, f.state, f.reason, f.tried_at AS triedAtMs,
      coalesce(o.size_bytes, f.size_bytes) AS sizeBytes, coalesce(o.content_type, f.mime_type) AS type, o.sha256, o.location, o.key,
      o.address, o.is_ours AS isOurs, o.stored_at AS storedAtMs, o.checked_at AS checkedAtMs, o.fault
    FROM media_use u JOIN media_file f ON f.id = u.file LEFT JOIN media_object o ON o.id = f.object
    WHERE u.message = ? ORDER BY u.position LIMIT ${shownMax}`,
});

export class MediaStories extends withStatements(statements) {
  /** Of the files of a message, in the order of the message. */
  each(message: number): MediaStory[] {
    return this.sql.each.all(message).map(storyOf);
  }
}

function storyOf({
  origin,
  host,
  sha256,
  location,
  key,
  address,
  isOurs,
  storedAtMs,
  checkedAtMs,
  fault,
  ...file
}: StoryRow): MediaStory {
  const path = placeInExport(origin)?.path ?? null;
  const isCopied = sha256 !== null && location !== null && key !== null && address !== null;
  const copy = isCopied
    ? { sha256, location, key, address, existed: isOurs === 0, storedAtMs, checkedAtMs, fault }
    : null;
  return { ...file, path, host: path === null ? host : null, copy };
}
