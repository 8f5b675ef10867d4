import { formatCount } from '../../lib/text/count.ts';
import { type Caps, unpackedBytesAllowed } from '../input/caps.ts';
import { unsafeName, type ZipRecord } from './zip-record.ts';

interface EntryFault {
  readonly code: string;
  readonly reason: string;
}

/** `store` and `deflate`: all that Node can unpack without another dependency, and all that exports use. */
const methodStore = 0;
export const methodDeflate = 8;
const otherMethods: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
  99: 'AES encryption',
};

/** Bit 0: encrypted, bit 6: strongly, bit 13: with its directory. */
const encryptedFlags = 0x2041;
const hostsWithMode = new Set([3, 19]);
const typeMask = 0o170000;
const typeFolder = 0o040000;
const typeFile = 0o100000;
const typeLink = 0o120000;

export const isFolder = (record: ZipRecord, name: string): boolean =>
  name.endsWith('/') || (unixFileType(record) === typeFolder && record.sizeBytes === 0);

/**
 * Returns the fault of one entry, as far as its record shows one. Such an entry is a problem of its own and no reason
 * to refuse the archive.
 *
 * @param dataEnd Start of the central directory: no entry reaches beyond it.
 */
export const findEntryFault = (record: ZipRecord, name: string, dataEnd: number, caps: Caps): EntryFault | undefined =>
  nameFault(name) ?? typeFault(record) ?? packingFault(record) ?? sizeFault(record, dataEnd, caps);

function nameFault(name: string): EntryFault | undefined {
  const reason = unsafeName(name);
  return reason === undefined ? undefined : { code: 'unsafe-name', reason };
}

function typeFault(record: ZipRecord): EntryFault | undefined {
  const type = unixFileType(record);
  if (type === 0 || type === typeFile) return undefined;
  if (type === typeLink) return { code: 'symlink', reason: 'a symbolic link, which is not followed' };
  return { code: 'not-a-file', reason: 'neither a file nor a folder' };
}

function packingFault({ flags, method, packedBytes, sizeBytes }: ZipRecord): EntryFault | undefined {
  if ((flags & encryptedFlags) !== 0) return { code: 'encrypted', reason: 'it is encrypted' };
  if (method !== methodStore && method !== methodDeflate) {
    const how = otherMethods[method] ?? `method ${method}`;
    return { code: 'unsupported-method', reason: `it is packed with ${how}, which is not supported` };
  }
  if (method === methodStore && packedBytes !== sizeBytes) {
    return {
      code: 'damaged-entry',
      reason: `it is stored unpacked, but in ${formatCount(packedBytes)} instead of ${formatCount(sizeBytes)} bytes`,
    };
  }
  return undefined;
}

function sizeFault(record: ZipRecord, dataEnd: number, caps: Caps): EntryFault | undefined {
  const { offset, packedBytes, sizeBytes, nameLength } = record;
  // Not `>`: a missing ZIP64 size is NaN.
  if (!(sizeBytes >= 0 && offset + localHeaderBytes + nameLength + packedBytes <= dataEnd)) {
    return { code: 'damaged-entry', reason: 'its data would lie beyond the end of the archive' };
  }
  const allowed = unpackedBytesAllowed(packedBytes, caps);
  if (sizeBytes > allowed) {
    return {
      code: 'bomb',
      reason: `it unpacks from ${formatCount(packedBytes)} to ${formatCount(sizeBytes)} bytes; at most ${formatCount(allowed)} are allowed`,
    };
  }
  return undefined;
}

/** Bytes of a local header before its name. */
export const localHeaderBytes = 30;

/** Returns the file type of a Unix mode; 0 if the writer does not give one. */
const unixFileType = ({ host, attributes }: ZipRecord): number =>
  hostsWithMode.has(host) ? (attributes >>> 16) & typeMask : 0;
