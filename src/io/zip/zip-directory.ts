import { createHash } from 'node:crypto';
import { formatCount } from '../../lib/text/count.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Caps } from '../input/caps.ts';
import { isClutter } from '../input/clutter.ts';
import type { ProblemList } from '../input/export-input.ts';
import { bytesAt, type ReadWindow } from '../input/regular-file.ts';
import { type FinishedEntries, ZipEntries } from './zip-entries.ts';
import { findEntryFault, isFolder } from './zip-entry-fault.ts';
import { decodeName, readUInt64, recordBytesAt, recordHeadBytes, ZipRecord } from './zip-record.ts';

interface ArchiveToList {
  readonly window: ReadWindow;
  readonly label: string;
  readonly caps: Caps;
  readonly problems: ProblemList;
  /** Names of the only entries to list. Default: all. */
  readonly only?: ReadonlySet<string> | undefined;
}

/**
 * Lists an archive from its central directory. Entries that cannot be read become problems, one each; folders and
 * what macOS adds are left out.
 *
 * We read the directory ourselves, and do not trust its count: the Archive Utility of macOS writes archives of more
 * than 65,535 files whose count has wrapped around, and a reader that stops there loses most of an export without a word.
 *
 * @throws SourceError if the archive as a whole is cut off, damaged, above a cap, or has entries that overlap.
 */
export function listArchive(archive: ArchiveToList): FinishedEntries {
  const { window, label, caps, problems, only } = archive;
  const place = findDirectory(window, label);
  const directoryBytes = place.end - place.start;
  if (directoryBytes > caps.directoryBytesMax)
    throw aboveCap(label, `a central directory of ${formatCount(directoryBytes)} bytes`);
  const entries = new ZipEntries(Math.min(caps.entryCountMax, Math.floor(directoryBytes / recordHeadBytes)));
  let count = 0;
  let unpackedBytes = 0;
  forEachRecord(window, place, label, (record) => {
    count += 1;
    if (count > caps.entryCountMax) throw aboveCap(label, `more than ${formatCount(caps.entryCountMax)} entries`);
    const name = decodeName(record);
    if (only?.has(name) === false) return;
    if (isFolder(record, name) || isClutter(name)) return;
    const fault = findEntryFault(record, name, place.start, caps);
    if (fault !== undefined) return problems.add(fault.code, fault.reason, name);
    entries.add(name, record);
    unpackedBytes += record.sizeBytes;
  });
  if (count !== place.entryCount && (place.isZip64 || count % 0x10000 !== place.entryCount)) throw damaged(label);
  if (unpackedBytes > caps.unpackedBytesMax) throw aboveCap(label, `${formatCount(unpackedBytes)} bytes when unpacked`);
  return entries.finish(label, place.start, problems);
}

/** Over all of the central directory, and the size of the file: it names every file with its size, its CRC and its place. */
export function directoryDigest(window: ReadWindow, label: string): string {
  const { start, end } = findDirectory(window, label);
  const hash = createHash('sha256').update(`${window.sizeBytes}:${start}:${end}:`);
  for (let at = start; at < end; at += blockBytes) hash.update(window.bytesAt(at, Math.min(blockBytes, end - at)));
  return hash.digest('hex').slice(0, 32);
}

/** More than the longest record: its head and three fields of 65,535 bytes. */
const blockBytes = 256 * 1024;

function forEachRecord(
  window: ReadWindow,
  place: DirectoryPlace,
  label: string,
  visit: (record: ZipRecord) => void,
): void {
  const memory = Buffer.allocUnsafeSlow(blockBytes);
  let start = place.start;
  while (start < place.end) {
    const block = bytesAt(window.fd, start, Math.min(blockBytes, place.end - start), memory);
    const isLast = start + block.length >= place.end;
    let at = 0;
    while (at < block.length) {
      const length = recordBytesAt(block, at);
      if (length === undefined || at + length > block.length) break;
      visit(new ZipRecord(block, at, place.prefixBytes));
      at += length;
    }
    if (at === 0 || (isLast && at < block.length)) throw damaged(label);
    start += at;
  }
}

const damaged = (label: string): SourceError =>
  new SourceError(`Cannot read "${label}": its central directory is damaged`, {
    hint: 'Copy or download it again; if that does not help, unpack it and pass the folder',
  });

const aboveCap = (label: string, found: string): SourceError =>
  new SourceError(`Cannot read "${label}": it has ${found}, which is more than any export should have`, {
    hint: 'If this is a real export, unpack it and pass the folders inside it one at a time',
  });

/** Position of the central directory, and the number of records it claims to have. */
export interface DirectoryPlace {
  readonly start: number;
  readonly end: number;
  readonly entryCount: number;
  /** Otherwise the count has 16 bits, and some writers (macOS) let it wrap around instead of changing to ZIP64. */
  readonly isZip64: boolean;
  /** Before the archive, as in one that unpacks itself, where its offsets do not count them. */
  readonly prefixBytes: number;
}

