export interface PickedFile {
  /** Path from what was dropped: `export/general/2026-03-02.json`. */
  readonly name: string;
  readonly file: File;
}

/** The program takes no more. */
const filesMax = 20_000;

/**
 * Returns the files of a drop, with those in its folders. To be called in the event itself: afterwards the browser has
 * forgotten what was dropped.
 *
 * @throws Error with a sentence for people.
 */
export function readDrop({ items }: DataTransfer): Promise<readonly PickedFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return filesBelow(entries);
}

async function filesBelow(entries: readonly FileSystemEntry[]): Promise<readonly PickedFile[]> {
  const found: PickedFile[] = [];
  const pending = [...entries];
  for (let entry = pending.shift(); entry !== undefined; entry = pending.shift()) {
    if (isFolder(entry)) pending.push(...(await readAllEntries(entry)));
    else found.push({ name: entry.fullPath.replace(/^\//, ''), file: await toFile(entry as FileSystemFileEntry) });
    if (found.length > filesMax) throw tooMany();
  }
  return found;
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A browser gives some hundred at a time, and none at the end. */
async function readAllEntries(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, () => reject(unreadable(folder.name))),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const toFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, () => reject(unreadable(entry.name))));

/** The files that were picked with a button. @throws Error with a sentence for people. */
export function readInput(files: FileList): readonly PickedFile[] {
  if (files.length > filesMax) throw tooMany();
  return [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

const tooMany = () => new Error(`These are more than ${filesMax} files: pass the path in the terminal instead`);

export const unreadable = (name: string) => new Error(`The browser cannot read ${JSON.stringify(name)}`);
