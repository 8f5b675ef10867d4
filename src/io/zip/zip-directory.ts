import { SourceError } from '../../lib/errors.ts';
import type { Caps } from '../input/caps.ts';
import { isClutter } from '../input/clutter.ts';
import type { ProblemList } from '../input/problem-list.ts';
import type { ReadWindow } from '../input/read-window.ts';
import { type DirectoryPlace, findDirectory } from './zip-end.ts';
import { type FinishedEntries, ZipEntries } from './zip-entries.ts';
import { faultOf, isFolder } from './zip-entry-fault.ts';
import { decodeName } from './zip-name.ts';
import { recordBytesAt, recordHeadBytes, ZipRecord } from './zip-record.ts';

interface ArchiveToList {
  readonly window: ReadWindow;
  readonly label: string;
  readonly caps: Caps;
  readonly problems: ProblemList;
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
  const { window, label, caps, problems } = archive;
  const place = findDirectory(window, label);
  const directoryBytes = place.end - place.start;
  if (directoryBytes > caps.directoryBytesMax) throw aboveCap(label, `a central directory of ${directoryBytes} bytes`);
  const entries = new ZipEntries(Math.min(caps.entryCountMax, Math.floor(directoryBytes / recordHeadBytes)));
  let count = 0;
  let unpackedBytes = 0;
  forEachRecord(window, place, label, (record) => {
    count += 1;
    if (count > caps.entryCountMax) throw aboveCap(label, `more than ${caps.entryCountMax} entries`);
    const name = decodeName(record);
    if (isFolder(record, name) || isClutter(name)) return;
    const fault = faultOf(record, name, place.start, caps);
    if (fault !== undefined) return problems.add(fault.code, fault.reason, name);
    entries.add(name, record);
    unpackedBytes += record.sizeBytes;
  });
  if (count !== place.entryCount && (place.isZip64 || count % 0x10000 !== place.entryCount)) throw damaged(label);
  if (unpackedBytes > caps.unpackedBytesMax) throw aboveCap(label, `${unpackedBytes} bytes when unpacked`);
  return entries.finish(label, place.start, problems);
}

/** More than the longest record: its head and three fields of 65,535 bytes. */
const blockBytes = 256 * 1024;

function forEachRecord(
  window: ReadWindow,
  place: DirectoryPlace,
  label: string,
  visit: (record: ZipRecord) => void,
): void {
  let start = place.start;
  while (start < place.end) {
    const block = window.bytesAt(start, Math.min(blockBytes, place.end - start));
    const isLast = start + block.length >= place.end;
    let at = 0;
    while (at < block.length) {
      const length = recordBytesAt(block, at);
      if (length === undefined || at + length > block.length) break;
      visit(new ZipRecord(block, at));
      at += length;
    }
    if (at === 0 || (isLast && at < block.length)) throw damaged(label);
    start += at;
  }
}

function damaged(label: string): SourceError {
  return new SourceError(`Cannot read "${label}": its central directory is damaged`, {
    hint: 'Copy or download it again; if that does not help, unpack it and pass the folder',
  });
}

function aboveCap(label: string, found: string): SourceError {
  return new SourceError(`Cannot read "${label}": it has ${found}, which is more than any export should have`, {
    hint: 'If this is a real export, unpack it and pass the folders inside it one at a time',
  });
}
