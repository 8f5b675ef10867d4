import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { inLists } from '../kit/entries.ts';
import { type ExpectedFile, expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { ircCodes } from './codes.ts';
import { fitsOf, triedLines } from './choose.ts';
import { readLog } from './log-reader.ts';
import { logOf } from './logs.ts';
import { type IrcOptions, ircOptionsSchema } from './options.ts';
import { nicksOf } from './read-nicks.ts';
import { surveyOf } from './survey.ts';

/** Logs of IRC channels and queries, as `dialects.ts` says. */
export const irc = defineSource({
  name: 'irc',
  title: 'IRC logs (irssi, WeeChat, ZNC, mIRC, HexChat, The Lounge, …)',
  what: 'logs of IRC channels and queries, as twenty clients, bouncers and bots write them; a folder, or single files',
  notes: 'programs, networks, time zones, changes of nick, every kind of line',
  sortKeys: 'always',
  isName: () => true,
  options: ircOptionsSchema,
  codes: ircCodes,
  probe,
  read,
});

/**
 * Looks at the beginnings of at most six logs. Certain if a channel's name, a line that says the day or the mark of a program is there as
 * well; without, a table of times, names and words would do.
 */
async function probe(input: ExportInput): Promise<Probe> {
  const candidates = (await input.paths()).map((path) => ({ path, log: logOf(path) }));
  const named = candidates.filter(({ log }) => log && !('skip' in log) && log.isNamedLikeLog);
  const others = candidates.filter(({ log }) => log && !('skip' in log) && !log.isNamedLikeLog);
  const paths = [...named.slice(0, 3), ...others.slice(0, 3)].map(({ path }) => path);
  for (const path of paths) {
    const text = Buffer.from(await headOrNothing(input, path, headBytes)).toString('utf8');
    const [best] = fitsOf(path, text.split(/\r?\n/).slice(0, triedLines));
    if (!best || best.fits < best.others || best.messages + best.events === 0) continue;
    const isCertain = /[#&]/.test(path) || best.isCertain;
    return { match: isCertain ? 'certain' : 'likely', because: `lines of an IRC log in "${path}"` };
  }
  return { match: 'no' };
}

const headBytes = 16 * 1024;

const expectedHtml: ExpectedFile = { what: 'a log of Pidgin', begins: /<title>Conversation with / };

async function* read(
  exported: ExportInput,
  options: IrcOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
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
}
