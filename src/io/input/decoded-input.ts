import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import { allBytes, firstBytes } from '../bytes.ts';
import { beginsJson, compacted, compactJson } from '../json/compact-json.ts';
import { formBytes, type StoredForm, detectStoredForm } from '../stored-form.ts';
import { utf8Chunks } from '../text-encoding.ts';
import { type Caps, defaultCaps, unpackedBytesAllowed } from './caps.ts';
import type { ExportInput } from './export-input.ts';
import { gunzipped } from './gunzip.ts';
import { isBinaryTable } from './lines-of-json.ts';
import { TemporaryCopies } from './temporary-copies.ts';

/**
 * Wraps an export so that it reads as text: a UTF-16 file is read as UTF-8, and a gzip file, whatever its name, as its
 * unpacked content. Everything else is passed on unchanged. The first bytes decide. They are inspected when a file is
 * read: no file is opened only for that. The `head` of JSON has no blanks between its tokens.
 *
 * Lines keep their numbers; byte numbers in messages count the text as it is read. `stat` describes the file as it is
 * stored, with one exception: if `read` found that a file unpacks to more than it may return, the size is at least that
 * much. `materialise` gives the text, which is a copy if the file is not stored as such.
 *
 * Memory: a chunk.
 */
export function decodedInput(input: ExportInput, caps: Caps = defaultCaps): ExportInput {
  const sizesAtLeast = new Map<string, number>();
  const copies = new TemporaryCopies();
  const packed = async (path: string) => unpackedBytesAllowed((await input.stat(path)).sizeBytes, caps);
  const decode = (path: string, chunks: Chunks) => decoded(path, chunks, packed);
  const open = (path: string) => decode(path, () => input.open(path));
  return {
    ...input,
    open,
    async materialise(path) {
      const isPlain = detectForm(path, await input.head(path, formBytes)) === 'plain';
      return isPlain ? input.materialise(path) : copies.ensureCopy(path, open(path));
    },
    async close() {
      await copies.remove();
      await input.close();
    },
    async stat(path) {
      const stat = await input.stat(path);
      return { ...stat, sizeBytes: Math.max(stat.sizeBytes, sizesAtLeast.get(path) ?? 0) };
    },
    async head(path, byteCount) {
      const stored = Math.max(byteCount, formBytes);
      const bytes = await input.head(path, stored);
      if (detectForm(path, bytes) === 'plain') {
        const isJson = beginsJson(bytes);
        const head = isJson ? compacted(bytes) : bytes;
        const isEnough = bytes.length < stored || (isJson && head.length >= byteCount);
        if (isJson === false || isEnough) return head.subarray(0, byteCount);
      }
      return firstBytes(compactJson(open(path)), byteCount);
    },
    async read(path, bytesMax, into) {
      const bytes = await input.read(path, bytesMax, into);
      if (detectForm(path, bytes) === 'plain') return bytes;
      const text = await allBytes(
        decode(path, () => inPieces(bytes)),
        bytesMax,
      );
      if (text !== undefined) return text;
      sizesAtLeast.set(path, bytesMax + 1);
      const reason = `expected at most ${formatCount(bytesMax)} bytes, found more`;
      throw new SourceError(`Cannot read the file: ${reason}`, { location: { path } });
    },
  };
}

type Chunks = () => AsyncIterable<Uint8Array>;

function detectForm(path: string, head: Uint8Array): StoredForm {
  const form = detectStoredForm(head.subarray(0, formBytes));
  return form !== 'gzip' && isBinaryTable(path) ? 'plain' : form;
}

/** @param findBytesMax How much a packed file may unpack to. */
async function* decoded(
  path: string,
  chunks: Chunks,
  findBytesMax: (path: string) => Promise<number>,
): AsyncGenerator<Uint8Array> {
  const stored = await begin(path, chunks());
  if (stored.form !== 'gzip') return yield* asUtf8(stored);
  await stored.iterator.return?.();
  yield* asUtf8(await begin(path, gunzipped({ path, chunks, bytesMax: await findBytesMax(path) })));
}

/** Stream of which enough bytes were read to detect its form. */
interface Begun {
  readonly form: StoredForm;
  readonly first: readonly Uint8Array[];
  readonly iterator: AsyncIterator<Uint8Array>;
  /** Error that ended it among its first bytes. */
  readonly fault?: unknown;
}

async function begin(path: string, chunks: AsyncIterable<Uint8Array>): Promise<Begun> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let byteCount = 0;
  let failed: Pick<Begun, 'fault'> = {};
  try {
    while (byteCount < formBytes) {
      const next = await iterator.next();
      if (next.done) break;
      first.push(next.value);
      byteCount += next.value.length;
    }
  } catch (fault) {
    failed = { fault };
  }
  return { form: detectForm(path, first.length === 1 ? first[0]! : Buffer.concat(first)), first, iterator, ...failed };
}

function asUtf8(begun: Begun): AsyncIterable<Uint8Array> {
  const chunks = readWhole(begun);
  return begun.form === 'utf-16le' || begun.form === 'utf-16be' ? utf8Chunks(chunks, begun.form) : chunks;
}

async function* readWhole({ first, iterator, ...failed }: Begun): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    if ('fault' in failed) throw failed.fault;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** Bytes that are in memory already. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const pieceBytes = 64 * 1024;
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
