import { versionOfRecord } from '../../src/model/record-version.ts';
import { recordDigest } from '../../src/model/record-digest.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { memoryInput } from './memory-input.ts';
import { messagesOf, readAll } from './source/check.ts';

/** Files of an export, by path: text, or a value that is written as JSON. */
type Files = Parameters<typeof memoryInput>[0];

/** An export, and one that was made later and holds the same messages. */
export interface Overlap {
  readonly before: Files;
  readonly after: Files;
}

/**
 * What speaks against a source whose exports overlap: messages that changed between the two and do not say themselves which state is the
 * later one, so that the order of arguments would decide.
 */
export async function overlapComplaints(adapter: SourceAdapter, { before, after }: Overlap): Promise<string[]> {
  const [old, now] = await Promise.all([before, after].map((files) => byId(adapter, files)));
  return [...now!].flatMap(([id, message]) => {
    const earlier = old!.get(id);
    if (!earlier || recordDigest(earlier) === recordDigest(message)) return [];
    return versionOfRecord(message) > versionOfRecord(earlier) ? [] : [`${id}: nothing says which state is later`];
  });
}

async function byId(adapter: SourceAdapter, files: Files): Promise<Map<string, MessageRecord>> {
  const messages = messagesOf(await readAll(adapter, memoryInput(files)));
  return new Map(messages.map((message) => [`${message.origin.conversation} ${message.origin.id}`, message]));
}
