import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { inLists } from '../kit/entries.ts';
import { type ExpectedFile, expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { readLog } from './log-reader.ts';
import type { IrcOptions } from './options.ts';
import { nicksOf } from './read-nicks.ts';
import { surveyOf } from './survey.ts';

const expectedHtml: ExpectedFile = { what: 'a log of Pidgin', begins: /<title>Conversation with / };

export const read: ReadSource<IrcOptions> = async function* (exported, options, context) {
  // Clients make a log when they write into it.
  const input = expectFiles(exported, (path) => (/\.html$/i.test(path) ? expectedHtml : expectedText));
  const { logs, skipped } = await surveyOf(input, options);
  const sorted = sortPaths(await input.paths(), (path) => {
    const reason = skipped.get(path);
    if (reason !== undefined) return { skip: reason };
    return logs.has(path) ? 'log' : undefined;
  });
  yield* inLists(leftOut(sorted));
  const paths = sorted.of('log');
  const isNeeded = context.isSurvey !== true && paths.some((path) => context.wants(path));
  const { signal } = context;
  const nicks = isNeeded ? await nicksOf(input, logs.values(), { encoding: options.encoding, signal }) : undefined;
  const reading = { options, nicks, workspace: context.workspace ?? '' };
  yield* readRowFiles({ paths, context, read: (path) => readLog(input, logs.get(path)!, reading) });
};
