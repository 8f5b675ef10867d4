import { leftOut, sortPaths } from '../kit/files/paths.ts';
import { inLists } from '../kit/entries.ts';
import { type ExpectedFile, expectedText, expectFiles } from '../kit/files/expected-files.ts';
import { readRowFiles } from '../kit/files/read-files.ts';
import type { ReadSource } from '../source.ts';
import { readLog } from './log-reader.ts';
import type { IrcOptions } from './options.ts';
import { surveyLogs, type Log } from './survey.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { readTextLines } from '../kit/rows/text-lines.ts';
import { LogLines } from './log-lines.ts';
import { Nicks } from './nicks.ts';

const expectedHtml: ExpectedFile = { what: 'a log of Pidgin', begins: /<title>Conversation with / };

export const read: ReadSource<IrcOptions> = async function* (exported, options, context) {
  // Clients make a log when they write into it.
  const input = expectFiles(exported, (path) => (/\.html$/i.test(path) ? expectedHtml : expectedText));
  const { logs, skipped } = await surveyLogs(input, options);
  const sorted = sortPaths(await input.paths(), (path) => {
    const reason = skipped.get(path);
    if (reason !== undefined) return { skip: reason };
    return logs.has(path) ? 'log' : undefined;
  });
  yield* inLists(leftOut(sorted));
  const paths = sorted.of('log');
  const { signal } = context;
  if (!paths.some((path) => context.wants(path))) return;
  const nicks = await readNicks(input, logs.values(), { encoding: options.encoding, signal });
  const reading = { options, nicks, workspace: context.workspace ?? '' };
  yield* readRowFiles({ paths, context, read: (path) => readLog(input, logs.get(path)!, reading) });
};

/** Reads all logs once: who is behind a nick is said in other files too. */
async function readNicks(
  input: ExportInput,
  logs: Iterable<Log>,
  { encoding, signal }: { readonly encoding: string; readonly signal: AbortSignal },
): Promise<Nicks> {
  const nicks = new Nicks();
  for (const log of logs) {
    signal.throwIfAborted();
    try {
      await addNicks(nicks, input, log, encoding);
    } catch (error) {
      // The reader of its rows reports why it cannot be read.
      if (!(error instanceof SourceError)) throw error;
    }
  }
  nicks.seal();
  return nicks;
}

async function addNicks(nicks: Nicks, input: ExportInput, log: Log, encoding: string): Promise<void> {
  const { network, file } = log;
  const lines = new LogLines(log.dialect, log);
  for await (const chunk of readTextLines(input, log.path, { otherwise: encoding })) {
    for (const { text, line } of chunk) {
      const row = lines.next(text);
      if (row.kind !== 'said' || row.said.isUnclear) continue;
      const { nick, to, others = [] } = row.said;
      const place = { orderMs: row.orderMs, file, line };
      for (const used of nick === undefined ? others : [nick, ...others]) {
        if (!used.includes('.')) nicks.use(network, used, place);
      }
      if (to !== undefined && nick !== undefined) nicks.change(network, { from: nick, to, place });
    }
  }
}
