import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '../../lib/text/count.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { Icon } from '../../web/page/icon.tsx';
import { readDrop, readInput, type PickedFile, unreadable } from './dropped-files.ts';
import { Fault } from './elements.tsx';
import { send, sendPart } from './send.ts';

// The browser would leave the page and open the file.
for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());

/** Takes the files of an export: dropped anywhere on the page, or picked with the keyboard. */
export function DropZone({ onCopied }: { readonly onCopied: () => Promise<void> }) {
  const copying = useCopying();
  const [isOver, setOver] = useState(false);
  const isCopying = copying?.error === null;
  const take = (picking: ReturnType<typeof readDrop>) => void copyFiles(picking).then(onCopied, () => {});
  useEffect(() => {
    const over = ({ type }: DragEvent) => setOver(type === 'dragover');
    const drop = (event: DragEvent) => {
      over(event);
      if (event.dataTransfer && event.dataTransfer.items.length > 0) take(readDrop(event.dataTransfer));
    };
    const listeners = [['dragover', over] as const, ['dragleave', over] as const, ['drop', drop] as const];
    for (const [name, listener] of listeners) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) removeEventListener(name, listener);
    };
  }, []);
  return (
    <section class={isOver ? 'drop over' : 'drop'} aria-labelledby="drop">
      <p class="drop-mark">
        <Icon name="upload" />
      </p>
      <h2 id="drop">Drop the export here</h2>
      <p class="soft">
        A ZIP, files or a folder. They are copied into <code>./chatferry-desk.files</code> on this machine; you can
        delete the copies here.
      </p>
      <div class="pickers">
        <Picker label="Choose files" id="pick-files" isOff={isCopying} onPick={take} />
        <Picker label="Choose a folder" id="pick-folder" isFolder isOff={isCopying} onPick={take} />
      </div>
      {copying && <Progress copying={copying} />}
    </section>
  );
}

interface PickerProps {
  readonly label: string;
  readonly id: string;
  readonly isFolder?: boolean;
  readonly isOff: boolean;
  readonly onPick: (picking: ReturnType<typeof readDrop>) => void;
}

function Picker({ label, id, isFolder = false, isOff, onPick }: PickerProps) {
  return (
    <label class={`button file-button ${isFolder ? '' : 'main'}`}>
      {label}
      <input
        id={id}
        class="unseen"
        type="file"
        multiple={!isFolder}
        ref={(input) => {
          if (input) input.webkitdirectory = isFolder;
        }}
        disabled={isOff}
        onChange={({ currentTarget }) => {
          const { files } = currentTarget;
          if (files && files.length > 0) onPick(Promise.resolve().then(() => readInput(files)));
        }}
      />
    </label>
  );
}

function Progress({ copying: { files, filesTotal, bytes, bytesTotal, error } }: { readonly copying: Copying }) {
  if (error !== null) return <Fault error={error} />;
  return (
    <p class="running" role="status">
      <label>
        Copying… <b>{formatBytes(bytes)}</b> of {formatBytes(bytesTotal)}
        {filesTotal > 1 && `, ${formatCount(files)} of ${formatCount(filesTotal)} files`}{' '}
        <progress value={bytes} max={Math.max(1, bytesTotal)} />
      </label>
      <button type="button" onClick={stopCopying}>
        Stop
      </button>
    </p>
  );
}

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
function useCopying(): Copying | undefined {
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
const stopCopying = (): void => stopping.abort();

/** Copies files one after another, and makes them the export. Says by `useCopying` why it did not. */
async function copyFiles(picking: Promise<readonly PickedFile[]>): Promise<void> {
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
