import { z } from 'zod';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { expectedJsonLines, expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { leftOut, type PathVerdict, sortPaths, withoutClutter, wrapperOf } from '../kit/files/paths.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { mattermostCodes } from './codes.ts';
import { FileReader } from './file-reader.ts';

/** Bulk exports of a Mattermost server, as `format.ts` says. */
export const mattermost = defineSource({
  name: 'mattermost',
  title: 'Mattermost bulk export (JSON lines; folder or ZIP)',
  what: 'bulk exports of a Mattermost server, JSON lines, ZIP or folder: channels, direct and group messages, threads, files',
  notes: 'ids without ids, replies, every field',
  sortKeys: 'always',
  options: z.strictObject({}),
  codes: mattermostCodes,
  probe,
  read,
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

/**
 * Sorts the files. The export's lines are at the top: `.jsonl`, in older ones `export.json`. Deeper files were sent by
 * people, whatever their names are.
 */
function arrange(paths: readonly string[]) {
  const { own } = withoutClutter(paths);
  const isLines = (path: string) => /^[^/]+\.(?:jsonl|ndjson)$/i.test(path);
  const isOlder = (path: string) => /^[^/]+\.json$/i.test(path);
  const isTop = own.some((path) => !path.includes('/') && (isLines(path) || isOlder(path)));
  const wrapper = isTop || own.length === 1 ? '' : wrapperOf(own, isLines) || wrapperOf(own, isOlder);
  const isRead = wrapper !== undefined && own.some((path) => isLines(path.slice(wrapper.length))) ? isLines : isOlder;
  const sorted = sortPaths(paths, (path): PathVerdict<'lines'> => {
    if (wrapper === undefined || !path.startsWith(wrapper)) return undefined;
    const inside = path.slice(wrapper.length);
    if (own.length === 1 || isRead(inside)) return 'lines';
    if (inside.startsWith('data/')) return { skip: 'A file or a picture; posts and people name it' };
    return inside === 'warnings.txt'
      ? { skip: 'Warnings of the server about its export; holds no messages' }
      : undefined;
  });
  return { wrapper: wrapper ?? '', sorted };
}

async function* read(exported: ExportInput, _options: object, context: ReadContext): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const input = expectFiles(exported, (path) =>
    /\.(?:jsonl|ndjson|json)$/i.test(path) ? expectedJsonLines : undefined,
  );
  const { wrapper, sorted } = arrange(await input.paths());
  yield* inLists(leftOut(sorted));
  const files = await localFiles(input, wrapper);
  yield* readRowFiles({
    paths: sorted.of('lines'),
    context,
    read: (path) => {
      const reader = new FileReader(path, context.workspace ?? '', files);
      return readJsonEntries(input, path, { layout: 'lines' }, reader);
    },
  });
}
