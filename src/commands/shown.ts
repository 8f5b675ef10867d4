import { existsSync } from 'node:fs';
import { Overview } from '../sandbox/overview.ts';
import type { RunState } from '../viewer/shapes.ts';
import type { Shown } from '../viewer/viewer-data.ts';
import { compareMessage, muidAt } from './compare.ts';

/** Data of a page that shows chats. The caller closes it. */
export interface ShownSandbox extends Shown {
  close(): void;
}

interface ShownOptions {
  /** The import that is shown. */
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
  const store = data === undefined ? undefined : storeOf(data);
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
const storeOf = (data: string): string | undefined =>
  data.endsWith('.sandbox.db') ? data.replace(/\.sandbox\.db$/, '.db') : undefined;
