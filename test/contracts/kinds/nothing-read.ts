import { onePerSource, type Sample } from '../samples.ts';
import type { Kind } from './kind.ts';

/** The first sample of each source, in which every file of messages gets another content. */
export const nothingRead: Kind<Sample> = {
  name: 'exports of which nothing can be read',
  cases: Object.fromEntries(
    onePerSource()
      .filter(({ source }) => source !== 'database')
      .map((sample) => [sample.source, [sample]]),
  ),
  without: {
    database: 'A file that holds something else is no database: it cannot be opened',
  },
};
