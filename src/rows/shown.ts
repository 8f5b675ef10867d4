import { existsSync } from 'node:fs';
import { readStore, openStoreToRead } from '../store/open.ts';
import type { MessageStory } from '../store/totals.ts';
import { readRow } from './row-text.ts';
import { Overview } from '../sandbox/overview.ts';
import type { RunState } from '../viewer/shapes.ts';
import type { Shown } from '../viewer/viewer-data.ts';

/** Data of a page that shows chats. The caller closes it. */
export interface ShownSandbox extends Shown {
  close(): void;
}

interface ShownOptions {
  readonly run?: (() => RunState) | undefined;
  /** The exports as they are configured, to ask a database on a server for rows. */
  readonly exports?: (() => readonly string[]) | undefined;
}

/**
 * Shows a sandbox's data file, and next to its messages the rows of the store that it belongs to.
 *
 * @param data Opened once it is there and first asked for; undefined if messages are elsewhere.
 */
export function shownSandbox(data: string | undefined, { run, exports = () => [] }: ShownOptions = {}): ShownSandbox {
  let overview: Overview | undefined;
  const store = data === undefined ? undefined : storePathFor(data);
  return {
    overview: () => {
      if (!overview && data !== undefined && existsSync(data)) overview = new Overview(data);
      return overview;
    },
    run,
    before: async (muid) =>
      store === undefined || !existsSync(store) ? null : ((await compareMessage(store, muid, exports())) ?? null),
    muidAt: (place) => (store === undefined || !existsSync(store) ? undefined : muidAt(store, place)),
    close: () => overview?.close(),
  };
}

/** The store that a sandbox's data file belongs to: `chatferry.sandbox.db` → `chatferry.db`. */
const storePathFor = (data: string): string | undefined =>
  data.endsWith('.sandbox.db') ? data.replace(/\.sandbox\.db$/, '.db') : undefined;

/** A message as it was before it was imported. */
type Before = NonNullable<Awaited<ReturnType<NonNullable<Shown['before']>>>>;

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
    const story = store.totals.explain(muid)[0];
    return story && { location: story.location, losses: listLosses(story), ...(await readRow(store, story, exports)) };
  } finally {
    store.close();
  }
}

/** The muid of the message at a place of the export, as reports print it: `general/2024-03-01.json#/4`. @throws StoreError */
const muidAt = (storePath: string, place: string): string | undefined =>
  readStore(storePath, (store) => store.totals.explain(place)[0]?.muid ?? undefined);

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

function listLosses({ payload, sentAtMs }: MessageStory): Before['losses'] {
  const kept: object = JSON.parse(payload ?? '{}').data?.metadata?.chatferry ?? {};
  const found = Object.keys(kept).flatMap((key) => (Object.hasOwn(kinds, key) ? [kinds[key]!] : []));
  if (sentAtMs !== null && sentAtMs % 1000 !== 0)
    found.push(['a part of a second', 'whole seconds; the order is kept by sending them in order']);
  return found.map(([what, becomes]) => ({ what, becomes }));
}
