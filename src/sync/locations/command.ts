import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { CommandExport } from '../config/export-location.ts';
import { errorCode } from '../../io/input/file-errors.ts';
import { SourceError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { locationMemory } from '../state/location-memory.ts';
import { type FileMemory, KeptFile, receiveFile, TooLarge } from './kept-file.ts';
import type { LocationContext, Arrivals } from './location.ts';

/** Runs a program that writes an export to its standard output. The output counts only if the program exits with 0. */
export async function runExportCommand(location: CommandExport, context: LocationContext): Promise<Arrivals> {
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
      if (code === null) throw failed(command, `it was ended by ${signal}`, lastWords);
      if (code !== 0) throw failed(command, `it ended with ${code}`, lastWords);
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

/** Its arguments are not quoted: one of them may be a password. */
function failed([program]: readonly string[], why: string, lastWords: readonly string[] = []): SourceError {
  const words = lastWords.length === 0 ? '' : `; its last words: ${lastWords.join(' / ')}`;
  return new SourceError(`Cannot read what "${program}" writes: ${why}${words}`, {
    hint: 'The last export stays as it is; the next run tries again',
  });
}

/** A program from the configuration. If its output is not read, it waits. */
export interface Program {
  readonly output: AsyncIterable<Uint8Array>;
  /** Rejects where it cannot be started. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    /** The end of its standard error: lines at most, cut and without control characters. */
    readonly lastWords: readonly string[];
  }>;
  /** Ends it, if it still runs. */
  stop(): Promise<void>;
}

const lastWordsMax = 5;
const wordLengthMax = 200;
/** Time that a program gets to end by itself. */
const endMs = 5_000;

/**
 * Starts a program without a shell, in a process group of its own: what it starts itself ends with it. Our own variables stay
 * out of its environment, and with them the key of the service.
 *
 * @param signal Aborted: it is ended, first kindly.
 */
export function startProgram(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Program {
  const hasGroups = process.platform !== 'win32';
  const child = spawn(program!, args, {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CHATFERRY_'))),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: hasGroups,
    windowsHide: true,
  });
  // Attached at once: output without a reader is lost when a program ends.
  const output = child.stdout!.pipe(new PassThrough());
  // The reader gets the error then; `ended` reports it in any case.
  output.on('error', () => {});
  child.on('error', (error) => output.destroy(error));
  const lastWords: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lastWords.push(truncate(oneLine(line), wordLengthMax));
    if (lastWords.length > lastWordsMax) lastWords.shift();
  });
  const closed = once(child, 'close').then(([code, ended]) => ({ code, signal: ended, lastWords }));
  const kill = (name: NodeJS.Signals) => (hasGroups ? killGroup(child, name) : child.kill(name));
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const end = () => {
    if (isClosed) return;
    kill('SIGTERM');
    timer ??= setTimeout(() => {
      kill('SIGKILL');
      // Its child processes may have left its group, and keep its output open permanently.
      for (const stream of [output, child.stdout!, child.stderr!]) stream.destroy();
    }, endMs);
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const ended = closed.finally(() => {
    isClosed = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
  ended.catch(() => {});
  const stop = async () => {
    // The output has no reader any more: the program must not wait for one.
    output.resume();
    end();
    await ended.catch(() => {});
  };
  return { output, ended, stop };
}

function killGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It has ended already.
  }
}
