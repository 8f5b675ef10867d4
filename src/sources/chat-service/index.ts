import { noOptions } from '../kit/options.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { headText } from '../kit/files/file-bytes.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource, type Probe } from '../source.ts';
import { chatServiceCodes } from './codes.ts';
import { arrange } from './layout.ts';

/**
 * Formats that the chat service itself writes and takes: answers of its message lists, bodies of its import operation,
 * single messages, and what `chatferry fetch` brings from a running service.
 *
 * Each file is read by itself: people and groups travel with the messages, so there are no shared files.
 */
export const chatService = defineSource({
  name: 'chat-service',
  title: 'Message lists and import bodies of the chat service (JSON, NDJSON)',
  sortKeys: 'where-given',
  options: noOptions,
  codes: chatServiceCodes,
  probe,
  read: lateRead(() => import('./read.ts')),
});

/** Enough for a first message, whose people are described in it. */
const headBytes = 16 * 1024;

const filesMax = 3;

/** Fields that together only this service writes, in the order of how telling they are. */
const receiverType = /"receiverType"\s*:\s*"(?:user|group)"/;

const others = [/"receiver"\s*:\s*"/, /"(?:muid|conversationId)"\s*:\s*"|"sentAt"\s*:\s*["\d]/];

/** Manifest of a fetch, which may have brought no message. */
const manifest = /"chatferryFetch"\s*:\s*1,[^{}]*"source"\s*:\s*"chat-service"/;

/** Certain where one of the first files begins with messages of the service. Reads the beginnings of at most three files. */
async function probe(input: ExportInput): Promise<Probe> {
  const paths = arrange(await input.paths()).of('rows');
  for (const path of paths.slice(0, filesMax)) {
    const head = await headText(input, path, headBytes);
    if (manifest.test(head)) return { match: 'certain', because: `"${path}", written by chatferry fetch` };
    if (!/^\ufeff?\s*[[{]/.test(head) || !receiverType.test(head)) continue;
    if (others.every((field) => field.test(head))) {
      return { match: 'certain', because: `messages with "receiverType" and "receiver" in "${path}"` };
    }
  }
  return { match: 'no' };
}
