import { shownSandbox } from '../../rows/shown.ts';
import type { RunState } from '../../viewer/shapes.ts';
import { createViewer, type Viewer } from '../../viewer/viewer.ts';

export interface OpenViewer {
  readonly page: Viewer;
  close(): void;
}

interface ViewerOptions {
  /** The sandbox's data file, opened once it is there and first asked for; none where messages are elsewhere. */
  readonly data: string | undefined;
  readonly run?: () => RunState;
  /** The exports as they are configured: a database on a server is asked for rows. */
  readonly exports?: () => readonly string[];
  /** Called when a link has let a browser in, with the path that lets in the next one. */
  readonly onEntered?: (entrance: string) => void;
}

export async function openViewer({ data, run, exports, onEntered }: ViewerOptions): Promise<OpenViewer> {
  const shown = shownSandbox(data, { run, exports });
  return { page: createViewer(shown, { onEntered }), close: () => shown.close() };
}
