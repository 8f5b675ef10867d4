import { createReadStream, existsSync } from 'node:fs';
import { type ListedMessage, readMessagePage } from '../../service/client/answers/list-answer.ts';
import { parseAnswer } from '../../service/client/answers/parse-answer.ts';
import { FetchTally } from './file.ts';

/** A file that the same fetch has brought to its end: it was killed when it was done, or is said again. */
export interface WholeFile {
  readonly tally: FetchTally;
  readonly bytes: number;
  /** Ids of the last rows, in their order. */
  readonly lastIds: readonly string[];
}

/**
 * Counts what a file holds that the same fetch has written before. Memory: some rows at a time.
 *
 * @param firstLine Says what is fetched.
 * @returns Nothing where there is no file, it is not whole yet, or it is about something else.
 */
export async function readWholeFile(out: string, firstLine: string): Promise<WholeFile | undefined> {
  if (!existsSync(out) || existsSync(`${out}.partial`) || existsSync(`${out}.partial.log`)) return undefined;
  const headBytes = Buffer.byteLength(firstLine) + 1;
  const head: string[] = await createReadStream(out, { encoding: 'utf8', end: headBytes - 1 }).toArray();
  if (head.join('') !== `${firstLine}\n`) return undefined;
  const tally = new FetchTally([]);
  const input = createReadStream(out, { encoding: 'utf8', start: headBytes });
  let lastIds: readonly string[] = [];
  let rest = '';
  for await (const piece of input as AsyncIterable<string>) {
    const rows = (rest + piece).split('\n');
    rest = rows.pop()!;
    const messages = messagesOf(rows);
    if (messages.length === 0) continue;
    tally.addPage(messages, 0);
    lastIds = messages.map(({ id }) => id);
  }
  return { tally, bytes: headBytes + input.bytesRead, lastIds };
}

/** Rows of a fetched file, understood as in an answer of the service. */
export const messagesOf = (rows: readonly string[]): readonly ListedMessage[] =>
  readMessagePage(parseAnswer(`{"data":[${rows.join(',')}]}`))?.messages ?? [];