// APPNOTE.TXT 6.3.10, sections 4.3.14 to 4.3.16: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
const localMark = 'PK\x03\x04';
const endMark = 'PK\x05\x06';
const endBytes = 22;
const locatorSignature = 0x07064b50;
const locatorBytes = 20;
const end64Signature = 0x06064b50;
const end64Bytes = 56;
const commentBytesMax = 0xffff;

/**
 * Finds the end record, searching backwards, because a comment or foreign bytes may follow it. A candidate counts if
 * the directory that it names is before it and begins as one.
 *
 * @throws SourceError if there is no end record (a download that stopped early), or none that fits the file.
 */
function findDirectory(window: ReadWindow, label: string): DirectoryPlace {
  const tailStart = Math.max(0, window.sizeBytes - endBytes - commentBytesMax);
  const tail = Buffer.from(window.bytesAt(tailStart, endBytes + commentBytesMax));
  if (tail.length < endBytes) throw cutOff(label);
  let isFound = false;
  let at = tail.lastIndexOf(endMark, tail.length - endBytes, 'latin1');
  while (at >= 0) {
    isFound = true;
    const place = findPlace(window, tailStart + at, tail.subarray(at), label);
    if (place !== undefined) return place;
    at = at === 0 ? -1 : tail.lastIndexOf(endMark, at - 1, 'latin1');
  }
  throw isFound ? misplaced(label) : cutOff(label);
}

/** Nothing if the directory is neither where this end record says, nor right before it. */
function findPlace(window: ReadWindow, position: number, end: Buffer, label: string): DirectoryPlace | undefined {
  const zip64 = findPlace64(window, position, label);
  if (zip64 === undefined && end.readUInt16LE(4) !== 0) throw splitArchiveError(label);
  const said = zip64 ?? {
    start: end.readUInt32LE(16),
    sizeBytes: end.readUInt32LE(12),
    entryCount: end.readUInt16LE(10),
    position,
  };
  const { start, sizeBytes, entryCount } = said;
  const isZip64 = zip64 !== undefined;
  for (const prefixBytes of [0, said.position - sizeBytes - start]) {
    const place = {
      start: start + prefixBytes,
      end: start + prefixBytes + sizeBytes,
      entryCount,
      isZip64,
      prefixBytes,
    };
    if (prefixBytes < 0 || place.end > position) continue;
    const isEmpty = prefixBytes === 0 && entryCount === 0 && sizeBytes === 0 && (isZip64 || place.start === position);
    if (isEmpty || (isDirectory(window, place.start) && (prefixBytes === 0 || hasFirstEntry(window, place))))
      return place;
  }
  return undefined;
}

const isDirectory = (window: ReadWindow, start: number): boolean =>
  recordBytesAt(window.bytesAt(start, recordHeadBytes), 0) !== undefined;

/** Returns whether the first entry is at its expected position if the offsets do not count the bytes before the archive. */
function hasFirstEntry(window: ReadWindow, { start, prefixBytes }: DirectoryPlace): boolean {
  const length = recordBytesAt(window.bytesAt(start, recordHeadBytes), 0)!;
  const record = Buffer.from(window.bytesAt(start, length));
  if (record.length < length) return false;
  const { offset } = new ZipRecord(record, 0, prefixBytes);
  return window.bytesAt(offset, localMark.length).toString('latin1') === localMark;
}

/** Returns the content and position of the ZIP64 record, if its locator is before the end record. */
function findPlace64(window: ReadWindow, endPosition: number, label: string) {
  if (endPosition < locatorBytes) return undefined;
  const locator = window.bytesAt(endPosition - locatorBytes, locatorBytes);
  if (locator.readUInt32LE() !== locatorSignature) return undefined;
  for (const position of [readUInt64(locator, 8), endPosition - locatorBytes - end64Bytes]) {
    const record = position < 0 ? undefined : window.bytesAt(position, end64Bytes);
    if (record === undefined || record.length < end64Bytes || record.readUInt32LE() !== end64Signature) continue;
    if (record.readUInt32LE(16) !== 0) throw splitArchiveError(label);
    const [sizeBytes, start] = [readUInt64(record, 40), readUInt64(record, 48)];
    return { start, sizeBytes, entryCount: readUInt64(record, 32), position };
  }
  throw misplaced(label);
}

/** Returns whether an archive is at the end of a file that begins as something else: one that unpacks itself. */
export function hasArchiveAtEnd(window: ReadWindow): boolean {
  try {
    return findDirectory(window, '').entryCount > 0;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}

const cutOff = (label: string): SourceError =>
  new SourceError(`Cannot read "${label}": the archive is cut off (no central directory at its end)`, {
    hint: 'Copy or download it again',
  });

const misplaced = (label: string): SourceError =>
  new SourceError(
    `Cannot read "${label}": its central directory is not at the position given at the end of the archive`,
    {
      hint: 'Copy or download it again; if that does not help, unpack it and pass the folder',
    },
  );

const splitArchiveError = (label: string): SourceError =>
  new SourceError(`Cannot read "${label}": it is one part of an archive that was split into several files`, {
    hint: 'Unpack all parts together and pass the folder',
  });
