import type { DiskEvent } from './disk-trace.ts';

type Change = Extract<DiskEvent, { type: 'write' | 'truncate' }>;

interface File {
  /** Content that survives for sure; undefined if not even the name does. */
  kept: Buffer | undefined;
  /** Since it was last synced. */
  changes: Change[];
  /** Made or taken away since its folder was last synced. */
  name: 'sure' | 'made' | 'gone';
}

/** Sectors are written whole, pages are not. */
const sectorBytes = 512;

/**
 * Returns the content that a disk may hold after a power cut before the event with this number: everything that was
 * synced, and a random half of the rest, in no order, some of it torn.
 *
 * @param before Content at the start.
 */
export function powerCut(
  events: readonly DiskEvent[],
  count: number,
  before: ReadonlyMap<string, Buffer>,
  random: () => number,
): Map<string, Buffer> {
  const files = new Map<string, File>();
  for (const [path, kept] of before) files.set(path, { kept, changes: [], name: 'sure' });
  for (const event of events.slice(0, count)) happen(files, event);
  const image = new Map<string, Buffer>();
  for (const [path, file] of files) {
    const survives = file.name === 'sure' || random() < 0.5;
    if (survives) image.set(path, survivor(file, random));
  }
  return image;
}

function happen(files: Map<string, File>, event: DiskEvent): void {
  if (event.type === 'sent') return;
  const file = files.get(event.path);
  if (event.type === 'create') {
    // A deleted file of this name may come back instead: for this test, that equals a name without content.
    if (!file || file.name === 'gone') files.set(event.path, { kept: undefined, changes: [], name: 'made' });
  } else if (event.type === 'unlink') {
    if (file) file.name = 'gone';
  } else if (event.type === 'sync') {
    if (file) file.kept = survivorOfAll(file);
    if (file) file.changes = [];
    else syncFolder(files, event.path);
  } else if (file) file.changes.push(event);
}

function syncFolder(files: Map<string, File>, folder: string): void {
  for (const [path, file] of files) {
    if (path.slice(0, path.lastIndexOf('/')) !== folder) continue;
    if (file.name === 'gone') files.delete(path);
    else file.name = 'sure';
  }
}

const survivorOfAll = ({ kept, changes }: File): Buffer => changes.reduce(apply, kept ?? Buffer.alloc(0));

function survivor({ kept, changes }: File, random: () => number): Buffer {
  const some = changes.flatMap((change) => {
    const luck = random();
    if (luck < 0.5) return [];
    return [luck < 0.6 && change.type === 'write' ? torn(change, random) : change];
  });
  return some.reduce(apply, kept ?? Buffer.alloc(0));
}

function torn(change: Extract<Change, { type: 'write' }>, random: () => number): Change {
  const sectors = Math.ceil(change.bytes.length / sectorBytes);
  return { ...change, bytes: change.bytes.subarray(0, Math.floor(random() * sectors) * sectorBytes) };
}

function apply(content: Buffer, change: Change): Buffer {
  if (change.type === 'truncate') return resized(content, change.size);
  const grown = Buffer.from(resized(content, Math.max(content.length, change.offset + change.bytes.length)));
  change.bytes.copy(grown, change.offset);
  return grown;
}

function resized(content: Buffer, size: number): Buffer {
  if (size <= content.length) return content.subarray(0, size);
  return Buffer.concat([content, Buffer.alloc(size - content.length)]);
}
