import type { ExportInput } from './export-input.ts';

const settings = /^chatferry\.(?:yaml|mapping\.yaml|mapping\.rest\.yaml)(?:(?:\.\d+)?\.bak)?$/;
const stores = /^chatferry\.(?:sandbox\.|jobs\.)?db(-wal|-shm|-journal|\.lock)?$/;
const report = /^([^/]+)\.report$/;

/**
 * What Chatferry writes into the folder in which it runs, under the names that it takes by itself: configuration and mapping with their
 * copies, stores, and the folder of the report beside a store. Where that folder is the export they are no part of it.
 *
 * @param path From the folder that was named, with forward slashes.
 * @param exists Whether the folder has a file of this name.
 * @returns `passing` for what comes and goes beside a store; undefined for what somebody else wrote.
 */
export function ownFile(path: string, exists: (name: string) => boolean): 'lasting' | 'passing' | undefined {
  const store = stores.exec(path);
  if (store?.[1] !== undefined) return 'passing';
  const reported = report.exec(path)?.[1];
  const isOwn = store !== null || settings.test(path) || (reported !== undefined && exists(`${reported}.db`));
  return isOwn ? 'lasting' : undefined;
}

/** The code under which they are listed. */
export const ownFileCode = 'own-file';

/** Those of some inputs, sorted. */
export const ownFilesOf = (inputs: readonly Pick<ExportInput, 'problems'>[]): readonly string[] =>
  inputs
    .flatMap(({ problems }) => problems)
    .flatMap(({ code, location }) => (code === ownFileCode ? [location.path] : []))
    .toSorted();
