import { zlib } from '../../lib/late.ts';
import { createTarDecoder, type ParsedTarEntry, type TarHeader } from 'modern-tar';
import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import { type Caps, unpackedBytesAllowed } from '../input/caps.ts';
import { isClutter } from '../input/clutter.ts';
import type { ProblemList } from '../input/export-input.ts';
import { gunzipped } from '../input/gunzip.ts';
import { bytesAt, readChunks, withRegularFile } from '../input/regular-file.ts';
import { detectStoredForm } from '../stored-form.ts';
import { unsafeName } from '../zip/zip-record.ts';
import { TarHeaders } from './tar-headers.ts';
import type { TarSpool } from './tar-spool.ts';

/** Position of a file's content in the spool. */
export interface TarEntry {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly crc: number;
}

export interface TarToRead {
  /** Absolute, links resolved. The archive may be packed with gzip. */
  readonly path: string;
  readonly label: string;
  readonly caps: Caps;
  /** Gets links, devices, hostile names, and what is missing of an archive that is damaged or cut off. */
  readonly problems: ProblemList;
  readonly spool: TarSpool;
}

/**
 * Reads an archive once and copies the content of every file to the spool: at most `caps.unpackedBytesMax` bytes, and what the caps allow a
 * gzip file to unpack to. Nothing is created under a name of the archive.
 *
 * @returns Every readable file by its path, about 200 bytes of memory each. If two have one name, the last counts, as for every program that unpacks.
 * @throws SourceError if nothing can be read before the archive is damaged, or it has more files than the caps allow.
 */
export async function spoolEntries(tar: TarToRead): Promise<ReadonlyMap<string, TarEntry>> {
  const entries = new Map<string, TarEntry>();
  const headers = new TarHeaders();
  const chunks = headers.follow(tarChunks(tar));
  try {
    for await (const entry of ReadableStream.from(chunks).pipeThrough(createTarDecoder({ strict: true })))
      await take({ ...entry, type: headers.nextType() }, entries, tar);
  } catch (error) {
    if (isOurs(error) || entries.size === 0) throw damaged(error, tar.label);
    tar.problems.add(
      'unreadable-file',
      `${describeError(error)}: everything after "${[...entries.keys()].at(-1)!}" is missing`,
      tar.label,
    );
  } finally {
    await chunks.return(undefined);
  }
  return entries;
}

async function* tarChunks({ path, label, caps }: TarToRead): AsyncGenerator<Uint8Array> {
  const { head, sizeBytes } = withRegularFile(path, ({ fd, sizeBytes }) => ({ head: bytesAt(fd, 0, 16), sizeBytes }));
  if (detectStoredForm(head) !== 'gzip') return yield* readChunks(path);
  const chunks = () => readChunks(path, { size: 32 * 1024 });
  yield* gunzipped({ path: label, chunks, bytesMax: unpackedBytesAllowed(sizeBytes, caps) });
}

/** @param entry `type`: as the header has it. */
async function take(
  { header, body, type }: ParsedTarEntry & { readonly type: string },
  entries: Map<string, TarEntry>,
  tar: TarToRead,
): Promise<void> {
  const path = header.name.replace(/^(?:\.\/+)+/, '');
  const fault = header.type === 'directory' || isClutter(path) ? 'ignored' : findFault(header, path, type);
  if (fault !== undefined) {
    if (fault !== 'ignored') tar.problems.add(fault.code, fault.reason, path || tar.label);
    return body.cancel();
  }
  const entry = await spooled(body, tar);
  const before = entries.get(path);
  if (before !== undefined) tar.problems.add('duplicate-name', duplicateReason(before, entry), path);
  entries.set(path, entry);
  if (entries.size > tar.caps.entryCountMax) throw tooManyFiles(tar);
}

function findFault(
  { type, pax = {} }: TarHeader,
  path: string,
  typeInHeader: string,
): { readonly code: string; readonly reason: string } | undefined {
  const reason = unsafeName(path);
  if (reason !== undefined) return { code: 'unsafe-name', reason };
  if (type === 'symlink') return { code: 'symlink', reason: 'a symbolic link, which is not followed' };
  if (type === 'link') return { code: 'symlink', reason: 'a link to another file, which is not followed' };
  if ((type !== undefined && type !== 'file') || isNote.test(typeInHeader))
    return { code: 'not-a-file', reason: 'neither a file nor a folder' };
  const form = typeInHeader === 'S' || Object.keys(pax).some(isSparseKey) ? 'holes' : unsupportedForm(typeInHeader);
  return form === undefined ? undefined : { code: 'unsupported-method', reason: forms[form] };
}

/** A list of the files of a folder, the name of a volume. */
const isNote = /^[DV]$/;

const isSparseKey = (key: string): boolean => key.startsWith('GNU.sparse.');

/** 7 is a file that is to be in one piece. */
const unsupportedForm = (type: string): keyof typeof forms | undefined =>
  type === '0' || type === '\0' || type === '7' ? undefined : type === 'M' ? 'volumes' : 'unknown';

const forms = {
  holes: 'a file with holes, which tar writes in a form of its own: pack it without --sparse',
  volumes: 'the end of a file that begins in another volume of the archive: join the volumes, or unpack them together',
  unknown: 'an entry of a type that is not known',
};

async function spooled(body: ReadableStream<Uint8Array>, { spool, caps, label }: TarToRead): Promise<TarEntry> {
  const offset = spool.sizeBytes;
  let crc = 0;
  for await (const chunk of body) {
    if (spool.sizeBytes + chunk.length > caps.unpackedBytesMax) throw tooLarge(label, caps);
    spool.append(chunk);
    crc = zlib().crc32(chunk, crc);
  }
  return { offset, sizeBytes: spool.sizeBytes - offset, crc };
}

const duplicateReason = (before: TarEntry, entry: TarEntry) =>
  before.crc === entry.crc && before.sizeBytes === entry.sizeBytes
    ? 'the archive has this file twice with the same content; the last one is read'
    : 'the archive has another file of this name; the last one is read, this one is not';

/** Whether an error must end the export, instead of yielding a partly read one: the disk is full, or a limit was reached. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || error instanceof TarLimitError);

class TarLimitError extends SourceError {}

const describeError = (error: unknown): string =>
  error instanceof SourceError ? error.message : 'The archive is damaged or cut off';

function damaged(error: unknown, label: string): unknown {
  if (error instanceof SourceError || isOurs(error)) return error;
  return new SourceError(
    `Cannot read "${label}": expected a tar archive, found one that is damaged, or something else`,
    {
      hint: 'Copy or download it again',
      cause: error,
    },
  );
}

const tooManyFiles = ({ label, caps }: TarToRead): SourceError =>
  new TarLimitError(`Cannot read "${label}": it has more than ${formatCount(caps.entryCountMax)} files`, {
    hint: 'Unpack it and pass the folders inside it one at a time',
  });

const tooLarge = (label: string, caps: Caps): SourceError =>
  new TarLimitError(`Cannot read "${label}": it unpacks to more than ${formatCount(caps.unpackedBytesMax)} bytes`, {
    hint: 'If this is a real export, unpack it yourself and pass the folder',
  });
