import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { inLists } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { localFiles } from '../kit/files/local-files.ts';
import { leftOut, type PathVerdict } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { findAnswerLayout } from '../kit/rows/answer-layout.ts';
import type { ReadSource } from '../source.ts';
import { type ExportContext, learnFrom, newCounts, readAnswers } from './answer-file.ts';
import { Directory } from './directory.ts';
import { recogniseTwilio, twilioLists } from './format.ts';
import { AnswerPages } from './pages.ts';

const mediaSid = /(?<![0-9A-Za-z])ME[0-9a-f]{32}(?![0-9A-Za-z])/;

const order = ['people', 'members', 'conversations', 'media'] as const;

async function arrangeWithMedia(exported: ExportInput) {
  const media = new Map<string, string>();
  const arranged = await arrange(exported, {
    findLayout: (input, path) => findAnswerLayout(input, path, { lists: twilioLists, kindOf: recogniseTwilio }),
    verdict(layout, path): PathVerdict<'messages' | (typeof order)[number]> {
      const kinds = layout?.kinds;
      if (kinds) return kinds.has('messages') ? 'messages' : order.find((kind) => kinds.has(kind));
      const sid = mediaSid.exec(path)?.[0];
      if (sid === undefined) return undefined;
      media.set(sid, path);
      return { skip: 'A file that was sent; messages name it' };
    },
  });
  return { ...arranged, media };
}

export const read: ReadSource = async function* (exported, _options, context) {
  const { input, sorted, layouts, media } = await arrangeWithMedia(exported);
  yield* inLists(leftOut(sorted));
  const counts = newCounts();
  const directory = new Directory(counts);
  const lists = order.flatMap((kind) => sorted.of(kind));
  for (const path of lists) {
    context.signal.throwIfAborted();
    await learnFrom(path, layouts.get(path)!, directory, input).catch(onlySourceErrors);
  }
  const pages = new AnswerPages(input, [...layouts.keys()]);
  const files = await localFiles(input);
  const workspace = context.workspace ?? '';
  const all: ExportContext = { input, directory, counts, media, workspace, pages, files };
  const readOne = (path: string) => readAnswers(path, layouts.get(path)!, all);
  yield* readSharedFiles({ paths: lists, context, read: readOne });
  yield* readRowFiles({ paths: sorted.of('messages'), context, read: readOne });
};

/** A file that cannot be read is reported when its rows are. */
function onlySourceErrors(error: unknown): void {
  if (!(error instanceof SourceError)) throw error;
}
