import type { ExportInput } from '../../io/input/export-input.ts';
import { type SortedPaths, sortPaths, withoutClutter } from '../kit/paths.ts';
import type { Probe } from '../source.ts';

/** Enough for a first message, whose people are described in it. */
const headBytes = 16 * 1024;
const filesMax = 3;

/** Fields that together only this service writes, in the order of how telling they are. */
const receiverType = /"receiverType"\s*:\s*"(?:user|group)"/;
const others = [/"receiver"\s*:\s*"/, /"(?:muid|conversationId)"\s*:\s*"|"sentAt"\s*:\s*["\d]/];
const header = /^\s*\{\s*"kind"\s*:\s*"chat-service-fetch"/;

/** Certain where one of the first files begins with messages of the service. Reads the beginnings of at most three files. */
export async function probe(input: ExportInput): Promise<Probe> {
  for (const path of arrange(await input.paths())
    .of('rows')
    .slice(0, filesMax)) {
    const head = Buffer.from(await input.head(path, headBytes)).toString('utf8');
    if (header.test(head))
      return { match: 'certain', because: `the first line of "${path}", written by chatferry fetch` };
    if (!/^\ufeff?\s*[[{]/.test(head) || !receiverType.test(head)) continue;
    if (others.every((field) => field.test(head))) {
      return { match: 'certain', because: `messages with "receiverType" and "receiver" in "${path}"` };
    }
  }
  return { match: 'no' };
}

/** A file that was named alone may be called as it likes; in a folder the ending tells. */
export function arrange(paths: readonly string[]): SortedPaths<'rows'> {
  const isAlone = withoutClutter(paths).own.length === 1;
  return sortPaths(paths, (path) => (isAlone || /\.(?:json|ndjson|jsonl)$/i.test(path) ? 'rows' : undefined));
}
