import type { ExportInput } from '../../io/input/export-input.ts';
import { type SortedPaths, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { decideByOutline } from '../kit/rows/whole-outline.ts';
import { numberOf } from './thread-file.ts';

const part = /(?:^|\/)message_\d{1,4}\.json$/;
const page = /(?:^|\/)message_\d{1,4}\.html$/;
const settings = /(?:^|\/)messages\/(?:autofill_information|secret_conversations|secret_groups)\.json$/;
const encrypted = /^\s*\{\s*"participants"\s*:\s*\[\s*"/;

const headBytes = 64 * 1024;
/** Files that may be threads by where they stand, and are looked into. */
const looksMax = 10_000;

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Whose folders they are, where they say it. */
const folders: Readonly<Record<string, RegExp>> = {
  messenger: /(?:^|\/)(?:your_instagram_activity|instagram-[^/]*)\//i,
  instagram: /(?:^|\/)(?:your_activity_across_facebook|your_facebook_activity|facebook-[^/]*)\//i,
};

/** What becomes of each path. Threads in the order of their folders, in each the file with the latest messages first. */
export async function arrange(input: ExportInput, source: string): Promise<SortedPaths<'thread'>> {
  const paths = await input.paths();
  const flat = await flatThreads(input, paths);
  const isThread = (path: string) => part.test(path) || flat.has(path);
  const withThreads = new Set(paths.filter(isThread).map(folderOf));
  const hasRoot = paths.some((path) => /(?:^|\/)messages\//.test(path) && (isThread(path) || page.test(path)));
  const sorted = sortPaths(paths, (path) => {
    if (folders[source]?.test(path)) return { skip: 'Of the other service: read it with its own source' };
    if (isThread(path)) return 'thread' as const;
    if (page.test(path))
      return withThreads.has(folderOf(path)) ? { skip: 'The same as a page; the JSON is read' } : undefined;
    if (settings.test(path)) return { skip: 'Settings of the app; holds no messages' };
    const isInside = /(?:^|\/)messages\//.test(path) || [...withThreads].some((folder) => path.startsWith(folder));
    if (isInside) return /\.(?:json|html)$/i.test(path) ? undefined : { skip: 'File of a message, which names it' };
    return hasRoot ? { skip: 'Another part of the download; holds no messages' } : undefined;
  });
  const threads = [...sorted.of('thread')].sort(
    (a, b) => compare(folderOf(a), folderOf(b)) || numberOf(a) - numberOf(b) || compare(a, b),
  );
  return { ...sorted, of: () => threads };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Files of threads that are called otherwise: of encrypted chats, and those that somebody took out of a download. */
async function flatThreads(input: ExportInput, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const { own } = withoutClutter(paths);
  const beside = new Set(own.flatMap((path) => /^(?:.*\/)?(?=media\/[^/]+$)/.exec(path)?.[0] ?? []));
  const isLikely = (path: string) => {
    const folder = folderOf(path);
    return (
      /\.json$/i.test(path) &&
      !part.test(path) &&
      (folder === '' || /(?:^|\/)messages\/$/.test(folder) || beside.has(folder))
    );
  };
  const found = new Set<string>();
  for (const path of own.filter(isLikely).slice(0, looksMax)) {
    const isThread = await decideByOutline(input, path, headBytes, ({ head, outline }): true | undefined => {
      // Whoever reads it says why nothing can be read.
      if (head === '' && /_\d{1,9}\.json$/i.test(path)) return true;
      if (encrypted.test(head) || (head.includes('"sender_name"') && head.includes('"timestamp_ms"'))) return true;
      const [top, row] = [outline.get(''), outline.get('/messages/*')];
      if (row?.has('sender_name') && row.has('timestamp_ms')) return true;
      return top?.has('participants') && row?.has('senderName') && row.has('timestamp') ? true : undefined;
    });
    if (isThread) found.add(path);
  }
  return found;
}
