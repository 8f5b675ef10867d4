import { derivedInput } from '../../../io/input/derived-input.ts';
import type { ExportInput } from '../../../io/input/export-input.ts';
import { SourceError } from '../../../lib/errors.ts';
import { oneLine, truncate } from '../../../lib/text/plain-text.ts';

/** What files of one kind begin with. */
export interface ExpectedFile {
  /** In words, for a message: `JSON`. */
  readonly what: string;
  /** Found in the beginning of each, as text. Default: anything but a page of HTML. */
  readonly begins?: RegExp;
  /** The format writes files of no bytes where there is nothing to say. */
  readonly mayBeEmpty?: boolean;
}

/** One value of JSON. */
export const expectedJson: ExpectedFile = { what: 'JSON', begins: /^\s*[[{\x1e]/ };

/** Lines of JSON, of which the first may be broken. */
export const expectedJsonLines: ExpectedFile = { what: 'lines of JSON', begins: /^\s*[[{\x1e]/m };

/** Lines or tables. */
export const expectedText: ExpectedFile = { what: 'text' };

/** What a file is expected to be by its name: lines of JSON or JSON; undefined where the name is another. */
export function expectedByName(path: string): ExpectedFile | undefined {
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return expectedJsonLines;
  return /\.json$/i.test(path) ? expectedJson : undefined;
}

/**
 * The same export, in which a file that begins otherwise than expected cannot be read: an empty one, zeros that a broken disk or download
 * left, a sign-in page under the name of a file. Whoever asks for its beginning or for all of it gets a `SourceError` that says what
 * was found. So a source that takes what cannot be read for a file of messages takes these for one too, and they are invalid files.
 *
 *     const checked = expectFiles(input, (path) => (/\.json$/i.test(path) ? expectedJson : undefined));
 *
 * Nothing is opened for it: the bytes that are read are looked at.
 *
 * @param expected What a file should be; undefined where anything will do.
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
  return derivedInput(input, {
    async head(path, byteCount) {
      // A few bytes do not tell.
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
  });
}

const headBytesMin = 4096;
const headBytesMax = 64 * 1024;
const shownMax = 40;

/** What stands in a file in place of what is expected, in words; undefined where it may be it. */
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
