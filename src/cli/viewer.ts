import { existsSync } from 'node:fs';
import { Overview } from '../sandbox/data/overview/overview.ts';
import { createViewer, type Viewer } from '../sandbox/viewer/viewer.ts';

export interface OpenViewer {
  readonly page: Viewer;
  close(): void;
}

interface ViewerOptions {
  /** The sandbox's data file; opened once it is there and first asked for. */
  readonly data: string;
}

/** The page that shows a sandbox's data file, for whoever serves it. */
export async function openViewer({ data }: ViewerOptions): Promise<OpenViewer> {
  let overview: Overview | undefined;
  return {
    page: createViewer({
      overview: () => {
        if (!overview && existsSync(data)) overview = new Overview(data);
        return overview;
      },
    }),
    close: () => overview?.close(),
  };
}
