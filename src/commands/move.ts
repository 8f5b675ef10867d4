/** Moving messages and their files. Each function loads what does the work. */
import type {
  ConvertOptions,
  ImportRequest,
  MediaRequest,
  ProviderFetchRequest,
  UndoMediaRequest,
  VerifyMediaRequest,
} from './requests.ts';
import type { Conversion, CopiedFiles, Outcome, ProviderFetched, RemovedFiles, VerifiedFiles } from './results.ts';

/**
 * Plans, sends and verifies. The same request continues after any interruption.
 *
 * @throws SourceError, UsageError, StoreError. A fault of the destination is an outcome.
 */
export async function importExport(request: ImportRequest): Promise<Outcome> {
  const importing = await import('./move/import.ts');
  return await importing.importExport(request);
}

/**
 * Writes any export as records of our own, in the order in which it is read: a plan of the file is a plan of the export.
 * Whatever could not be read, and whatever a person should know, is a line too.
 *
 * A file appears under its name when it is whole, or not at all.
 *
 * @throws SourceError, UsageError, StoreError (the disk is full)
 */
export async function convert(options: ConvertOptions): Promise<Conversion> {
  const converting = await import('./move/convert.ts');
  return await converting.convert(options);
}

/**
 * Writes the history that a provider gives over its API into a folder, which is an export. Killed at any moment, the same call continues.
 *
 * @throws UsageError, DestinationError if the provider stops us: the same call continues.
 */
export async function fetchHistory(request: ProviderFetchRequest): Promise<ProviderFetched> {
  const fetching = await import('./move/fetch-from-provider.ts');
  return await fetching.fetchHistory(request);
}

/**
 * Copies the files of planned messages to their permanent location. The next import sends the new addresses.
 *
 * @throws UsageError, StoreError. A fault of a host or a location is an outcome.
 */
export async function copyFiles(request: MediaRequest): Promise<CopiedFiles> {
  const copying = await import('./move/copy-files.ts');
  return await copying.copyFiles(request);
}

/**
 * Reads files back from their permanent location, and compares length and digest with what was written.
 *
 * @throws UsageError, StoreError. A location that cannot be read is an outcome.
 */
export async function verifyFiles(request: VerifyMediaRequest): Promise<VerifiedFiles> {
  const verifying = await import('./move/verify-files.ts');
  return await verifying.verifyFiles(request);
}

/**
 * Deletes the files that copying wrote: those whose intent is in the store and whose content is still what was written.
 * Messages that were not sent yet wait until their files are copied again.
 *
 * @throws UsageError, StoreError. A fault of the location is an outcome.
 */
export async function undoFiles(request: UndoMediaRequest): Promise<RemovedFiles> {
  const undoing = await import('./move/undo-files.ts');
  return await undoing.undoFiles(request);
}
