import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { partialEntry } from '../kit/entries.ts';
import { headText } from '../kit/files/file-bytes.ts';

/** The fields before the rows have some hundred bytes; the first row says its chat. */
const headBytes = 16 * 1024;

const front = /^\ufeff?\s{0,100}\{([^[\]{}]{0,8000})"value"\s{0,20}:\s{0,20}\[/;
const next = /"@odata\.nextLink"\s{0,20}:\s{0,20}"/;
const context = /"@odata\.context"\s{0,20}:\s{0,20}"([^"]{1,2000})"/;
const chat = /"(?:chatId|channelId)"\s{0,20}:\s{0,20}"([^"]{1,500})"/i;

/**
 * Lists whose last page was not saved, each said at the last of its pages: every page has an address under which more is. Pages are of one
 * list if Graph says the same of what they are, or if their first rows are of one chat.
 *
 * Reads 16 KiB of each file.
 *
 * @param paths Files that may be pages, each in a file of its own.
 */
export async function unfinishedLists(
  input: ExportInput,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  const open = new Map<string, string>();
  const finished = new Set<string>();
  for (const path of paths) {
    const head = await headText(input, path, headBytes);
    const fields = front.exec(head)?.[1];
    if (fields === undefined) continue;
    const list = context.exec(fields)?.[1] ?? chat.exec(head)?.[1] ?? path;
    if (next.test(fields)) open.set(list, path);
    else finished.add(list);
  }
  return new Map(
    [...open].filter(([list]) => !finished.has(list)).map(([, path]) => [path, unfinishedEntry({ path })] as const),
  );
}

export const unfinishedEntry = (location: Location): Entry =>
  partialEntry(
    '"@odata.nextLink" says that the server has more behind this page, and no page of the export is the last one',
    location,
  );
