import type { ExportInput } from './export-input.ts';

const settings =
  /^chatferry\.(?:yaml|people\.csv|decisions\.json|mapping\.yaml|mapping\.rest\.yaml)(?:(?:\.\d+)?\.bak)?$/;
/** Held while the log of decisions is changed. */
const decisionsLock = 'chatferry.decisions.json.lock';
const stores = /^chatferry\.(?:(?:rehearsal\.)?(?:sandbox\.)?|jobs\.)db(-wal|-shm|-journal|\.lock)?$/;
/** The journal of `chatferry fetch`, in a folder that it writes: its manifest is next to it. */
const journal = /^\.chatferry-fetch\.(?:db(?:-wal|-shm|-journal|\.lock|\.lock-journal)?$|parts\/)/;
/** Files that were dropped into the page of `chatferry desk`: an export of their own, and those on their way there. */
const dropped = 'chatferry-desk.files';
const dropping = 'chatferry-desk.part';
const report = /^([^/]+)\.report$/;

/**
 * Returns whether a file was written by Chatferry in the folder in which it runs, under one of its default names:
 * configuration, mapping with their copies, table of people, log of decisions, stores, the folder of the report next to a store, and files that
 * were dropped into the page of `chatferry desk`. If that folder is
 * the export, these files are no part of it.
 *
 * @param path From the folder that was named, with forward slashes.
 * @param exists Whether the folder has a file of this name.
 * @returns `passing` for files that come and go next to a store, and the journal of a fetch; undefined for files that Chatferry did not write.
 */
export function ownFile(path: string, exists: (name: string) => boolean): 'lasting' | 'passing' | undefined {
  const store = stores.exec(path);
  const isFetchJournal = journal.test(path) && exists('chatferry-fetch.json');
  if (store?.[1] !== undefined || isFetchJournal || path === dropping || path === decisionsLock) return 'passing';
  const reported = report.exec(path)?.[1];
  const isOwn =
    store !== null || path === dropped || settings.test(path) || (reported !== undefined && exists(`${reported}.db`));
  return isOwn ? 'lasting' : undefined;
}

export const ownFileCode = 'own-file';

/** Those of some inputs, sorted. */
export const listOwnFiles = (inputs: readonly Pick<ExportInput, 'problems'>[]): readonly string[] =>
  inputs
    .flatMap(({ problems }) => problems)
    .flatMap(({ code, location }) => (code === ownFileCode ? [location.path] : []))
    .toSorted();
