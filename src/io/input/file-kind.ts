import { closeSync, lstatSync, realpathSync } from 'node:fs';
import { SourceError } from '../../lib/errors.ts';
import { sourceErrorOf } from './file-errors.ts';
import { bytesAt, openRegularFile } from './regular-file.ts';

/** What a path that was named on the command line leads to. */
export interface NamedPath {
  /** Absolute, links resolved: a link that the user names is meant, other than one inside an export. */
  readonly realPath: string;
  readonly kind: 'folder' | 'zip' | 'gzip' | 'plain';
  readonly sizeBytes: number;
}

/** Enough to see the mark of a tar archive, at byte 257. */
const headBytes = 512;

/** Marks of archives that we cannot read, and what they are called. */
const foreignArchives: readonly (readonly [mark: string, at: number, name: string])[] = [
  ['7z\xbc\xaf\x27\x1c', 0, '7z'],
  ['Rar!\x1a\x07', 0, 'RAR'],
  ['\xfd7zXZ\0', 0, 'xz'],
  ['BZh', 0, 'bzip2'],
  ['\x28\xb5\x2f\xfd', 0, 'Zstandard'],
  ['ustar', 257, 'tar'],
];

/**
 * Looks at what the path is and, for a file, at its first bytes; the name alone decides nothing.
 *
 * @throws SourceError if there is nothing, nothing that may be read, something that is neither a file nor a folder
 * (not opened: a FIFO would make us wait for ever), or an archive that we cannot read.
 */
export function lookAt(path: string): NamedPath {
  try {
    const realPath = realpathSync.native(path);
    const stats = lstatSync(realPath);
    if (stats.isDirectory()) return { realPath, kind: 'folder', sizeBytes: 0 };
    if (!stats.isFile()) throw notAFile(path);
    return { realPath, kind: kindOf(path, headOf(realPath)), sizeBytes: stats.size };
  } catch (error) {
    throw sourceErrorOf(error, `Cannot read "${path}"`) ?? error;
  }
}

/** As Latin-1, one character a byte. */
function headOf(realPath: string): string {
  const { fd } = openRegularFile(realPath);
  try {
    return bytesAt(fd, 0, headBytes).toString('latin1');
  } finally {
    closeSync(fd);
  }
}

function kindOf(path: string, head: string): 'zip' | 'gzip' | 'plain' {
  // A local header, an empty archive's end record, or the mark of a split archive.
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/.test(head)) return 'zip';
  const foreign = foreignArchives.find(([mark, at]) => head.startsWith(mark, at));
  if (foreign !== undefined) throw foreignArchive(path, foreign[2]);
  if (/\.zip$/i.test(path)) throw notAZip(path);
  if (!head.startsWith('\x1f\x8b')) return 'plain';
  if (/\.(?:tgz|tar\.gz)$/i.test(path)) throw foreignArchive(path, 'tar');
  return 'gzip';
}

function notAFile(path: string): SourceError {
  return new SourceError(
    `Cannot read "${path}": expected a folder, an archive or a file, found a device, FIFO or socket`,
    {
      hint: 'Save what it delivers in a file and pass that',
    },
  );
}

function foreignArchive(path: string, name: string): SourceError {
  return new SourceError(`Cannot read "${path}": ${name} archives are not supported`, {
    hint: 'Unpack it and pass the folder',
  });
}

function notAZip(path: string): SourceError {
  return new SourceError(`Cannot read "${path}": expected a ZIP archive, as its name says, found something else`, {
    hint: 'Download it again: it may be an error page that was saved under this name',
  });
}
