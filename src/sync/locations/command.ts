import { join } from 'node:path';
import type { CommandExport } from '../../config/export-location.ts';
import { SourceError } from '../../lib/errors.ts';
import { errorCode } from '../../io/input/file-errors.ts';
import { formatBytes } from '../../report/render/format.ts';
import { locationMemory } from '../state/location-memory.ts';
import { KeptFile, TooLarge } from './kept-file.ts';
import type { LocationContext, Obtained } from './location.ts';
import { type FileMemory, receiveFile } from './receive.ts';
import { startProgram } from './start-program.ts';

/** An export that a program writes to its standard output. What it wrote counts only if it ends with 0. */
export async function obtainFromCommand(location: CommandExport, context: LocationContext): Promise<Obtained> {
  const { command, format, sizeMax, timeout } = location;
  const file = new KeptFile(join(context.folder, format));
  const memory = locationMemory<FileMemory>(context.state.db, context.job, JSON.stringify(command));
  return receiveFile(file, memory, {}, async () => {
    context.signal.throwIfAborted();
    const timer = AbortSignal.timeout(timeout);
    const program = startProgram(command, context.env, AbortSignal.any([context.signal, timer]));
    try {
      const saved = await file.receive(program.output, sizeMax);
      const { code, signal, lastWords } = await program.ended;
      if (context.signal.aborted || timer.aborted) throw new Error('it was ended by us');
      if (code !== 0) throw failed(command, endOf(code, signal), lastWords);
      return saved;
    } catch (error) {
      await program.stop();
      const fault = await program.ended.then(() => undefined, errorCode);
      if (fault !== undefined) throw failed(command, `it cannot be started (${fault})`);
      context.signal.throwIfAborted();
      if (timer.aborted) throw failed(command, `it did not end within ${Math.round(timeout / 1000)} s`);
      if (error instanceof TooLarge) throw failed(command, `it wrote more than ${formatBytes(sizeMax)}`);
      throw error;
    }
  });
}

const endOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  code === null ? `it was ended by ${signal}` : `it ended with ${code}`;

/** Its arguments are not quoted: one of them may be a password. */
function failed([program]: readonly string[], why: string, lastWords: readonly string[] = []): SourceError {
  const words = lastWords.length === 0 ? '' : `; its last words: ${lastWords.join(' / ')}`;
  return new SourceError(`Cannot read what "${program}" writes: ${why}${words}`, {
    hint: 'The last export stays as it is; the next run tries again',
  });
}
