import type { ExportInput } from '../../io/input/export-input.ts';
import { headText } from '../kit/files/file-bytes.ts';
import type { Probe } from '../source.ts';
import { fittingDialects, triedLines } from './choose.ts';
import { readLogName } from './logs.ts';

/**
 * Looks at the beginnings of at most six logs. Certain if a channel's name, a line that says the day or the mark of a program is there as
 * well; without, a table of times, names and words would do.
 */
export async function probe(input: ExportInput): Promise<Probe> {
  const candidates = (await input.paths()).map((path) => ({ path, log: readLogName(path) }));
  const named = candidates.filter(({ log }) => log && !('skip' in log) && log.isNamedLikeLog);
  const others = candidates.filter(({ log }) => log && !('skip' in log) && !log.isNamedLikeLog);
  const paths = [...named.slice(0, 3), ...others.slice(0, 3)].map(({ path }) => path);
  for (const path of paths) {
    const text = await headText(input, path, headBytes);
    const [best] = fittingDialects(path, text.split(/\r?\n/).slice(0, triedLines));
    if (!best || best.fits < best.others || best.messages + best.events === 0) continue;
    const isCertain = /[#&]/.test(path) || best.isCertain;
    return { match: isCertain ? 'certain' : 'likely', because: `lines of an IRC log in "${path}"` };
  }
  return { match: 'no' };
}

const headBytes = 16 * 1024;
