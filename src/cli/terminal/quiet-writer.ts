/** As much of a writable stream as progress needs. */
export interface ProgressStream {
  write(text: string): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  readonly writable?: boolean;
  readonly writableNeedDrain?: boolean;
}

export interface QuietWriter {
  write(text: string): void;
  /** False while the reader is behind: what will be redrawn anyway need not be written. */
  isReady(): boolean;
}

/**
 * Writes until the stream breaks, and says nothing about it: when the reader of a pipe has gone (EPIPE) or a terminal
 * was closed, the run goes on. The listener stays, since the error of a last write comes after we are done.
 */
export function quietWriter(stream: ProgressStream): QuietWriter {
  let isBroken = false;
  stream.on('error', () => {
    isBroken = true;
  });
  const canWrite = () => !isBroken && stream.writable !== false;
  return {
    write(text) {
      if (!canWrite() || text === '') return;
      try {
        stream.write(text);
      } catch {
        isBroken = true;
      }
    },
    isReady: () => canWrite() && stream.writableNeedDrain !== true,
  };
}
