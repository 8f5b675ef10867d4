import type { ExportInput } from '../../../io/input/export-input.ts';
import type { Attachment } from '../../../model/records.ts';
import { typeByMark } from '../../../lib/files/byte-marks.ts';
import { findMediaType } from '../../../lib/files/file-types.ts';
import { compact } from '../compact.ts';

/** Facts in a message about a file that was exported next to it. */
export interface NamedFile {
  /** Relative to the folder that the export's messages name files from, with forward or backward slashes: `photos/a.jpg`. */
  readonly path: string;
  /** Default the end of the path. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly mimeType?: string | undefined;
  /** The row's own word for what it is. */
  readonly kind?: string | undefined;
}

/** The files of an export, as messages name them. */
export interface LocalFiles {
  /** Whether the export holds a file at this path. */
  has(path: string): boolean;
  attachment(named: NamedFile): Promise<Attachment>;
}

/**
 * Files that an export holds next to its messages, as attachments. The address of such a file is its path in the
 * export. It cannot be opened at the destination, which the check `attachment-bad-address` reports, until the user puts
 * the files on a server and the mapping rewrites the beginning of the addresses (`messages.attachmentUrls: { "photos/":
 * "https://…/photos/" }`).
 *
 * const files = await localFiles(input, 'ChatExport_2026-11-01/'); record.attachments = [await files.attachment({ path:
 * row.photo })];
 *
 * If nothing says what a file is, its first bytes do. A file that the export names but does not hold keeps its name, and `unavailable` is `not-in-export`. A path that
 * leads out of the export (`../..`, `/etc/…`, `C:\…`) is never looked up, and is `not-in-export` too.
 *
 * @param base Folder that paths are relative to, with its slash; default the top.
 */
export async function localFiles(input: ExportInput, base = ''): Promise<LocalFiles> {
  const paths = namesOf(await input.paths());
  return {
    has: (path) => paths.find(base + tidy(path)) !== undefined,
    async attachment({ path, name, id, mimeType, kind }) {
      const inside = paths.find(base + tidy(path));
      const file = compact<Attachment>({ id, name: name ?? (lastPart(path) || 'file'), mimeType, kind });
      if (inside === undefined) return { ...file, unavailable: 'not-in-export' };
      const { sizeBytes } = await input.stat(inside);
      const found = { ...file, url: addressInExport(inside), sizeBytes };
      if (findMediaType(found) !== undefined) return found;
      return { ...found, mimeType: typeByMark(await input.head(inside, 32)) ?? mimeType };
    },
  };
}

/** The paths of an export, found however their letters are composed: a Mac writes `ä` as two characters, and messages as one. */
class FileNames {
  readonly #paths: ReadonlySet<string>;
  /** Paths with non-ASCII letters, by their composed form. */
  readonly #composed: ReadonlyMap<string, string>;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    this.#composed = new Map(
      paths.filter((path) => /[^\x00-\x7f]/.test(path)).map((path) => [path.normalize('NFC'), path]),
    );
  }

  /** As the export writes it. */
  find(path: string): string | undefined {
    if (this.#paths.has(path)) return path;
    return this.#composed.size === 0 ? undefined : this.#composed.get(path.normalize('NFC'));
  }
}

/** By the list of paths: sources ask for every folder, and for every file. */
const known = new WeakMap<readonly string[], FileNames>();

function namesOf(paths: readonly string[]): FileNames {
  const names = known.get(paths) ?? new FileNames(paths);
  known.set(paths, names);
  return names;
}

/** `./photos\a.jpg` as paths of an input are written. */
const tidy = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');

const lastPart = (path: string): string => path.split(/[/\\]/).at(-1)!;

/**
 * Encodes characters that are not allowed in an address; slashes stay. After the beginning is rewritten, the rest
 * becomes part of a URL.
 */
export const addressInExport = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
