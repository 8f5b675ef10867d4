import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { inLists } from '../kit/entries.ts';
import { localFiles } from '../kit/local-files.ts';
import { Heads, type Marks } from '../kit/marks.ts';
import { leftOut, type PathVerdict, sortPaths } from '../kit/paths.ts';
import { readRowFiles } from '../kit/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { type ExportContext, readChannelFile } from './channel-file.ts';
import { discordCodes } from './codes.ts';
import { type DiscordOptions, discordOptionsSchema } from './options.ts';

/** Exports of Discord's channels by DiscordChatExporter, as `format.ts` says. */
export const discord = defineSource({
  name: 'discord',
  title: 'Discord (DiscordChatExporter)',
  what: 'channels, threads and direct messages of Discord, as DiscordChatExporter writes them in JSON: a folder, a ZIP, or single files',
  notes: 'threads, cards of apps, files beside the export',
  sortKeys: 'always',
  describes: 'repeatedly',
  options: discordOptionsSchema,
  codes: discordCodes,
  probe,
  read,
});

const channelMarks: Marks = {
  objects: [
    { at: '', keys: ['guild', 'channel', 'messages'] },
    { at: '/guild', keys: ['id', 'name'] },
    { at: '/channel', keys: ['id', 'name', 'type'] },
  ],
};

/** Reads the beginnings of at most six files. */
async function probe(input: ExportInput): Promise<Probe> {
  const because = await new Heads(input).find(channelMarks);
  return because === undefined ? { match: 'no' } : { match: 'certain', because };
}

type Kind = 'channel';

/** A file that stands alone may be called anything. */
function verdictOf(path: string, isAlone: boolean): PathVerdict<Kind> {
  if (/_Files\/[^/]+$/.test(path))
    return { skip: 'Copy of a file, an avatar or an emoji; messages name those that they have' };
  return isAlone || /\.json$/i.test(path) ? 'channel' : undefined;
}

async function* read(
  input: ExportInput,
  options: DiscordOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  const paths = await input.paths();
  const sorted = sortPaths(paths, (path) => verdictOf(path, paths.length === 1));
  yield* inLists(leftOut(sorted));
  const beside = new Map<string, ReturnType<typeof localFiles>>();
  const shared: ExportContext = {
    ...options,
    workspace: context.workspace ?? '',
    paths: sorted.of('channel'),
    filesBeside(path) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const files = beside.get(folder) ?? localFiles(input, folder);
      beside.set(folder, files);
      return files;
    },
  };
  yield* readRowFiles({ paths: sorted.of('channel'), context, read: (path) => readChannelFile(input, path, shared) });
}
