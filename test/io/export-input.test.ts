import { gzipSync } from 'node:zlib';
import { openExport, openStored } from '../../src/io/input/open-export.ts';
import { exportInputContract } from '../contracts/export-input.ts';
import { makeTar } from './make-tar.ts';
import { makeZip } from './make-zip.ts';
import { temporaryFile, temporaryFolder, writeFile } from './temporary-files.ts';

async function openOne(path: string) {
  const [input] = await openStored([path]);
  return input!;
}

function writeAll(files: ReadonlyMap<string, Uint8Array>): readonly string[] {
  const folder = temporaryFolder();
  return [...files].map(([path, bytes]) => writeFile(folder, path, bytes));
}

function parts(files: ReadonlyMap<string, Uint8Array>, more: object = {}) {
  return [...files].map(([name, content]) => ({ name, content, ...more }));
}

exportInputContract({
  name: 'a folder',
  hasManyFiles: true,
  open: async (files) => {
    const folder = temporaryFolder();
    for (const [path, bytes] of files) writeFile(folder, path, bytes);
    return openOne(folder);
  },
});

exportInputContract({
  name: 'a ZIP',
  hasManyFiles: true,
  open: async (files) => openOne(temporaryFile('export.zip', makeZip(parts(files)))),
});

exportInputContract({
  name: 'a ZIP with stored entries',
  hasManyFiles: true,
  open: async (files) => openOne(temporaryFile('export.zip', makeZip(parts(files, { method: 0 })))),
});

exportInputContract({
  name: 'a ZIP64 with data descriptors',
  hasManyFiles: true,
  open: async (files) => {
    const zip = makeZip(parts(files, { isZip64: true, hasDescriptor: true }), { hasZip64End: true });
    return openOne(temporaryFile('export.zip', zip));
  },
});

exportInputContract({
  name: 'a tar archive',
  hasManyFiles: true,
  open: async (files) => openOne(temporaryFile('export.tar', await makeTar(parts(files)))),
});

exportInputContract({
  name: 'a tar archive packed with gzip',
  hasManyFiles: true,
  open: async (files) => openOne(temporaryFile('export.tgz', gzipSync(await makeTar(parts(files))))),
});

exportInputContract({
  name: 'a ZIP in a ZIP',
  hasManyFiles: true,
  prefix: 'inner.zip/',
  open: async (files) => {
    const inside = new Map([...files].map(([path, bytes]) => [path.replace('inner.zip/', ''), bytes]));
    return openOne(temporaryFile('export.zip', makeZip([{ name: 'inner.zip', content: makeZip(parts(inside)) }])));
  },
});

exportInputContract({
  name: 'a plain file',
  hasManyFiles: false,
  open: async (files) => (await openStored(writeAll(files)))[0]!,
});

exportInputContract({
  name: 'a gzip file',
  hasManyFiles: false,
  open: async (files) =>
    (await openStored(writeAll(new Map([...files].map(([path, bytes]) => [`${path}.gz`, gzipSync(bytes)])))))[0]!,
});

exportInputContract({
  name: 'a folder whose text is decoded',
  hasManyFiles: true,
  open: async (files) => {
    const folder = temporaryFolder();
    for (const [path, bytes] of files) writeFile(folder, path, bytes);
    return (await openExport([folder]))[0]!;
  },
});

exportInputContract({
  name: 'a ZIP whose text is decoded',
  hasManyFiles: true,
  open: async (files) => (await openExport([temporaryFile('export.zip', makeZip(parts(files)))]))[0]!,
});
