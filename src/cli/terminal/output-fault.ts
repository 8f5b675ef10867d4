import { StoreError } from '../../lib/errors.ts';
import type { Output } from '../host.ts';

/** Codes of a reader that went away (`| head`): on a pipe, on a socket, and on Windows. */
const readerLeft: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'EOF']);

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'a limit for the size of files is reached',
  EIO: 'the disk fails',
};

/** Why some of the output was not written. Undefined if all was written, or if the reader went away. */
export async function outputFault(stdout: Output): Promise<StoreError | undefined> {
  // Resolves after everything before it was written, or failed.
  if (!stdout.errored) await new Promise<void>((resolve) => void stdout.write('', () => resolve()));
  const { errored } = stdout;
  if (!errored) return undefined;
  const { code = errored.message } = errored as NodeJS.ErrnoException;
  if (readerLeft.has(code)) return undefined;
  const reason = reasons[code];
  return new StoreError(`Cannot write to standard output: ${reason ? `${reason} (${code})` : code}`, {
    path: 'standard output',
    hint: 'The output is incomplete; changes that the command already made are kept. Free some space, or redirect to another disk',
    cause: errored,
  });
}
