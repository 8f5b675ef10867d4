import { noOptions } from '../kit/options.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource, type Probe } from '../source.ts';
import { mattermostCodes } from './codes.ts';
import { arrange } from './layout.ts';

/** Bulk exports of a Mattermost server, as `format.ts` says. */
export const mattermost = defineSource({
  name: 'mattermost',
  title: 'Mattermost bulk export (JSON lines; folder or ZIP)',
  options: noOptions,
  codes: mattermostCodes,
  probe,
  read: lateRead(() => import('./read.ts')),
});

const headBytes = 16 * 1024;

const filesMax = 3;

/** The first line of every bulk export, and lines that only such a one has, for parts of one. */
const marks =
  /^(?:\xef\xbb\xbf)?\s*\{\s*"(?:type"\s*:\s*"(?:version"\s*,\s*"version"\s*:\s*\d|(post|direct_post|direct_channel)"\s*,\s*"\1"\s*:\s*\{)|version"\s*:\s*\d+\s*,\s*"type"\s*:\s*"version")/;

/** Certain if one of the first files at the top has a line of a bulk export. Reads the beginnings of at most three. */
async function probe(input: ExportInput): Promise<Probe> {
  const { sorted } = arrange(await input.paths());
  for (const path of sorted.of('lines').slice(0, filesMax)) {
    const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1');
    if (head.split('\n').some((line) => marks.test(line)))
      return { match: 'certain', because: `lines of a Mattermost bulk export in "${path}"` };
  }
  return { match: 'no' };
}
