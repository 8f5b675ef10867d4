import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '../../lib/text/count.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { type Copying, copyFiles, stopCopying, useCopying } from './copying.ts';
import { readDrop, readInput } from './dropped-files.ts';
import { Fault } from './elements.tsx';

interface DropZoneProps {
  /** Whether files are taken. */
  readonly isOpen: boolean;
  readonly onCopied: () => Promise<void>;
}

/** Takes the files of an export: dropped anywhere on the page, or picked with the keyboard. */
export function DropZone({ isOpen, onCopied }: DropZoneProps) {
  const copying = useCopying();
  const [isOver, setOver] = useState(false);
  const isCopying = copying?.error === null;
  const take = (picking: ReturnType<typeof readDrop>) => void copyFiles(picking).then(onCopied, () => {});
  useEffect(() => {
    // Anywhere else the browser would leave the page and open the file.
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const drop = (event: DragEvent) => {
      over(event);
      if (isOpen && event.dataTransfer && event.dataTransfer.items.length > 0) take(readDrop(event.dataTransfer));
    };
    const listeners = [['dragover', over] as const, ['dragleave', over] as const, ['drop', drop] as const];
    for (const [name, listener] of listeners) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) removeEventListener(name, listener);
    };
  }, [isOpen]);
  return (
    <section class={isOver ? 'drop over' : 'drop'} aria-labelledby="drop">
      <h2 id="drop">Drop the export here</h2>
      <p class="soft">
        A ZIP, files or a folder. They are copied into <code>./chatferry-desk.files</code> on this machine; you can
        delete the copies here.
      </p>
      <Picker label="Files" id="pick-files" isFolder={false} isOff={isCopying} onPick={take} />
      <Picker label="A folder" id="pick-folder" isFolder={true} isOff={isCopying} onPick={take} />
      {copying && <Progress copying={copying} />}
    </section>
  );
}

interface PickerProps {
  readonly label: string;
  readonly id: string;
  readonly isFolder: boolean;
  readonly isOff: boolean;
  readonly onPick: (picking: ReturnType<typeof readDrop>) => void;
}

function Picker({ label, id, isFolder, isOff, onPick }: PickerProps) {
  return (
    <p>
      <label for={id}>{label}</label>
      <input
        id={id}
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
    </p>
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
