import { basename } from 'node:path';
import { SourceError, UsageError } from '../../lib/errors.ts';
import { type Caps, defaultCaps } from './caps.ts';
import { distinctNames } from './distinct-names.ts';
import type { ExportInput } from './export-input.ts';
import { FileInput, type NamedFile, plainFile } from './file-input.ts';
import { lookAt, type NamedPath } from './file-kind.ts';
import { openFolder } from './folder-input.ts';
import { gzipFile } from './gzip-file.ts';
import { standardInputFile, standardInputKey, standardInputName } from './standard-input.ts';
import { openZip } from '../zip/zip-input.ts';

/**
 * Opens what was named on the command line: each folder and each ZIP is an input of its own, all other files together
 * are one (a gzip file is the file that is packed in it). Inputs come in the order in which they were named,
 * the common one at the place of its first file; what was named twice is opened once. `-` is standard input.
 *
 * The caller closes every input.
 *
 * @throws SourceError if one of them cannot be read or holds nothing. Then none stays open.
 */
export async function openExport(paths: readonly string[], caps: Partial<Caps> = {}): Promise<readonly ExportInput[]> {
  if (paths.length === 0) throw new UsageError('Cannot open an export: none was named');
  const allCaps = { ...defaultCaps, ...caps };
  const local = await Promise.all(paths.map((path) => (path === standardInputName ? standardInputFile() : path)));
  const named = new Map(local.map((path) => lookAt(path)).map((found) => [found.realPath, found]));
  const files = [...named.values()].filter(isSingleFile);
  const inputs: ExportInput[] = [];
  try {
    for (const found of named.values()) {
      if (!isSingleFile(found)) inputs.push(await openContainer(found, allCaps));
      else if (found === files[0])
        inputs.push(openFiles(files, allCaps, keyOf(found, paths[local.indexOf(found.realPath)])));
    }
    for (const input of inputs) await assertReadable(input);
    return inputs;
  } catch (error) {
    await Promise.all(inputs.map((input) => input.close()));
    throw error;
  }
}

const isSingleFile = ({ kind }: NamedPath): boolean => kind === 'gzip' || kind === 'plain';

async function openContainer({ kind, realPath }: NamedPath, caps: Caps): Promise<ExportInput> {
  return kind === 'folder' ? openFolder(realPath, caps) : openZip(realPath, caps);
}

/** @param name What the user wrote, where that is known. */
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
  return new FileInput(new Map(files.map((file, index) => [names[index]!, namedFile(file, names[index]!, caps)])), key);
}

function namedFile({ kind, realPath }: NamedPath, name: string, caps: Caps): NamedFile {
  return kind === 'gzip' ? gzipFile(realPath, name, caps) : plainFile(realPath);
}

const unpackedPath = ({ kind, realPath }: NamedPath): string =>
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
  throw new SourceError(`Cannot read "${input.label}": none of its ${count} files can be read: ${first.reason}`, {
    hint:
      first.code === 'encrypted' ? 'Unpack it with its password and pass the folder' : 'Unpack it and pass the folder',
    location: first.location,
  });
}
