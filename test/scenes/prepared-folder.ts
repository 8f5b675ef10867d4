import { cpSync, rmSync } from 'node:fs';

/** A folder that is prepared by the first call, and put back as it was then by each further one. For tests that run one after another. */
export function preparedFolder(make: () => string, prepare: (folder: string) => Promise<void>): () => Promise<string> {
  let folder: string | undefined;
  let copy: string;
  return async () => {
    if (folder === undefined) {
      const made = make();
      await prepare(made);
      copy = make();
      cpSync(made, copy, { recursive: true, preserveTimestamps: true });
      folder = made;
    } else {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true, preserveTimestamps: true });
    }
    return folder;
  };
}
