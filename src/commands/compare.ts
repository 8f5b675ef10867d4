import { openStoreToRead, type Store } from '../checkpoint/open.ts';
import type { MessageStory, ReadFile } from '../checkpoint/totals.ts';
import { addressKeptAs, isServerAddress } from '../io/input/server-input.ts';
import { rawRows } from '../io/raw-rows.ts';
import { ChatferryError } from '../lib/errors.ts';
import { hiddenCodes, placeOf, readInput } from '../report/excerpts.ts';
import { isDatabaseOf, rowOfDatabase } from './database-row.ts';

/** A message as it was before it was imported. */
export interface Before {
  /** `path:line` or `path#/pointer`. */
  readonly location: string;
  /** The row as the export has it; null if it is gone, has changed, or must not be shown. */
  readonly row: string | null;
  /** Why there is none, or what is to be known of it. */
  readonly why?: string;
  /** Content of the row that the service does not hold as such. */
  readonly losses: readonly { readonly what: string; readonly becomes: string }[];
}

/** UTF-16 units of a row that are shown. */
const shownMax = 200_000;
/** Bytes of its file that are searched; a row further on is not looked for. */
const bytesMax = 64 * 1024 * 1024;

/**
 * Returns the row of the export that became a message; undefined if the store has no such message.
 *
 * @param exports As they are configured, to ask a database on a server again. @throws StoreError
 */
export async function compareMessage(
  storePath: string,
  muid: string,
  exports: readonly string[] = [],
): Promise<Before | undefined> {
  const store = openStoreToRead(storePath);
  try {
    const story = store.totals.explainMessage(muid)[0];
    if (!story) return undefined;
    const read = await rowOf(store, story, exports);
    return { location: story.location, losses: lossesOf(story), ...read };
  } finally {
    store.close();
  }
}

/** The muid of the message at a place of the export, as reports print it: `general/2024-03-01.json#/4`. @throws StoreError */
export function muidAt(storePath: string, place: string): string | undefined {
  const store = openStoreToRead(storePath);
  try {
    return store.totals.explainMessage(place)[0]?.muid ?? undefined;
  } finally {
    store.close();
  }
}

const missing = (why: string) => ({ row: null, why });

/** Why the row of a note, or of a deleted message, is not shown. */
export const hiddenWhy = 'The row has something that few may read.';

/** Returns why the row at a location must not be shown; undefined if it may. */
export function whyHidden(store: Store, location: string): string | undefined {
  if (store.readMeta('contentPurged') !== undefined) return 'Content was purged: the export is not shown.';
  if (store.totals.placesWith(hiddenCodes, [location]).length > 0) return hiddenWhy;
  return undefined;
}

type Place = Pick<MessageStory, 'location' | 'path' | 'input' | 'inputSource'>;

/**
 * Returns the row at a place of the export that the store was planned from: as it is in the file, or the columns of a table as JSON.
 *
 * @param exports As they are configured, to ask a database on a server again.
 */
export async function rowOf(
  store: Store,
  story: Place,
  exports: readonly string[],
): Promise<Pick<Before, 'row' | 'why'>> {
  const hidden = whyHidden(store, story.location);
  if (hidden !== undefined) return missing(hidden);
  const files = store.totals.filesOfPaths([story.path]).filter(({ input }) => input === story.input);
  if (files.length === 0) return missing('The place of the row is not known.');
  const columns = () => rowOfDatabase(store, story, { files, exports, bytesMax });
  if (isServerAddress(story.input)) {
    if (addressKeptAs(story.input, exports) === undefined)
      return missing('The row is in a database on a server, and nothing here says with which user to ask it.');
    const row = await columns();
    if (row === undefined)
      return missing('The row is gone from the server, or the server cannot be asked for one row.');
    return { row, why: 'As the server has it now.' };
  }
  const row = (isDatabaseOf(store, story) ? undefined : await rowOfFile(story, files)) ?? (await columns());
  return row === undefined
    ? missing('The export is missing or has changed, or the row is too far into the file.')
    : { row };
}

async function rowOfFile({ location, path, input }: Place, files: readonly ReadFile[]): Promise<string | undefined> {
  const [wanted] = placeOf(location);
  if (!wanted) return undefined;
  const options = { places: [wanted.place], shownMax, bytesMax };
  let row: string | undefined;
  try {
    await readInput(input, files, async (opened) => {
      row = (await rawRows(opened, path, options)).get(wanted.place);
    });
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
  }
  return row;
}

/** By key of the metadata of an import: what it says of the message, and what became of that. */
const kinds: Readonly<Record<string, readonly [what: string, becomes: string]>> = {
  thread: ['a reply in a thread', 'an ordinary message of the conversation; the thread is kept in metadata'],
  broadcast: ['shown in the conversation as well', 'shown once; marked in metadata'],
  quote: ['quotes another message', 'kept in metadata'],
  reactions: ['reactions', 'kept in metadata, with who gave them; not shown as reactions'],
  edited: ['edited', 'sent as last edited; marked in metadata'],
  pinned: ['pinned', 'marked in metadata'],
  deleted: ['deleted at the source', 'the remaining content; marked in metadata'],
  system: ['a line of the old system', 'an ordinary message; the event is kept in metadata'],
  truncated: ['a text that is too long', 'cut; its length is kept in metadata'],
  parts: ['a text that is too long', 'several messages'],
  files: ['files without an address', 'their names are kept in metadata'],
  mentions: ['mentions', '@Name in the text; uids in metadata'],
  links: ['links into the old system', 'the same addresses; the keys of the messages are in metadata'],
  custom: ['facts that have no field', 'kept in metadata'],
  dropped: ['more metadata than the service takes', 'a part of it is left out'],
};

function lossesOf({ payload, sentAtMs }: MessageStory): Before['losses'] {
  const kept: object = JSON.parse(payload ?? '{}').data?.metadata?.chatferry ?? {};
  const found = Object.keys(kept).flatMap((key) => (Object.hasOwn(kinds, key) ? [kinds[key]!] : []));
  if (sentAtMs !== null && sentAtMs % 1000 !== 0)
    found.push(['a part of a second', 'whole seconds; the order is kept by sending them in order']);
  return found.map(([what, becomes]) => ({ what, becomes }));
}
