import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { readTextLines } from '../kit/rows/text-lines.ts';
import { LogLines } from './log-lines.ts';
import { Nicks } from './nicks.ts';
import type { Log } from './survey.ts';

/** Reads all logs once: who is behind a nick is said in other files too. */
export async function nicksOf(
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
