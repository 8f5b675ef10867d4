import type { Entry } from '../../model/entry.ts';
import type { ReadContext, ReadSource, SourceAdapter } from '../source.ts';
import { withoutClutter } from './files/paths.ts';

type Probe = SourceAdapter['probe'];

/** The `read` of a source, in a module that only a command which reads this source loads. */
export const lateRead = <Options, Context extends ReadContext>(
  load: () => Promise<{ readonly read: ReadSource<Options, Context> }>,
) =>
  async function* (...request: Parameters<ReadSource<Options, Context>>): AsyncGenerator<readonly Entry[]> {
    const [, , { signal }] = request;
    signal.throwIfAborted();
    yield* (await load()).read(...request);
  };

/**
 * A probe that needs much of what reads the format: loaded for an export that has a file with such a name, or one file alone.
 *
 * @param named At least the names of all files that the probe opens.
 */
export const lateProbe =
  (named: RegExp, load: () => Promise<{ readonly probe: Probe }>): Probe =>
  async (input) => {
    const { own } = withoutClutter(await input.paths());
    return own.length <= 1 || own.some((path) => named.test(path)) ? (await load()).probe(input) : { match: 'no' };
  };
