import { SourceError } from '../../lib/errors.ts';
import type { LocationMemory } from '../state/location-memory.ts';
import type { KeptFile, SavedFile } from './kept-file.ts';
import type { Obtained } from './location.ts';

/** What is remembered of a file that is received anew at every run. Extended by who receives it. */
export type FileMemory = Partial<SavedFile>;

/**
 * Receives a file and puts it into its place, unless that holds the same bytes already: then it stays as it is, and the plan
 * does not read it again.
 *
 * Between the exchange and the end of the plan nothing is remembered: whoever is killed there receives it once more.
 *
 * @param receive Writes into the file's temporary one. @param facts To be remembered once a plan has read it.
 */
export async function receiveFile<Facts extends object>(
  file: KeptFile,
  memory: LocationMemory<FileMemory & Partial<Facts>>,
  facts: Facts,
  receive: () => Promise<SavedFile>,
): Promise<Obtained> {
  const before = memory.read();
  let saved: SavedFile;
  try {
    saved = await receive();
    if (saved.sizeBytes === 0) throw nothingReceived(file);
  } catch (error) {
    await file.discard();
    throw error;
  }
  const isSame = before?.digest === saved.digest && file.sizeBytes() === saved.sizeBytes;
  if (isSame) await file.discard();
  else {
    memory.write({});
    await file.replace();
  }
  return { takes: [{ exports: [file.path], taken: () => memory.write({ ...facts, ...saved }) }], failures: [] };
}

/** An export of nothing would say that everything was deleted at the source. */
const nothingReceived = ({ path }: KeptFile) =>
  new SourceError(`Cannot use what was received for "${path}": it is empty`, {
    hint: 'The last export stays as it is; the next run tries again',
  });
