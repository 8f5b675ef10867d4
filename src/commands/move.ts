/** Moving messages and their files. Each function loads what does the work. */
import type { AboutKey } from '../delivery/ask-about-key.ts';
import type {
  Complete,
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
export const importExport = async (request: ImportRequest): Promise<Outcome> =>
  (await import('./move/import.ts')).importExport(request);

/** Asks a destination, to which nothing is planned yet, whether it takes the key. */
export const askAboutKey = async (request: Complete<ImportRequest>): Promise<AboutKey> =>
  (await import('./move/import.ts')).askAboutKey(request);

/**
 * Writes any export as records of our own, in the order in which it is read: a plan of the file is a plan of the export.
 * Whatever could not be read, and whatever a person should know, is a line too.
 *
 * A file appears under its name when it is whole, or not at all.
 *
 * @throws SourceError, UsageError, StoreError (the disk is full)
 */
export const convert = async (options: ConvertOptions): Promise<Conversion> =>
  (await import('./move/convert.ts')).convert(options);

/**
 * Writes the history that a provider gives over its API into a folder, which is an export. Killed at any moment, the same call continues.
 *
 * @throws UsageError, DestinationError if the provider stops us: the same call continues.
 */
export const fetchHistory = async (request: ProviderFetchRequest): Promise<ProviderFetched> =>
  (await import('./move/fetch-from-provider.ts')).fetchHistory(request);

/**
 * Copies the files of planned messages to their permanent location. The next import sends the new addresses.
 *
 * @throws UsageError, StoreError. A fault of a host or a location is an outcome.
 */
export const copyFiles = async (request: MediaRequest): Promise<CopiedFiles> =>
  (await import('./move/copy-files.ts')).copyFiles(request);

/**
 * Reads files back from their permanent location, and compares length and digest with what was written.
 *
 * @throws UsageError, StoreError. A location that cannot be read is an outcome.
 */
export const verifyFiles = async (request: VerifyMediaRequest): Promise<VerifiedFiles> =>
  (await import('./move/verify-files.ts')).verifyFiles(request);

/**
 * Deletes the files that copying wrote: those whose intent is in the store and whose content is still what was written.
 * Messages that were not sent yet wait until their files are copied again.
 *
 * @throws UsageError, StoreError. A fault of the location is an outcome.
 */
export const undoFiles = async (request: UndoMediaRequest): Promise<RemovedFiles> =>
  (await import('./move/undo-files.ts')).undoFiles(request);
