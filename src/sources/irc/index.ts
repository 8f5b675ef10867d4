import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { inLists } from '../kit/entries.ts';
import { expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import { defineSource, type Probe, type ReadContext } from '../source.ts';
import { ircCodes } from './codes.ts';
import { readLine } from './format.ts';
import { readLog } from './log-reader.ts';
import { type Log, logOf } from './logs.ts';
import { type IrcOptions, ircOptionsSchema } from './options.ts';

/** Logs of IRC channels and queries, as `format.ts` says. */
export const irc = defineSource({
  name: 'irc',
  title: 'IRC logs (irssi, WeeChat, ZNC, EnergyMech, mIRC)',
  what: 'logs of IRC channels and queries: irssi, WeeChat, ZNC, EnergyMech, mIRC, The Lounge; a folder, or single files',
  notes: 'time zones, changes of nick, every kind of line',
  sortKeys: 'always',
  options: ircOptionsSchema,
  codes: ircCodes,
  probe,
  read,
});

const headBytes = 4096;

/**
 * Reads the beginnings of at most three logs, most of whose lines must be lines of a log. Certain where a channel's name or a line
 * that says the day stands there as well; without, a table of times, names and words would do.
 */
async function probe(input: ExportInput): Promise<Probe> {
  const logs = (await input.paths()).filter((path) => isLog(logOf(path, { network: '', nick: '' })));
  for (const path of logs.slice(0, 3)) {
    const head = Buffer.from(await headOrNothing(input, path, headBytes)).toString('latin1');
    const lines = head.split(/\r?\n/).map(readLine);
    const known = lines.filter((line) => line !== undefined);
    if (known.length < lines.length / 2 || !known.some((line) => 'timeOfDayMs' in line)) continue;
    const isCertain = /[#&]/.test(path) || known.some(({ kind }) => kind === 'day');
    return { match: isCertain ? 'certain' : 'likely', because: `lines of an IRC log in "${path}"` };
  }
  return { match: 'no' };
}

const isLog = (log: ReturnType<typeof logOf>): log is Log => log !== undefined && 'conversation' in log;

async function* read(
  exported: ExportInput,
  options: IrcOptions,
  context: ReadContext,
): AsyncGenerator<readonly Entry[]> {
  context.signal.throwIfAborted();
  // Clients make a log when they write into it.
  const input = expectFiles(exported, () => expectedText);
  const logs = new Map<string, Log>();
  const sorted = sortPaths(await input.paths(), (path) => {
    const log = logOf(path, options);
    if (!isLog(log)) return log;
    logs.set(path, log);
    return 'log';
  });
  yield* inLists(leftOut(sorted));
  yield* readRowFiles({
    paths: sorted.of('log'),
    context,
    read: (path) => readLog(input, path, { ...logs.get(path)!, ...options, workspace: context.workspace ?? '' }),
  });
}
