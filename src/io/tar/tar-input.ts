import { basename } from 'node:path';
import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { Caps } from '../input/caps.ts';
import { type ExportInput, ProblemList } from '../input/export-input.ts';
import { toSourceError } from '../input/file-errors.ts';
import { bytesAt, chunksAt } from '../input/regular-file.ts';
import { TemporaryCopies } from '../input/temporary-copies.ts';
import { hex } from '../zip/zip-content.ts';
import { spoolEntries, type TarEntry } from './tar-entries.ts';
import { TarSpool } from './tar-spool.ts';

/**
 * Opens a tar archive, also one that is packed with gzip. It has no directory, so it is read once to its end, and its contents are copied to
 * a temporary file that `close` removes: as much free space is needed as it unpacks to.
 *
 * @param path Absolute, links resolved.
 */
export async function openTar(path: string, caps: Caps): Promise<ExportInput> {
  const label = basename(path);
  const spool = await TarSpool.make();
  try {
    const problems = new ProblemList();
    const entries = await spoolEntries({ path, label, caps, problems, spool });
    return tarInput({ key: path, label, problems: problems.all(label) }, spool, entries);
  } catch (error) {
    await spool.remove();
    throw toSourceError(error, `Cannot read "${label}"`) ?? error;
  }
}

function tarInput(
  about: Pick<ExportInput, 'key' | 'label' | 'problems'>,
  spool: TarSpool,
  entries: ReadonlyMap<string, TarEntry>,
): ExportInput {
  const action = `Cannot read from "${about.label}"`;
  const paths = [...entries.keys()].sort();
  const copies = new TemporaryCopies();
  const fault = (path: string, reason: string) => new SourceError(`${action}: ${reason}`, { location: { path } });
  const find = (path: string): TarEntry => {
    if (!spool.isOpen) throw new TypeError(`${action}: it is closed`);
    const entry = entries.get(path);
    if (entry === undefined) throw fault(path, 'there is no such file');
    return entry;
  };
  async function* open(path: string): AsyncGenerator<Uint8Array> {
    const { offset, sizeBytes } = find(path);
    yield* chunksAt(spool.fd, offset, offset + sizeBytes, 256 * 1024);
  }
  return {
    ...about,
    open,
    paths: async () => paths,
    async stat(path) {
      const { crc, sizeBytes } = find(path);
      return { sizeBytes, fingerprint: `${hex(crc)}:${sizeBytes}` };
    },
    async head(path, byteCount) {
      const { offset, sizeBytes } = find(path);
      return bytesAt(spool.fd, offset, Math.min(byteCount, sizeBytes));
    },
    async read(path, bytesMax) {
      const { offset, sizeBytes } = find(path);
      if (sizeBytes <= bytesMax) return bytesAt(spool.fd, offset, sizeBytes);
      throw fault(path, `expected at most ${formatCount(bytesMax)} bytes, found ${formatCount(sizeBytes)}`);
    },
    async materialise(path) {
      try {
        return await copies.ensureCopy(path, open(path));
      } catch (error) {
        throw toSourceError(error, action, { path }) ?? error;
      }
    },
    async close() {
      await spool.remove();
      await copies.remove();
    },
  };
}
