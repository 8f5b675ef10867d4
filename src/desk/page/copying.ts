import { useEffect, useState } from 'preact/hooks';
import { type PickedFile, unreadable } from './dropped-files.ts';
import { send, sendPart } from './send.ts';

/** How far the copying of dropped files is. It goes on while another step is shown. */
export interface Copying {
  readonly files: number;
  readonly filesTotal: number;
  readonly bytes: number;
  readonly bytesTotal: number;
  /** Why it has stopped. */
  readonly error: Error | null;
}

/** Bytes that are sent at once. */
const sliceBytes = 4 * 1024 * 1024;

let now: Copying | undefined;
let stopping = new AbortController();
const listeners = new Set<(copying: Copying | undefined) => void>();

/** Undefined if nothing is copied. */
export function useCopying(): Copying | undefined {
  const [copying, setCopying] = useState(now);
  useEffect(() => {
    listeners.add(setCopying);
    setCopying(now);
    return () => void listeners.delete(setCopying);
  }, []);
  return copying;
}

function show(copying: Copying | undefined): void {
  now = copying;
  for (const listener of listeners) listener(copying);
}

/** Sends no more. What has arrived stays: the same files go on where they ended. */
export const stopCopying = (): void => stopping.abort();

/** Copies files one after another, and makes them the export. Says by `useCopying` why it did not. */
export async function copyFiles(picking: Promise<readonly PickedFile[]>): Promise<void> {
  if (now?.error === null) return;
  stopping = new AbortController();
  const { signal } = stopping;
  show({ files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0, error: null });
  try {
    const picked = await picking;
    if (picked.length === 0) throw new Error('There are no files in it');
    const bytesTotal = picked.reduce((sum, { file }) => sum + file.size, 0);
    let bytes = 0;
    for (const [files, one] of picked.entries()) {
      await copyFile(one, signal, (received) =>
        show({ files, filesTotal: picked.length, bytes: bytes + received, bytesTotal, error: null }),
      );
      bytes += one.file.size;
    }
    await send('upload-end', {
      files: picked.map(({ name, file }) => ({ name, size: file.size, modified: file.lastModified })),
    });
    show(undefined);
  } catch (error) {
    show({ ...now!, error: signal.aborted ? stopped : (error as Error) });
  }
}

const stopped = new Error('Stopped. Drop the same files again, and the copying goes on');

/** @param onReceived Called with how many bytes of the file have arrived. */
async function copyFile(
  { name, file }: PickedFile,
  signal: AbortSignal,
  onReceived: (received: number) => void,
): Promise<void> {
  let [at, repeats] = [0, 0];
  do {
    const bytes = await file
      .slice(at, at + sliceBytes)
      .arrayBuffer()
      .catch(() => Promise.reject(unreadable(name)));
    signal.throwIfAborted();
    const place = { name, at: `${at}`, size: `${file.size}`, modified: `${file.lastModified}` };
    const { received } = await sendPart(bytes, place);
    // Once it may be another place that is wanted: part of the file was copied before.
    repeats = received > at ? 0 : repeats + 1;
    if (repeats > 1 && file.size > 0) throw new Error(`The copying of ${JSON.stringify(name)} does not go on`);
    at = received;
    onReceived(at);
  } while (at < file.size);
}
