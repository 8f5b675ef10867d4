import { type Viewer, viewerPrefix } from '../sandbox/serve.ts';
import { createFront, type FrontOptions } from './front.ts';
import { type Shown, viewerData } from './viewer-data.ts';

export type { Viewer };

/** Begin of the paths under which the page asks for data. */
const dataPath = '/data/';

/**
 * Serves the page and the data that it shows: by GET alone, without a key of the service, and to browsers that were let in, each by a
 * link of its own. The sandbox is read by a connection that cannot write, so that nothing a page does can change it.
 */
export function createViewer(shown: Shown, { onEntered }: Pick<FrontOptions, 'onEntered'> = {}): Viewer {
  const data = viewerData(shown);
  return createFront({
    name: 'viewer',
    base: `${viewerPrefix}/data`,
    methods: ['GET'],
    onEntered,
    answer: async ({ path, search }) =>
      path.startsWith(dataPath) ? await data(path.slice(dataPath.length), search) : undefined,
  });
}
