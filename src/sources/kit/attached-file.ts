import type { Attachment } from '../../model/records.ts';
import { compact } from './compact.ts';
import { asCount, asId, asString } from './narrow.ts';
import { nameIn } from './text/html-body.ts';

/** A file of a message, as its row says it: each value may be missing or of another type. */
interface GivenFile {
  readonly id?: unknown;
  readonly name: unknown;
  readonly url: unknown;
  readonly mimeType?: unknown;
  readonly size: unknown;
  /** Why there is no address, if there is none. Default `not-in-export`. */
  readonly unavailable?: string;
}

/** A file without a name has that of its address. */
export function attachedFile({ unavailable = 'not-in-export', ...given }: GivenFile): Attachment {
  const url = asString(given.url);
  return compact<Attachment>({
    id: asId(given.id),
    name: asString(given.name) ?? (url === undefined ? 'file' : nameIn(url)),
    url,
    mimeType: asString(given.mimeType),
    sizeBytes: asCount(given.size),
    unavailable: url === undefined ? unavailable : undefined,
  });
}
