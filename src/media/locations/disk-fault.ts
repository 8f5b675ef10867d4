import { MediaFault } from '../media-location.ts';

/** Does something on the disk. @throws MediaFault in place of what the file system says. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MediaFault) throw error;
    const code = diskErrorCode(error);
    if (code === '') throw error;
    throw new MediaFault(`Cannot use the folder for files: ${words[code] ?? code}`, {
      kind: never.has(code) ? 'never' : again.has(code) ? 'again' : 'stop',
      ...(hints[code] !== undefined && { hint: hints[code] }),
      cause: error,
    });
  }
}

/** Too many files are open for a moment; a network file system lost its server. */
const again: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY', 'EINTR', 'ETIMEDOUT', 'ESTALE']);
/** The file system keeps no such name, or none so large; a folder has the name already. */
const never: ReadonlySet<string> = new Set([
  'ENAMETOOLONG',
  'EFBIG',
  'EILSEQ',
  'EISDIR',
  'ERR_FS_EISDIR',
  'ENOTEMPTY',
  'EINVAL',
]);

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'its file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENAMETOOLONG: 'the name is too long for its file system',
  EFBIG: 'the file is too large for its file system',
  EISDIR: 'a folder has the name of the file',
  ENOENT: 'it is gone',
  EIO: 'the disk fails',
};

const free = 'Free some space, or set media.to to another folder; the same command then continues';
const mode = 'Let this user write there, or name another folder as media.to';
const hints: Readonly<Record<string, string>> = {
  ENOSPC: free,
  EDQUOT: free,
  EROFS: 'Mount it so that it can be written, or name another folder as media.to',
  EACCES: mode,
  EPERM: mode,
};

/** `ENOENT`; empty for what the file system did not say. */
export function diskErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
