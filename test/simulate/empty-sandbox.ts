import { openSandboxStore, type SandboxStore } from '../../src/sandbox/store.ts';
import { openImage } from './database-image.ts';

let image: Buffer | undefined;

/** Data of a sandbox in which nothing is yet. Its tables are made once per process: that takes as long as a small import. */
export function emptySandbox(): SandboxStore {
  if (!image) {
    const store = openSandboxStore(':memory:');
    image = store.db.serialize();
    store.close();
  }
  const db = openImage(image);
  return { path: ':memory:', id: 'simulated', db, close: () => db.close() };
}
