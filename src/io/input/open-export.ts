import { formatCount } from '../../lib/text/count.ts';
import { closeSync, lstatSync, realpathSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { zlib } from '../../lib/late.ts';
import { SourceError, UsageError } from '../../lib/errors.ts';
import { hasArchiveAtEnd } from '../zip/zip-directory.ts';
import { openZip } from '../zip/zip-input.ts';
import { type Caps, defaultCaps } from './caps.ts';
import { decodedInput } from './decoded-input.ts';
import type { ExportInput } from './export-input.ts';
import { toSourceError } from './file-errors.ts';
import { fileInput, gzipFile, type NamedFile, plainFile } from './file-input.ts';
import { openFolder } from './folder-input.ts';
import { bytesAt, openRegularFile, ReadWindow, withRegularFile } from './regular-file.ts';
import { withInnerZips } from './inner-zips.ts';
import { isWorkbook } from './lines-of-json.ts';
import { isServerAddress, serverInput } from './server-input.ts';
import { tablesInput } from './tables-input.ts';
import { standardInputFile, standardInputKey, standardInputName } from './standard-input.ts';

/**
 * Opens what was named on the command line, to read text: `openStored`, where files in UTF-16 or packed with gzip are read as UTF-8
 * (`decodedInput`), and binary tables as JSON Lines (`tablesInput`).
 *
 * @param only Paths that will be read: listing the others of a folder or a ZIP would be most of the time for a few. Default: all.
 */
export async function openExport(
  paths: readonly string[],
  caps: Partial<Caps> = {},
  only?: readonly string[],
): Promise<readonly ExportInput[]> {
  const allCaps = { ...defaultCaps, ...caps };
  const inputs = await openStored(paths, allCaps, only && withFolders(only));
  try {
    return await Promise.all(inputs.map((input) => tablesInput(decodedInput(input, allCaps), allCaps)));
  } catch (error) {
    await Promise.all(inputs.map((input) => input.close()));
    throw error;
  }
}

/**
 * Opens what was named on the command line, with its files as they are stored: each folder and each archive (ZIP, tar) is an input of its own, all other files together
 * are one (a gzip file is the file that is packed in it). Inputs come in the order in which they were named,
 * the common one at the place of its first file, database servers before them; what was named twice is opened once. `-` is standard input.
 *
 * The caller closes every input.
 *
 * @param only Paths of the only files and folders of a folder or a ZIP that are listed. Default: all.
 * @throws SourceError if one of them cannot be read or holds nothing. Then none stays open.
 */
export async function openStored(
  paths: readonly string[],
  caps: Partial<Caps> = {},
  only?: ReadonlySet<string>,
): Promise<readonly ExportInput[]> {
  if (paths.length === 0) throw new UsageError('Cannot open an export: none was named');
  const allCaps = { ...defaultCaps, ...caps };
  const servers = [...new Set(paths.filter(isServerAddress))].map((address) => serverInput(address));
  const filePaths = paths.filter((path) => !isServerAddress(path));
  const local = await Promise.all(filePaths.map((path) => (path === standardInputName ? standardInputFile() : path)));
  const named = new Map(local.map((path) => inspectPath(path)).map((found) => [found.realPath, found]));
  const files = [...named.values()].filter(isSingleFile);
  const inputs: ExportInput[] = [...servers];
  try {
    for (const found of named.values()) {
      if (!isSingleFile(found)) inputs.push(await openContainer(found, allCaps, only));
      else if (found === files[0])
        inputs.push(openFiles(files, allCaps, keyOf(found, filePaths[local.indexOf(found.realPath)])));
    }
    for (const input of inputs) await assertReadable(input);
    return inputs;
  } catch (error) {
    await Promise.all(inputs.map((input) => input.close()));
    throw error;
  }
}

const isSingleFile = ({ kind }: NamedPath): boolean => kind === 'gzip' || kind === 'plain';

/** The paths, and the folders around each: one of these may be an archive or a file of several tables. */
const withFolders = (paths: readonly string[]): ReadonlySet<string> =>
  new Set(
    paths.flatMap((path) => {
      const parts = path.split('/');
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    }),
  );

async function openContainer(
  { kind, realPath }: NamedPath,
  caps: Caps,
  only: ReadonlySet<string> | undefined,
): Promise<ExportInput> {
  if (kind === 'folder') return openFolder(realPath, caps, only);
  const archive =
    kind === 'tar'
      ? await (await import('../tar/tar-input.ts')).openTar(realPath, caps)
      : openZip(realPath, caps, undefined, only);
  return withInnerZips(archive, caps);
}

/** @param name What the user wrote, if that is known. */
const keyOf = ({ realPath }: NamedPath, name: string | undefined): string =>
  name === standardInputName ? standardInputKey : realPath;

function openFiles(files: readonly NamedPath[], caps: Caps, key: string): ExportInput {
  const [first] = files;
  if (first !== undefined && files.every(({ sizeBytes }) => sizeBytes === 0)) {
    throw new SourceError(`Cannot read "${basename(first.realPath)}": the file is empty`, {
      hint: 'Export or copy it again',
    });
  }
  const unpackedPaths = files.map(unpackedPath);
  assertDistinct(unpackedPaths);
  const names = distinctNames(unpackedPaths);
  return fileInput(new Map(files.map((file, index) => [names[index]!, namedFile(file, names[index]!, caps)])), key);
}

const namedFile = ({ kind, realPath }: NamedPath, name: string, caps: Caps): NamedFile =>
  kind === 'gzip' ? gzipFile(realPath, name, caps) : plainFile(realPath);

export const unpackedPath = ({ kind, realPath }: NamedPath): string =>
  kind === 'gzip' ? realPath.replace(/\.gz$/i, '') : realPath;

function assertDistinct(unpackedPaths: readonly string[]): void {
  const twice = unpackedPaths.find((path, index) => unpackedPaths.indexOf(path) !== index);
  if (twice === undefined) return;
  const name = basename(twice);
  throw new SourceError(`Cannot read "${name}" and "${name}.gz" together: they are the same file, packed and not`, {
    hint: 'Pass one of them',
  });
}

/** An input of nothing is a mistake that must not end in "0 messages imported". */
async function assertReadable(input: ExportInput): Promise<void> {
  if ((await input.paths()).length > 0) return;
  const [first] = input.problems;
  if (first === undefined)
    throw new SourceError(`Cannot read "${input.label}": it holds no files`, { hint: 'Check the path' });
  const count = input.problems.length;
  throw new SourceError(
    `Cannot read "${input.label}": none of its ${formatCount(count)} files can be read: ${first.reason}`,
    {
      hint:
        first.code === 'encrypted'
          ? 'Unpack it with its password and pass the folder'
          : 'Unpack it and pass the folder',
      location: first.location,
    },
  );
}

export interface NamedPath {
  /** Absolute, links resolved: a link that the user names is meant, other than one inside an export. */
  readonly realPath: string;
  readonly kind: 'folder' | 'zip' | 'tar' | 'gzip' | 'plain';
  readonly sizeBytes: number;
}

/** Enough bytes to see the mark of a tar archive, at byte 257, even if it is packed: a name and a comment may precede the packed data. */
const headBytes = 4096;

/** Marks of archives that we cannot read, and what they are called. */
const foreignArchives: readonly (readonly [mark: string, at: number, name: string])[] = [
  ['7z\xbc\xaf\x27\x1c', 0, '7z'],
  ['Rar!\x1a\x07', 0, 'RAR'],
  ['\xfd7zXZ\0', 0, 'xz'],
  ['BZh', 0, 'bzip2'],
  ['\x28\xb5\x2f\xfd', 0, 'Zstandard'],
];

/**
 * Inspects a path and, for a file, its first bytes. The name alone decides nothing.
 *
 * @throws SourceError if the path does not exist, may not be read, is neither a file nor a folder (not opened: a FIFO
 *   would block permanently), or is an archive that Chatferry cannot read.
 */
export function inspectPath(path: string): NamedPath {
  try {
    const realPath = realpathSync.native(path);
    const stats = lstatSync(realPath);
    if (stats.isDirectory()) return { realPath, kind: 'folder', sizeBytes: 0 };
    if (!stats.isFile()) throw notAFile(path);
    const head = readHead(realPath);
    return { realPath, kind: detectKind(path, head, () => endsAsZip(realPath)), sizeBytes: stats.size };
  } catch (error) {
    throw toSourceError(error, `Cannot read "${path}"`) ?? error;
  }
}

/** As Latin-1, one character a byte. */
function readHead(realPath: string): string {
  const { fd } = openRegularFile(realPath);
  try {
    return bytesAt(fd, 0, headBytes).toString('latin1');
  } finally {
    closeSync(fd);
  }
}

const endsAsZip = (realPath: string): boolean =>
  withRegularFile(realPath, ({ fd, sizeBytes }) => hasArchiveAtEnd(new ReadWindow(fd, sizeBytes)));

const isTar = (head: string): boolean => head.startsWith('ustar', 257);

/** Returns the unpacked content of the first bytes of a gzip file; empty if they are damaged. */
function unpackHead(head: string): string {
  try {
    return zlib()
      .gunzipSync(Buffer.from(head, 'latin1'), { finishFlush: zlib().constants.Z_SYNC_FLUSH })
      .toString('latin1');
  } catch {
    return '';
  }
}

/** Programs of Windows and Unix, and scripts: what an archive that unpacks itself begins with. */
const program = /^(?:MZ|\x7fELF|#!)/;

/** @param endsAsZip Returns whether the file ends with an archive. Called only if that is possible. */
function detectKind(path: string, head: string, endsAsZip: () => boolean): Exclude<NamedPath['kind'], 'folder'> {
  // A local header, an empty archive's end record, or the mark of a split archive.
  // A workbook is an archive too; its sheets are read as tables.
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/.test(head)) return isWorkbook(path) ? 'plain' : 'zip';
  const foreign = foreignArchives.find(([mark, at]) => head.startsWith(mark, at));
  if (foreign !== undefined) throw foreignArchive(path, foreign[2]);
  if ((program.test(head) || /\.zip$/i.test(path)) && endsAsZip()) return 'zip';
  if (/\.zip$/i.test(path)) throw notAZip(path);
  if (isTar(head) || /\.(?:tar|tgz|tar\.gz)$/i.test(path)) return 'tar';
  if (!head.startsWith('\x1f\x8b')) return 'plain';
  return isTar(unpackHead(head)) ? 'tar' : 'gzip';
}

const notAFile = (path: string): SourceError =>
  new SourceError(`Cannot read "${path}": expected a folder, an archive or a file, found a device, FIFO or socket`, {
    hint: 'Save its output in a file and pass that file',
  });

const foreignArchive = (path: string, name: string): SourceError =>
  new SourceError(`Cannot read "${path}": ${name} archives are not supported`, {
    hint: 'Unpack it and pass the folder',
  });

const notAZip = (path: string): SourceError =>
  new SourceError(`Cannot read "${path}": expected a ZIP archive, as its name says, found something else`, {
    hint: 'Download it again: it may be an error page that was saved under this name',
  });

/**
 * Returns a name for each file inside their common input: the base name, with as many of the folders above it as it
 * takes to distinguish files of one name (`2023/users.csv`, `2024/users.csv`).
 *
 * @param realPaths Absolute, each once.
 * @returns In the same order.
 */
export function distinctNames(realPaths: readonly string[]): readonly string[] {
  const parts = realPaths.map((path) => path.split(sep).filter((part) => part !== ''));
  const depths = realPaths.map(() => 1);
  for (;;) {
    const names = parts.map((all, index) => all.slice(-depths[index]!).join('/'));
    const counts = Map.groupBy(names.keys(), (index) => names[index]!);
    const unclear = [...counts.values()].filter((indexes) => indexes.length > 1).flat();
    if (unclear.length === 0) return names;
    for (const index of unclear) depths[index]! += 1;
  }
}
