import type { SourceAdapter } from '../source.ts';
import { withoutClutter } from './files/paths.ts';

type Probe = SourceAdapter['probe'];

/**
 * For a probe that needs much of what reads the format: loaded for an export that has a file with such a name, or one file alone.
 *
 * @param named At least the names of all files that the probe opens.
 */
export const lateProbe =
  (named: RegExp, load: () => Promise<{ readonly probe: Probe }>): Probe =>
  async (input) => {
    const { own } = withoutClutter(await input.paths());
    return own.length <= 1 || own.some((path) => named.test(path)) ? (await load()).probe(input) : { match: 'no' };
  };
