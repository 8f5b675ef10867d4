import { formatCount } from '../../lib/text/count.ts';
import type { Location } from '../../lib/text/location.ts';

/** Something about the export as a file that a person should know: a link that was not followed, an entry that is broken. */
export interface InputProblem {
  readonly code: string;
  readonly reason: string;
  readonly location: Location;
}

/** Size and identity of one file inside an export. */
export interface FileStat {
  /** Number of bytes that reading yields. For a gzip file above 16 MiB a minimum: only unpacking would give the exact number. */
  readonly sizeBytes: number;
  /**
   * Equal for equal content: `crc32:size` of an entry of an archive; size and hash of a file up to 128 KiB; size, modification time,
   * head and tail hash of a larger one. A file whose fingerprint did not change is not read again.
   */
  readonly fingerprint: string;
}

/**
 * An opened export: a folder, a ZIP, a tar archive, one file, a gzip, seen as one flat list of paths.
 * Opening and closing files is its business, not the adapter's.
 */
export interface ExportInput {
  /** Name that the user gave, without its folder: `slack-export.zip`. */
  readonly label: string;
  /** Absolute path of the folder or file, links resolved (of the first file where several are one input): the same export next time. */
  readonly key: string;
  /** Address of a database server, if the export has no files: `postgres://db.example.com/app`. */
  readonly server?: string;
  /** Problems found while listing (links, devices, names that lead out). None of these files is in `paths()`. */
  readonly problems: readonly InputProblem[];
  /** Every readable file, sorted by code unit, so that reading is repeatable. */
  paths(): Promise<readonly string[]>;
  stat(path: string): Promise<FileStat>;
  /** The first `byteCount` bytes (fewer if the file is shorter), for probing; of an opened export's JSON without blanks between tokens. */
  head(path: string, byteCount: number): Promise<Uint8Array>;
  /**
   * Reads the whole file into one buffer: the fast way for small files.
   *
   * @param into May be used for it, if it is large enough.
   * @throws SourceError if it is larger than `bytesMax`.
   */
  read(path: string, bytesMax: number, into?: Buffer<ArrayBuffer>): Promise<Uint8Array>;
  /** The file in chunks, for files of any size. */
  open(path: string): AsyncIterable<Uint8Array>;
  /** A local file with the same bytes, for formats that need one (SQLite). Removed by `close()` if it is a copy. */
  materialise(path: string): Promise<string>;
  close(): Promise<void>;
}

/** An archive made of nothing but bad names must not fill the memory with reasons. */
const listedMax = 10_000;

/** Collects what was noticed while listing an input: the first 10,000 one by one, the others as a number. */
export class ProblemList {
  readonly #listed: InputProblem[] = [];
  #more = 0;

  add(code: string, reason: string, path: string): void {
    if (this.#listed.length < listedMax) this.#listed.push({ code, reason, location: { path } });
    else this.#more += 1;
  }

  /** @param label Used as the location of "and more": those problems have no single location. */
  all(label: string): readonly InputProblem[] {
    if (this.#more === 0) return this.#listed;
    const reason = `${formatCount(this.#more)} more files cannot be read; the first ${formatCount(listedMax)} are listed`;
    return [...this.#listed, { code: 'more-problems', reason, location: { path: label } }];
  }
}
