import { readsAsJsonLines } from '../../../io/input/lines-of-json.ts';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';
import { oneLine, truncate } from '../../../lib/text/plain-text.ts';

/** Expected beginning of files of one kind. */
export interface ExpectedFile {
  /** In words, for a message: `JSON`. */
  readonly what: string;
  /** Found in the beginning of each, as text. Default: anything but a page of HTML. */
  readonly begins?: RegExp;
  /** The format writes empty files if there is no data. */
  readonly mayBeEmpty?: boolean;
}

/** One value of JSON. */
export const expectedJson: ExpectedFile = { what: 'JSON', begins: /^\s*[[{\x1e]/ };

/** Lines of JSON, of which the first may be broken. */
export const expectedJsonLines: ExpectedFile = { what: 'lines of JSON', begins: /^\s*[[{\x1e]/m };

/** Lines or tables. */
export const expectedText: ExpectedFile = { what: 'text' };

/** Returns the expected content of a file by its name: lines of JSON, or JSON; undefined for any other name. */
export function expectedByName(path: string): ExpectedFile | undefined {
  if (/\.(?:jsonl|ndjson)$/i.test(path) || readsAsJsonLines(path)) return expectedJsonLines;
  return /\.json$/i.test(path) ? expectedJson : undefined;
}

/**
 * Returns the same export, in which a file with an unexpected beginning cannot be read: an empty file, zeros left by a
 * broken disk or download, a sign-in page under the name of a file. A request for its beginning or for all of it throws
 * a `SourceError` that names what was found. So a source that treats unreadable files as files of messages treats these
 * the same way, and they are invalid files.
 *
 * const checked = expectFiles(input, (path) => (/\.json$/i.test(path) ? expectedJson : undefined));
 *
 * Opens no extra files: it checks the bytes that are read anyway.
 *
 * @param expected Expected content of a file; undefined if anything is allowed.
 */
export function expectFiles(input: ExportInput, expected: (path: string) => ExpectedFile | undefined): ExportInput {
  const check = (path: string, head: Uint8Array, isWhole: boolean): void => {
    const file = expected(path);
    const found = file && foundInstead(head, isWhole, file);
    if (found === undefined) return;
    throw new SourceError(`Cannot read the file: expected ${file!.what}, found ${found}`, {
      hint: 'Export or copy it again',
      location: { path },
    });
  };
  return {
    ...input,
    async head(path, byteCount) {
      // A few bytes are not enough to decide.
      const bytes = await input.head(path, Math.max(byteCount, headBytesMin));
      check(path, bytes, bytes.length < Math.max(byteCount, headBytesMin));
      return bytes.subarray(0, byteCount);
    },
    async read(path, bytesMax, into) {
      const bytes = await input.read(path, bytesMax, into);
      check(path, bytes, true);
      return bytes;
    },
    async *open(path) {
      let isFirst = true;
      for await (const chunk of input.open(path)) {
        if (isFirst) check(path, chunk, false);
        isFirst = false;
        yield chunk;
      }
      if (isFirst) check(path, new Uint8Array(), true);
    },
  };
}

const headBytesMin = 4096;
const headBytesMax = 64 * 1024;
const shownMax = 40;

/** Describes the content found instead of the expected one; undefined if the file may be as expected. */
export function foundInstead(
  bytes: Uint8Array,
  isWhole: boolean,
  { begins, mayBeEmpty = false }: ExpectedFile,
): string | undefined {
  if (bytes.length === 0) return mayBeEmpty ? undefined : 'an empty file';
  const head = bytes.subarray(0, headBytesMax);
  if (head.every((byte) => byte === 0)) return 'nothing but zeros';
  // Most are what they should be: their first bytes say so.
  if (begins?.test(Buffer.from(head.subarray(0, 256)).toString('latin1'))) return undefined;
  const text = Buffer.from(head)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  if (begins?.test(text)) return undefined;
  const [, title] = /<title[^>]*>([^<]{1,200})/i.exec(text) ?? [];
  if (/^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text))
    return `a page of HTML${title === undefined ? '' : ` (${quoted(title)})`}`;
  if (begins === undefined) return undefined;
  const isBlank = /^\s*$/.test(text);
  if (isBlank) return isWhole ? 'nothing but spaces' : undefined;
  return /[\x00-\x08\x0e-\x1f\ufffd]/.test(text.slice(0, shownMax)) ? 'bytes that are no text' : quoted(text);
}

const quoted = (text: string): string =>
  JSON.stringify(truncate(oneLine(text.slice(0, 2 * shownMax)).trim(), shownMax));
