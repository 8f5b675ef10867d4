import { existsSync } from 'node:fs';
import { compareMessage, muidAt } from '../../commands/compare.ts';
import { Overview } from '../../sandbox/overview.ts';
import type { RunState } from '../../viewer/shapes.ts';
import { createViewer, type Viewer } from '../../viewer/viewer.ts';

export interface OpenViewer {
  readonly page: Viewer;
  close(): void;
}

interface ViewerOptions {
  /** The sandbox's data file, opened once it is there and first asked for; none where messages are elsewhere. */
  readonly data: string | undefined;
  /** The import that is shown. */
  readonly run?: () => RunState;
  /** Called when a link has let a browser in, with the path that lets in the next one. */
  readonly onEntered?: (entrance: string) => void;
}

/** Opens the page that shows a sandbox's data file, for the caller that serves it. */
export async function openViewer({ data, run, onEntered }: ViewerOptions): Promise<OpenViewer> {
  let overview: Overview | undefined;
  const store = data === undefined ? undefined : storeOf(data);
  return {
    page: createViewer(
      {
        overview: () => {
          if (!overview && data !== undefined && existsSync(data)) overview = new Overview(data);
          return overview;
        },
        run,
        before: async (muid) =>
          store === undefined || !existsSync(store) ? null : ((await compareMessage(store, muid)) ?? null),
        muidAt: (place) => (store === undefined || !existsSync(store) ? undefined : muidAt(store, place)),
      },
      { onEntered },
    ),
    close: () => overview?.close(),
  };
}

/** The store that a sandbox's data file belongs to: `chatferry.sandbox.db` → `chatferry.db`. */
const storeOf = (data: string): string | undefined =>
  data.endsWith('.sandbox.db') ? data.replace(/\.sandbox\.db$/, '.db') : undefined;
