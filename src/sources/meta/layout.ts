import type { ExportInput } from '../../io/input/export-input.ts';
import { type SortedPaths, sortPaths, withoutClutter } from '../kit/files/paths.ts';
import { headBytes, decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';
import { isPart, numberOf } from './thread.ts';

const page = /(?:^|\/)message(?:_\d{1,4})?\.html$/;
/** Folders of a download in which chats are. Chats of groups are there under the number of each. */
const chatFolder = /(?:^|\/)(?:messages|your_group_messages)\//;
const settings = /(?:^|\/)messages\/(?:autofill_information|secret_conversations|secret_groups)\.json$/;
const encrypted = /^\s*\{\s*"participants"\s*:\s*\[\s*"/;

/** Words in the paths of files that may be threads, wherever a version of the download has them. */
const likely = /message|chat|conversation|thread|inbox|(?:^|[/_])groups?[/_]|encrypted|_\d{1,9}\.json$/i;

/** Number of files that are opened because their location suggests a thread. */
const peeksMax = 10_000;

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Folders that show which service an export comes from. */
const folders: Readonly<Record<string, RegExp>> = {
  messenger: /(?:^|\/)(?:your_instagram_activity|instagram-[^/]*)\//i,
  instagram: /(?:^|\/)(?:your_activity_across_facebook|your_facebook_activity|facebook-[^/]*)\//i,
};

/** Sorts the paths. Threads are in the order of their folders, in each the file with the latest messages first. */
export async function arrange(input: ExportInput, source: string): Promise<SortedPaths<'thread' | 'direct'>> {
  const paths = await input.paths();
  const flat = await flatThreads(input, paths);
  const isThread = (path: string) => isPart(path) || flat.get(path) === 'thread';
  const withThreads = new Set(paths.filter(isThread).map(folderOf));
  const hasRoot = paths.some((path) => chatFolder.test(path) && (isThread(path) || page.test(path)));
  const sorted = sortPaths(paths, (path) => {
    if (folders[source]?.test(path)) return ofOther(source, isThread(path) || flat.has(path) || page.test(path));
    if (isThread(path)) return 'thread' as const;
    if (flat.get(path) === 'direct') return 'direct' as const;
    if (page.test(path))
      return withThreads.has(folderOf(path)) ? { skip: 'The same as a page; the JSON is read' } : { chat: onlyPage };
    if (settings.test(path)) return { skip: 'Settings of the app; holds no messages' };
    const isInside = chatFolder.test(path) || [...withThreads].some((folder) => path.startsWith(folder));
    if (isInside) return /\.(?:json|html)$/i.test(path) ? undefined : { skip: 'File of a message, which names it' };
    return hasRoot ? { skip: 'Another part of the download; holds no messages' } : undefined;
  });
  const threads = [...sorted.of('thread')].sort(
    (a, b) => compare(folderOf(a), folderOf(b)) || numberOf(a) - numberOf(b) || compare(a, b),
  );
  return { ...sorted, of: (kind) => (kind === 'thread' ? threads : sorted.of(kind)) };
}

const onlyPage = 'A chat that is there only as a page (HTML): download it again as JSON';

/** Returns the verdict on a file of the other service. */
function ofOther(source: string, isChat: boolean): { readonly skip: string } | { readonly chat: string } {
  const [name, other] = source === 'messenger' ? ['Instagram', 'instagram'] : ['Messenger', 'messenger'];
  return isChat
    ? { chat: `A chat of ${name}: read it with --source ${other}` }
    : { skip: `A file of ${name}, which this source does not read` };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Files with other names that hold a thread (encrypted chats, chats of groups, files taken out of a download) or all conversations. */
async function flatThreads(
  input: ExportInput,
  paths: readonly string[],
): Promise<ReadonlyMap<string, 'thread' | 'direct'>> {
  const { own } = withoutClutter(paths);
  const beside = new Set(own.flatMap((path) => /^(?:.*\/)?(?=media\/[^/]+$)/.exec(path)?.[0] ?? []));
  const isLikely = (path: string) => {
    const folder = folderOf(path);
    return /\.json$/i.test(path) && !isPart(path) && (folder === '' || likely.test(path) || beside.has(folder));
  };
  const found = new Map<string, 'thread' | 'direct'>();
  for (const path of own.filter(isLikely).slice(0, peeksMax)) {
    const kind = await decideByOutline(input, path, headBytes, (outline) => recognise(path, outline));
    if (kind) found.set(path, kind);
  }
  return found;
}

function recognise(path: string, { head, outline }: FileOutline): 'thread' | 'direct' | undefined {
  // The reader says why nothing can be read.
  if (head === '') return /_\d{1,9}\.json$/i.test(path) ? 'thread' : undefined;
  const [top, row] = [outline.get(''), outline.get('/messages/*')];
  if (row?.has('sender_name') && row.has('timestamp_ms')) return 'thread';
  if (encrypted.test(head)) return 'thread';
  if (top?.has('conversation') && outline.get('/conversation/*')?.has('created_at')) return 'direct';
  const isNamed = row?.has('sender_name') || row?.has('senderName');
  return top?.has('participants') && isNamed && row?.has('timestamp') ? 'thread' : undefined;
}
